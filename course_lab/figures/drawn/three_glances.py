"""What single glances say about two scores, without a baseline and with one (chapter 6b)."""

import numpy as np

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Label, Part, Point, plane

NAMES = ("left", "middle", "right")
CHANCES = (0.5, 0.25, 0.25)
REWARDS = (-3.0, -1.0, -3.0)
UNIT, _FLOOR, _THICK = 54.0, 118.0, 6.0
_ORIGINS = (90.0, 270.0)
_BESIDE = {
    (0, "left"): (4, -8, "middle"),
    (0, "middle"): (-4, 16, "start"),
    (0, "right"): (-4, -8, "middle"),
    (1, "left"): (-6, 6, "end"),
    (1, "middle"): (0, -8, "middle"),
    (1, "right"): (6, 3, "start"),
}
"""Where the name of an arrow stands, from its end."""


def says(baseline: float) -> np.ndarray:
    """Row k: what a glance at k says about each score, (R_k - b)(1_k - α)."""
    gain = np.array(REWARDS)[:, None] - baseline
    return gain * (np.eye(len(CHANCES)) - np.array(CHANCES))


def three_glances() -> Drawing:
    """Two planes; in each an arrow for each glance, and the one that they are on average."""
    return Drawing(
        "three_glances",
        "What three glances say about the scores, without a baseline and with one",
        "Two planes, to the right the change of the score of left, upwards that of middle. In "
        "each three arrows from the origin, one for each glance, as thick as its chance, and the "
        "short arrow of their mean, which points up and a little left. With b = 0 the arrow of "
        "middle points down, and those of left and right go far to both sides. With b = J, the "
        "expected reward, the arrow of middle points up, and the other two are short. The mean "
        "is the same in both.",
        190,
        [*_plane(0, 0.0, "$b$ = 0"), *_plane(1, expected(), "$b$ = $J$")],
    )


def expected() -> float:
    """J, the mean reward."""
    return float(np.dot(CHANCES, REWARDS))


def _plane(number: int, baseline: float, title: str) -> list[Part]:
    at = plane(_ORIGINS[number], _FLOOR, UNIT)
    rows = says(baseline)
    mean = np.array(CHANCES) @ rows
    parts: list[Part] = [
        Label(title, _ORIGINS[number], 20),
        Arrow([at((-1.6, 0)), at((1.64, 0))], "muted", 1.0),
        Arrow([at((0, -0.9)), at((0, 1.6))], "muted", 1.0),
        Label("left’s score", *_beside(at((1.64, 0)), (0, 16)), "muted", "end"),
        Label("middle’s", *_beside(at((0, 1.6)), (7, 8)), "muted", "start"),
    ]
    for name, chance, row in zip(NAMES, CHANCES, rows, strict=True):
        x, y = at(row)
        across, down, anchor = _BESIDE[number, name]
        parts += [
            Arrow([at((0, 0)), (x, y)], "weight", _THICK * chance),
            Label(name, x + across, y + down, "weight", anchor),
        ]
    parts.append(Arrow([at((0, 0)), at(mean)], "ink", 2.0))
    if not number:
        parts.append(Label("mean", *_beside(at(mean), (2, -7)), "ink", "end"))
    return parts


def _beside(point: Point, step: Point) -> Point:
    return point[0] + step[0], point[1] + step[1]
