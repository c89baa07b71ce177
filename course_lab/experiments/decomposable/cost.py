"""What decomposable attention costs (chapter 7): multiplications, by formula and counted."""

import torch
from torch.utils.flop_counter import FlopCounterMode

from course_lib.models.decomposable import Decomposable, DecomposableConfig


def by_part(length: int, hidden: int) -> dict[str, int]:
    """Multiplications for two sentences of one length, by part of the model.

    Each word goes through the projection and F (together 3 H²) and through G (3 H²); each *pair* of
    words costs H for its score, and H for each of the two averages. What is done once a pair of
    sentences, H, is left out.

    Args:
        length: words of each sentence.
        hidden: H, which is also the width of the words' table here.
    """
    words, pairs = 2 * length, length * length
    return {
        "project and F": 3 * words * hidden**2,
        "scores": pairs * hidden,
        "averages": 2 * pairs * hidden,
        "compare (G)": 3 * words * hidden**2,
    }


def counted(length: int, hidden: int) -> int:
    """Multiplications that PyTorch counts in one pass over two sentences of one length."""
    model = Decomposable(DecomposableConfig(8, hidden, hidden)).eval()
    ids = torch.ones(1, length, dtype=torch.long)
    mask = torch.ones_like(ids, dtype=torch.bool)
    counter = FlopCounterMode(display=False)
    with torch.no_grad(), counter:
        model(ids, mask, ids, mask)
    # A multiplication and an addition count as two there.
    return counter.get_total_flops() // 2


def even(hidden: int) -> float:
    """The length at which pairs of words cost as much as words do: 12 n H² = 3 n² H."""
    return 4.0 * hidden
