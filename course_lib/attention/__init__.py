"""Attention as pure functions and small modules, apart from any network that uses it."""

from .attend import AttentionOutput, attend
from .blockwise import blockwise_attention
from .cache import KeyValueCache
from .hard import HardAttention, hard_attention
from .linear import LinearOutput, LinearState, elu_plus_one, linear_attention, unit_silu
from .local import (
    LocalAttention,
    PredictedPosition,
    gaussian_window,
    local_attention,
    window_around,
)
from .masks import causal_mask, combine, for_keys, padding_mask, window_mask, zero_padding
from .multihead import MultiHeadAttention
from .position import LearnedPosition, Sinusoidal, rotate, shift_by, sinusoidal
from .scores import (
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
from .smoothing import gaussian, smooth
from .softmax import masked_softmax

__all__ = [
    "AdditiveScore",
    "AttentionOutput",
    "ConcatScore",
    "GeneralScore",
    "HardAttention",
    "KeyValueCache",
    "LearnedPosition",
    "LinearOutput",
    "LinearState",
    "LocalAttention",
    "LocationScore",
    "MultiHeadAttention",
    "PredictedPosition",
    "ProjectingScore",
    "Score",
    "Sinusoidal",
    "attend",
    "blockwise_attention",
    "causal_mask",
    "combine",
    "cosine",
    "dot",
    "elu_plus_one",
    "for_keys",
    "gaussian",
    "gaussian_window",
    "hard_attention",
    "linear_attention",
    "local_attention",
    "masked_softmax",
    "padding_mask",
    "rotate",
    "scaled_dot",
    "shift_by",
    "sinusoidal",
    "smooth",
    "unit_silu",
    "window_around",
    "window_mask",
    "zero_padding",
]
