"""The same three words in two orders end at two places of the plane (chapter 1)."""

import math
from collections.abc import Sequence
from itertools import pairwise

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Label, Part, Point, plane

WORDS: dict[str, Point] = {"dog": (1.0, 0.0), "sees": (0.0, 1.0), "cat": (-1.0, 0.0)}
TURN = 0.5
"""W_hh is (0.5, -0.5) above (0.5, 0.5)."""
UNIT = 140.0
_LEFT, _FLOOR = 180.0, 170.0
_at = plane(_LEFT, _FLOOR, UNIT)


def read(words: Sequence[str]) -> list[Point]:
    """The states after each word, from the origin on."""
    states: list[Point] = [(0.0, 0.0)]
    for word in words:
        (x, y), (a, b) = WORDS[word], states[-1]
        states.append((math.tanh(x + TURN * (a - b)), math.tanh(y + TURN * (a + b))))
    return states


def readings_in_plane() -> Drawing:
    """Two paths of a state from the origin, one for each order of the words."""
    one, other = read(["dog", "sees", "cat"]), read(["cat", "sees", "dog"])
    told = [", ".join(f"{number:.3f}" for number in path[-1]) for path in (one, other)]
    parts: list[Part] = [
        Arrow([(24, _FLOOR), (344, _FLOOR)], "muted", 1.0),
        Arrow([(_LEFT, _FLOOR + 10), (_LEFT, 14)], "muted", 1.0),
        *_ticks(),
        *_path(one, "state", dashed=False),
        *_path(other, "state", dashed=True),
        Label("dog", _at(one[1])[0] + 8, _FLOOR - 6, "state", "start"),
        Label("sees", _at(one[2])[0] + 8, _at(one[2])[1], "state", "start"),
        Label("dog sees cat", _at(one[3])[0], _at(one[3])[1] + 20, "state"),
        Label("cat", _at(other[1])[0], _FLOOR + 17, "state"),
        Label("sees", _at(other[2])[0] + 10, _at(other[2])[1] - 3, "state", "start"),
        Label("cat sees dog", _at(other[3])[0], _FLOOR + 17, "state"),
    ]
    return Drawing(
        "readings_in_plane",
        "Two orders of three words in the plane",
        "The first component of a state is across, the second is up, with ticks at 1 and -1. A "
        "state begins at the origin. It reads dog, sees, cat and goes right, up, and to the "
        f"left, to {told[0]}. It reads cat, sees, dog, dashed, and goes left, up, and to the "
        f"right, to {told[1]}.",
        212,
        parts,
    )


def _ticks() -> list[Part]:
    """Numbers by which the table's states can be found, and what the axes are."""
    parts: list[Part] = []
    for at in (-1, 1):
        x, _ = _at((at, 0.0))
        parts += [
            Arrow([(x, _FLOOR - 4), (x, _FLOOR + 4)], "muted", 1.0, head=False),
            Label(f"{at}".replace("-", "−"), x, _FLOOR + 17, "muted"),
        ]
    _, y = _at((0.0, 1.0))
    return [
        *parts,
        Arrow([(_LEFT - 4, y), (_LEFT + 4, y)], "muted", 1.0, head=False),
        Label("1", _LEFT - 8, y + 5, "muted", "end"),
        Label("first component", 344, _FLOOR + 36, "muted", "end"),
        Label("second component", _LEFT + 8, 18, "muted", "start"),
    ]


def _path(states: Sequence[Point], role: str, *, dashed: bool) -> list[Arrow]:
    places = [_at(state) for state in states]
    return [Arrow([start, end], role, 2.0, dashed) for start, end in pairwise(places)]
