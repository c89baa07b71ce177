"""Switch heads off and see what the network would say: a small Transformer runs in the page."""

import base64
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from course_lab.figures.touch.core import Interactive, row, shared, sheet, weighed


class FirstAnswers(NamedTuple):
    """What the figure shows before it is touched, and where no script runs; Python computed it.

    Attributes:
        words: the likeliest words for the first sentence's gap, the best first.
        shares: their probabilities.
        looks: where each head of each layer looks from the gap: (N, H, T).
    """

    words: Sequence[str]
    shares: Sequence[float]
    looks: Sequence


def switches(
    net: bytes,
    words: Sequence[str],
    sentences: Sequence[tuple[Sequence[str], int]],
    *,
    heads: int,
    gap_token: int,
    shown: int,
    usual: Sequence,
    opening: FirstAnswers,
) -> Interactive:
    """Shows a sentence with a gap, what fills it, and the map of each head, which can be switched.

    A click on a word moves the gap there; one on a map switches that head off or on again.

    Args:
        net: a safetensors file as `course_lab.experiments.multi_head.in_page` makes it.
        words: of the network's ids.
        sentences: to choose from, each with the place of its first gap.
        heads: H, of each layer.
        gap_token: the id that stands in the gap.
        shown: how many of the likeliest words have a bar.
        usual: what each head adds in the mean, (N, H, D): a head that is off adds that everywhere.
        opening: of the first sentence.
    """
    first, gap = sentences[0]
    looks = np.asarray(opening.looks, dtype=np.float64)
    fills = zip(opening.words, opening.shares, strict=True)
    columns = ["(gap)" if i == gap else word for i, word in enumerate(first)]
    rows = [
        row([f"layer {n}, head {h}"], weighed(look))
        for n, layer in enumerate(looks.tolist(), start=1)
        for h, look in enumerate(layer, start=1)
    ]
    return Interactive(
        "switches",
        f"A sentence with a gap, and {len(rows)} heads to switch off",
        tables=[
            sheet(
                "What fills the gap (probability)",
                None,
                [row([word], shared([share])) for word, share in fills],
            ),
            sheet("Where each head looks from the gap (weights)", columns, rows),
        ],
        parts=["net", "words", "bars", "maps"],
        data={
            "net": base64.b64encode(net).decode(),
            "words": list(words),
            "sentences": [[list(text), place] for text, place in sentences],
            "heads": heads,
            "gap": gap_token,
            "shown": shown,
            "usual": np.asarray(usual, dtype=np.float64).round(5).tolist(),
        },
    )
