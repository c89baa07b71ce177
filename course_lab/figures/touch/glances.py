"""Two ways to look at a scene: the average of all patches, or glances at one, drawn again."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from course_lab.figures.touch.core import Interactive, counted, plain, rounded, row, shared, sheet

_INK = "0123456789abcdefg"
"""A pixel is one sign: no ink to full ink, in sixteenths."""
_NAMES = ("first", "second", "third", "fourth", "fifth")


class Look(NamedTuple):
    """One look of each reader at S patches.

    Attributes:
        true: the digit to report.
        place: the patch that it stands in.
        soft: (S,) weights of the soft reader.
        soft_says: what it then writes.
        hard: (S,) probabilities from which the hard reader draws its glance.
        reward: (S,) log-probability of the true digit, had it glanced there.
        says: (S,) what it would write.
    """

    true: int
    place: int
    soft: object
    soft_says: int
    hard: object
    reward: object
    says: Sequence[int]


class Scene(NamedTuple):
    """A scene and the looks at it.

    Attributes:
        patches: (S, P) ink from 0 to 1, S patches in reading order, P pixels row by row.
        looks: one for each digit to report.
    """

    patches: object
    looks: Sequence[Look]


def glances(scenes: Sequence[Scene], columns: int, draws: Sequence[float]) -> Interactive:
    """Shows scenes beside what a soft and a hard reader make of them, digit by digit.

    The reader lets the hard one look again and again: each glance is drawn from its probabilities
    by the next of the stored numbers, and its estimate of the gradient, (R_k - b) (1_k - α) for a
    glance at k and a baseline b (Williams 1992), joins those before it.

    Args:
        scenes: all with as many patches and looks.
        columns: patches in a row of a scene.
        draws: numbers in 0..1, one a glance; after the last the first comes again.
    """
    count = len(scenes[0].looks)
    return Interactive(
        "glances",
        f"Two ways to look, {counted(len(scenes), 'scene')}, {counted(count, 'digit')} each",
        tables=[_table(scene, number, columns) for number, scene in enumerate(scenes, start=1)],
        data={
            "columns": columns,
            "side": round(len(scenes[0].patches[0]) ** 0.5),
            "scenes": list(map(_packed, scenes)),
            "draws": rounded(draws, 5),
            "names": list(_NAMES[:count]),
        },
        parts=["bars"],
    )


def _packed(scene: Scene) -> dict:
    looks = [
        {name: rounded(getattr(look, name), 4) for name in ("soft", "hard", "reward")}
        | {"says": list(look.says), "softSays": look.soft_says}
        | {"true": look.true, "place": look.place}
        for look in scene.looks
    ]
    ink = np.asarray(scene.patches, dtype=np.float64).tolist()
    return {"ink": ["".join(_INK[round(16 * x)] for x in row) for row in ink], "looks": looks}


def _table(scene: Scene, number: int, across: int) -> str:
    columns = [
        f"{name} digit: {what}"
        for name, _ in zip(_NAMES, scene.looks, strict=False)
        for what in ("soft weight", "chance of a glance", "reward")
    ]
    rows = []
    for place in range(len(scene.patches)):
        cells = [
            shared([look.soft[place], look.hard[place]]) + plain([f"{look.reward[place]:.2f}"])
            for look in scene.looks
        ]
        rows.append(row([f"row {place // across + 1}, column {place % across + 1}"], *cells))
    digits = ", ".join(str(look.true) for look in scene.looks)
    return sheet(f"Scene {number}, with the digits {digits}", columns, rows)
