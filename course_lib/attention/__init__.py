"""Attention as pure functions and small modules, apart from any network that uses it."""

from course_lib.attention.attend import Attended, attend, masked_softmax
from course_lib.attention.masks import (
    causal_mask,
    combine,
    for_keys,
    padding_mask,
    window_mask,
    zero_padding,
)
from course_lib.attention.scores import (
    AdditiveScore,
    ConcatScore,
    GeneralScore,
    LocationScore,
    ProjectingScore,
    Score,
    cosine,
    dot,
    scaled_dot,
)

__all__ = [
    "AdditiveScore",
    "Attended",
    "ConcatScore",
    "GeneralScore",
    "LocationScore",
    "ProjectingScore",
    "Score",
    "attend",
    "causal_mask",
    "combine",
    "cosine",
    "dot",
    "for_keys",
    "masked_softmax",
    "padding_mask",
    "scaled_dot",
    "window_mask",
    "zero_padding",
]
