"""The learning rate of equation 3: a straight rise, then a fall with the root (chapter 10)."""

import math

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Label, Part, Point

_LEFT, _RIGHT, _FLOOR, _CEILING = 34, 344, 132, 30
_WARM, _LAST = 4000, 24000


def height(step: int) -> float:
    """A step's rate as a share of the highest one."""
    return min(step / _WARM, math.sqrt(_WARM / step))


def at(step: int) -> Point:
    """Where a step's rate is drawn; the highest is at the ceiling."""
    share = height(step)
    return (
        _LEFT + step / _LAST * (_RIGHT - _LEFT),
        _FLOOR - share * (_FLOOR - _CEILING),
    )


def warm_up() -> Drawing:
    """The curve over its axis, the end of the warm-up marked."""
    highest, _ = at(_WARM)
    later = [at(step) for step in range(_WARM, _LAST + 1, 500)]
    parts: list[Part] = [
        Arrow([(_LEFT, _FLOOR), (_RIGHT + 8, _FLOOR)], "muted", 1.2),
        Arrow([(_LEFT, _FLOOR), (_LEFT, 12)], "muted", 1.2),
        Arrow([(highest, _FLOOR), (highest, _CEILING)], "muted", 1.0, True, False),
        Arrow([(_LEFT, _FLOOR), at(_WARM)], "weight", 2.2, head=False),
        Arrow(later, "state", 2.2, head=False),
        Label("4,000", highest, _FLOOR + 18, "muted"),
        Label("24,000 updates", _RIGHT + 8, _FLOOR + 18, "muted", "end"),
        Label("rate", _LEFT + 8, 16, "muted", "start"),
        Label("warm-up", highest + 8, _FLOOR - 14, "weight", "start"),
        Label("falls with the root of the step", highest + 58, _CEILING + 24, "state", "start"),
    ]
    return Drawing(
        "warm_up",
        "The learning rate of equation 3 with a warm-up of 4,000 updates",
        "The rate over 24,000 updates. In the warm-up it rises in a straight line to its highest "
        "value at update 4,000; from there it falls with the root of the step, to half after "
        "16,000.",
        360,
        158,
        parts,
    )
