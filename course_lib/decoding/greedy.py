"""Greedy search: at each step the most probable token, never taken back."""

from jaxtyping import Bool
from torch import Tensor, nn

from course_lib.decoding.generate import Decoded, SearchLimits, generate


def greedy(
    model: nn.Module,
    source: Tensor,
    source_mask: Bool[Tensor, "B S"],
    *,
    return_attention: bool = False,
    **limits: int,
) -> Decoded:
    """Translate a batch with dropout off. A sentence leaves the batch as soon as it has its END.

    Of equally probable tokens the one with the smallest id is chosen. `limits` are those of
    `SearchLimits`; for other arguments and errors see `generate`.
    """

    def choose(logits: Tensor, rows: Tensor) -> Tensor:
        return logits.argmax(-1)

    bounds = SearchLimits(**limits)
    return generate(model, source, source_mask, choose, bounds, return_attention=return_attention)
