"""Figures from arrays and tokens, in one style, each with words for those who can not see it."""

from course_lib.figures.attention_map import attention_map, describe_attention
from course_lib.figures.gradients import describe_gradients, gradient_plot
from course_lib.figures.length_curve import describe_length_curve, length_curve
from course_lib.figures.style import Picture, house_style

__all__ = [
    "Picture",
    "attention_map",
    "describe_attention",
    "describe_gradients",
    "describe_length_curve",
    "gradient_plot",
    "house_style",
    "length_curve",
]
