"""Steps between reading a word and writing its translation, forwards and backwards (chapter 2)."""

import math

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Label, Part, Point

WORDS = 5
_FIRST, _GAP = 36.0, 32.0
_FLOORS = {"forwards": 92.0, "backwards": 216.0}


def orders() -> dict[str, list[int]]:
    """The step, from 1 on, at which each word of the source is read."""
    return {
        "forwards": list(range(1, WORDS + 1)),
        "backwards": list(range(WORDS, 0, -1)),
    }


def lags() -> Drawing:
    """An arch from where a word is read to where its translation is written, for both orders."""
    parts: list[Part] = []
    for name, read_at in orders().items():
        parts += _row(name, read_at, _FLOORS[name])
    return Drawing(
        "lags",
        "Lags of five words, read forwards and backwards",
        "Ten steps, twice: five in which the words x 1 to x 5 are read, five in which their "
        "translations y 1 to y 5 are written, and an arch from each x to its y. Forwards every "
        "arch spans five steps. Backwards x 5 is read first and x 1 last, and the arches lie one "
        "in the other: they span one step for the first word, then three, five, seven and nine.",
        248,
        parts,
    )


def _row(name: str, read_at: list[int], floor: float) -> list[Part]:
    parts: list[Part] = [Label(name, 4, floor - 78, "ink", "start")]
    for j, step in enumerate(read_at, start=1):
        lag = WORDS + j - step
        parts += [
            Arrow(_arch(step, WORDS + j, floor), "weight", 2.6 if lag == 1 else 1.4, head=False),
            Label(f"{lag}", *_beside(step, WORDS + j, floor), "ink"),
            Label(f"$x_{j}$", _at(step), floor + 16, "source"),
            Label(f"$y_{j}$", _at(WORDS + j), floor + 16, "target"),
        ]
    return parts


def _at(step: int) -> float:
    return _FIRST + (step - 1) * _GAP


def _height(start: int, end: int) -> float:
    """Of an arch; a longer one is higher."""
    return 8.0 * (end - start) + 6


def _beside(start: int, end: int, floor: float) -> Point:
    """Right above an arch's highest point, where its number stands."""
    return (_at(start) + _at(end)) / 2, floor - _height(start, end) - 3


def _arch(start: int, end: int, floor: float) -> list[Point]:
    """Half an ellipse."""
    left, right = _at(start), _at(end)
    middle, half, high = (left + right) / 2, (right - left) / 2, _height(start, end)
    turns = [math.pi * k / 24 for k in range(25)]
    return [(middle - half * math.cos(t), floor - high * math.sin(t)) for t in turns]
