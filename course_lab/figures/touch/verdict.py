"""Change a word and see the verdict move: attend, compare, aggregate, run in the page."""

import base64
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course_lab.figures.touch.core import Interactive, row, shared, sheet, weight_map


class Menus(NamedTuple):
    """The words that a reader may choose.

    Attributes:
        slots: for each place of a sentence, by name, its phrases; "" leaves the place empty.
        premise: which of them the premise begins with, one a slot.
        hypothesis: the same of the hypothesis.
    """

    slots: Mapping[str, Sequence[str]]
    premise: Sequence[int]
    hypothesis: Sequence[int]


def verdict(
    net: bytes,
    words: Sequence[str],
    menus: Menus,
    labels: Sequence[str],
    *,
    premise: Sequence[str],
    hypothesis: Sequence[str],
    weights: Sequence[Sequence[float]],
    shares: Sequence[float],
) -> Interactive:
    """Shows two sentences to change, where each word of the second looks, and what follows.

    A click on a weight forbids that pair, one on a word drops its comparison from the sum. What
    stands there before it is touched, and where no script runs, comes from Python.

    Args:
        net: a safetensors file as `course_lab.experiments.decomposable.in_page` makes it.
        words: of the network's ids.
        menus: what can be chosen.
        labels: names of the classes.
        premise: the words that the network saw first: M, what stands for nothing among them.
        hypothesis: likewise: N.
        weights: where each word of the hypothesis looks in the premise: (N, M).
        shares: the probability of each class.
    """
    answers = zip(labels, shares, strict=True)
    return Interactive(
        "verdict",
        "Two sentences to change, and what the network says follows",
        tables=[
            sheet(
                "What the network says (probability)",
                None,
                [row([label], shared([share])) for label, share in answers],
            ),
            weight_map(
                "Where each word of the hypothesis looks in the premise (weights)",
                premise,
                hypothesis,
                weights,
            ),
        ],
        parts=["net", "words", "bars", "table"],
        data={
            "net": base64.b64encode(net).decode(),
            "words": list(words),
            "labels": list(labels),
            "names": list(menus.slots),
            "options": [list(phrases) for phrases in menus.slots.values()],
            "chosen": [list(menus.premise), list(menus.hypothesis)],
        },
    )
