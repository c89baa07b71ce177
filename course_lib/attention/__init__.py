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
