"""Two ways to look at a scene: the average of all patches, or glances at one, drawn again."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from course_lab.figures.touch.core import Interactive, row, shared, sheet
from course_lab.figures.touch.text import counted

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


class Estimate(NamedTuple):
    """REINFORCE for the scores of one glance.

    Attributes:
        exact: (S,) the gradient of the expected reward, α (R - R̄).
        plain: variance of the estimate R ∇ log p, summed over the scores.
        against: variance with the expected reward R̄ as a baseline.
    """

    exact: np.ndarray
    plain: float
    against: float


def estimate(shares: object, reward: object) -> Estimate:
    """What one glance teaches the scores on average, and how much single glances differ.

    A glance at k estimates (R_k - b) (1_k - α) with respect to the scores (Williams 1992).
    """
    alpha, gained = np.asarray(shares, dtype=np.float64), np.asarray(reward, dtype=np.float64)
    mean = float(alpha @ gained)
    exact = alpha * (gained - mean)
    lengths = 1 - 2 * alpha + float(alpha @ alpha)  # |1_k - α|², for each k
    spread = [
        max(0.0, float(alpha @ ((gained - baseline) ** 2 * lengths) - exact @ exact))
        for baseline in (0.0, mean)
    ]
    return Estimate(exact, *spread)


def glances(scenes: Sequence[Scene], columns: int, draws: Sequence[float]) -> Interactive:
    """Shows scenes beside what a soft and a hard reader make of them, digit by digit.

    The reader lets the hard one look again and again: each glance is drawn from its probabilities
    by the next of the stored numbers, and its estimate of the gradient joins those before it.

    Args:
        scenes: all with as many patches and looks.
        columns: patches in a row of a scene.
        draws: numbers in 0..1, one a glance; after the last the first comes again.
    """
    told = [_told(scene) for scene in scenes]
    first = scenes[0].looks[0]
    found = estimate(first.hard, first.reward)
    return Interactive(
        "glances",
        f"Two ways to look, {counted(len(scenes), 'scene')}, "
        f"{counted(len(told[0]['looks']), 'digit')} each",
        f"In the first scene the soft reader puts {_most(first.soft):.2f} of its weight on one "
        "patch; the hard one glances at the patch of the digit with probability "
        f"{first.hard[first.place]:.2f}. The variance of one glance's gradient "
        f"is {found.plain:.2f}, with a baseline {found.against:.2f}.",
        tables=[_table(scene, number, columns) for number, scene in enumerate(scenes, start=1)],
        data={
            "columns": columns,
            "side": round(np.sqrt(np.asarray(scenes[0].patches, dtype=np.float64).shape[1])),
            "scenes": told,
            "draws": [round(float(draw), 5) for draw in draws],
            "names": list(_NAMES[: len(told[0]["looks"])]),
        },
        parts=["bars"],
    )


def _most(shares: object) -> float:
    return float(np.asarray(shares, dtype=np.float64).max())


def _told(scene: Scene) -> dict:
    looks = []
    for look in scene.looks:
        rows = {
            name: np.asarray(getattr(look, name), dtype=np.float64)
            for name in ("soft", "hard", "reward")
        }
        looks.append(
            {
                **{name: [round(x, 4) for x in row.tolist()] for name, row in rows.items()},
                "says": list(look.says),
                "softSays": look.soft_says,
                "true": look.true,
                "place": look.place,
            }
        )
    ink = np.asarray(scene.patches, dtype=np.float64).tolist()
    return {"ink": ["".join(_INK[round(16 * x)] for x in row) for row in ink], "looks": looks}


def _table(scene: Scene, number: int, across: int) -> str:
    columns = [
        f"{name} digit: {what}"
        for name, _ in zip(_NAMES, scene.looks, strict=False)
        for what in ("soft weight", "chance of a glance", "reward")
    ]
    rows = []
    looks = [
        np.asarray([look.soft, look.hard, look.reward], dtype=np.float64) for look in scene.looks
    ]
    for place in range(looks[0].shape[1]):
        cells = [f"{shared(each[:2, place])}<td>{each[2, place]:.2f}</td>" for each in looks]
        rows.append(row([f"row {place // across + 1}, column {place % across + 1}"], *cells))
    digits = ", ".join(str(look.true) for look in scene.looks)
    return sheet(f"Scene {number}, with the digits {digits}", columns, rows)
