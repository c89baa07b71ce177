"""Attention read as a word alignment, and compared with the links of annotators or a grammar."""

from collections.abc import Sequence

from jaxtyping import Float
from torch import Tensor

from course_lib.alignment.error_rate import alignment_error_rate
from course_lib.data.pairs import AlignedPair, Link


def links_from_weights(
    weights: Float[Tensor, "T S"],
    threshold: float | None = None,
    *,
    shift: int = 0,
    source_words: int | None = None,
) -> set[Link]:
    """Turn soft attention (T, S) into hard links, (source position, target position).

    Each target word is linked to the source word to which it attends most, the first one in a tie.
    A row of zeros makes no link.

    Args:
        threshold: link to every source word with at least this weight instead.
        shift: read the links of target word t from row t + shift. A decoder that attends *after*
            it has read a word has that word's attention one row late (shift 1); one that attends
            too early has it one row early (shift -1; "off by one" in Koehn & Knowles 2017, section
            3.5). Words without a row get no link.
        source_words: columns from this number on, such as the end mark, make no link.
    """
    words = weights.shape[1] if source_words is None else source_words
    if threshold is None:
        # A tie goes to the first column, which torch's argmax does not guarantee.
        largest = [max(range(len(row)), key=row.__getitem__, default=0) for row in weights.tolist()]
        cells = [(t, s) for t, s in enumerate(largest) if weights.shape[1] and weights[t, s] > 0]
    else:
        cells = [(t, s) for t, s in (weights >= threshold).nonzero().tolist()]
    return {(s, t - shift) for t, s in cells if s < words and 0 <= t - shift < weights.shape[0]}


def attention_error_rate(
    weights: Sequence[Float[Tensor, "_ _"]],
    pairs: Sequence[AlignedPair],
    *,
    threshold: float | None = None,
    shift: int = 0,
) -> float:
    """The alignment error rate of attention against gold links (Och & Ney 2000); 0 is perfect.

    `weights` has one (T, S) or (T, S + 1) map over words per pair, as `forced_attention` gives,
    else ValueError; the extra column is the end mark. For the others see `links_from_weights`.
    """
    predicted = []
    for number, (matrix, pair) in enumerate(zip(weights, pairs, strict=True)):
        rows, columns = matrix.shape
        if rows != len(pair.target) or columns - len(pair.source) not in (0, 1):
            raise ValueError(
                f"want a map of {len(pair.target)} target by {len(pair.source)} source words for "
                f"pair {number}; got {rows} by {columns}"
            )
        words = len(pair.source)
        predicted.append(links_from_weights(matrix, threshold, shift=shift, source_words=words))
    gold = [pair.sure for pair in pairs], [pair.possible for pair in pairs]
    return alignment_error_rate(predicted, *gold)
