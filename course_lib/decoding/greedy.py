"""Greedy search: at each step the most probable token, never taken back."""

from jaxtyping import Bool
from torch import Tensor, nn

from course_lib.data.tokens.tokenizer import END, START
from course_lib.decoding.writing import Decoded, write


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
    """Translates a batch, dropout off. A sentence leaves the batch as soon as it has its END.

    PAD and `start` are no words: their logits are set to minus infinity before the choice, since
    a badly trained model does sometimes prefer them. UNKNOWN may be chosen. Of equally probable
    tokens the one with the smallest id is taken. For arguments and errors see `writing.write`.
    """
    return write(
        model,
        source,
        source_mask,
        lambda logits, rows: logits.argmax(-1),
        start=start,
        end=end,
        max_length=max_length,
        return_attention=return_attention,
    )
