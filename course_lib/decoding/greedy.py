"""Greedy search: at each step the most probable token, never taken back."""

from jaxtyping import Bool
from torch import Tensor, nn

from course_lib.data.tokens.tokenizer import END, START
from course_lib.decoding.generate import Decoded, generate


def greedy(
    model: nn.Module,
    source: Tensor,
    source_mask: Bool[Tensor, "B S"],
    *,
    start: int = START,
    end: int = END,
    max_length: int,
    return_attention: bool = False,
) -> Decoded:
    """Translates a batch with dropout off. A sentence leaves the batch as soon as it has its END.

    PAD and `start` are never chosen; UNKNOWN may be. Of equally probable tokens the one with the
    smallest id is chosen. For arguments and errors see `generate`.
    """
    return generate(
        model,
        source,
        source_mask,
        lambda logits, rows: logits.argmax(-1),
        start=start,
        end=end,
        max_length=max_length,
        return_attention=return_attention,
    )
