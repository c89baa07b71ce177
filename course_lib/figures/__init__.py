"""Figures from arrays and tokens, in one style, each with words for those who can not see it."""

from course_lib.figures.attention_explorer import AttentionExample, attention_explorer
from course_lib.figures.attention_map import attention_map, describe_attention
from course_lib.figures.em_steps import em_steps
from course_lib.figures.gradients import describe_gradients, gradient_plot
from course_lib.figures.interactive import Interactive
from course_lib.figures.length_curve import describe_length_curve, length_curve
from course_lib.figures.length_explorer import length_explorer
from course_lib.figures.style import Picture, house_style
from course_lib.figures.unrolled_chain import unrolled_chain

__all__ = [
    "AttentionExample",
    "Interactive",
    "Picture",
    "attention_explorer",
    "attention_map",
    "describe_attention",
    "describe_gradients",
    "describe_length_curve",
    "em_steps",
    "gradient_plot",
    "house_style",
    "length_curve",
    "length_explorer",
    "unrolled_chain",
]
