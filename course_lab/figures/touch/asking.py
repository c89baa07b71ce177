"""Every word asks every other: one small self-attention, step by step, with its own numbers."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course_lab.figures.touch.core import Interactive, row, shared, sheet, weight_map


class Asked(NamedTuple):
    """A sentence with blanks.

    Attributes:
        words: with "_" at the blanks.
        wanted: what belongs into each blank, in their order.
        gloss: of the whole sentence.
    """

    words: Sequence[str]
    wanted: Sequence[str]
    gloss: str


def asking(
    nets: Mapping[str, Mapping[str, object]],
    words: Sequence[str],
    sentences: Sequence[Asked],
    answers: Sequence[str],
    *,
    steps: Mapping[str, object],
) -> Interactive:
    """Shows X, Q K V, scores, scale, mask, softmax, context and answer of a sentence.

    Args:
        nets: by name, each with "words" (V, D), "queries", "keys" (d_k, D), "values" (d_v, D) and
            "answers" (A, d_v). A name that begins with "earlier" looks at no later word.
        words: the V words of the nets' rows; "_" is the blank.
        sentences: what can be chosen; the first is shown.
        answers: what may stand in a blank.
        steps: of the first sentence by the first net, for paper: "weights" (T, T) and "shares"
            (T, A).
    """
    first = sentences[0].words
    weights, shares = (np.asarray(steps[name], dtype=np.float64) for name in ("weights", "shares"))
    blanks = [shares[i] for i, word in enumerate(first) if word == "_"]
    rows = [row([f"blank {n}"], shared(each)) for n, each in enumerate(blanks, start=1)]
    return Interactive(
        "asking",
        f"One self-attention, step by step, {len(sentences)} sentences",
        tables=[
            weight_map("Where each word looks (weights)", first, first, weights),
            sheet("What the blanks become (probability)", answers, rows),
        ],
        data={
            # A list: names in a JSON object are sorted.
            "nets": [
                {"name": name} | {part: np.asarray(array).tolist() for part, array in net.items()}
                for name, net in nets.items()
            ],
            "words": list(words),
            "sentences": [each._asdict() for each in sentences],
            "answers": list(answers),
        },
        parts=["table"],
    )
