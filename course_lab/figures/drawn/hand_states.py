"""The hand example of chapter 2 in the plane: where the decoder's state is, and what it says."""

import math
from collections.abc import Sequence
from itertools import pairwise

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Label, Part, Point, plane

VECTORS = {"dog": (1.0, -1.0), "cat": (-1.0, 1.0)}
"""What the encoder makes of a word."""
READ = ((0.0, 0.0), (-2.0, 0.0))
"""The embeddings of what the decoder reads: the start mark, then "Hund"."""
_at = plane(180.0, 152.0, 118.0)


def states(vector: Sequence[float]) -> list[tuple[float, ...]]:
    """The states from the vector on: s = tanh(s + E y), once for each word that is read."""
    found = [tuple(vector)]
    for embedded in READ:
        found.append(tuple(math.tanh(s + e) for s, e in zip(found[-1], embedded, strict=True)))
    return found


def hand_states() -> Drawing:
    """Two ways through three regions, from two vectors, with the same weights and words."""
    return Drawing(
        "hand_states",
        "The states of the hand example in the plane",
        "The plane of the state's two numbers in three regions: right and below the diagonal the "
        "most probable word is Hund, above and left of it Katze, and where both numbers are below "
        "zero it is the end mark. Ticks stand at -1, 0 and 1. Told dog, the state begins at "
        "c = (1, -1), goes a little inwards in the region of Hund as s 1, and after Hund is read "
        "lies at s 2 in the region of the end mark. Told cat, it begins at c = (-1, 1), is at s 1 "
        "in the region of Katze, and stays there at s 2.",
        312,
        [
            *_regions(),
            *_ticks(),
            *_way("dog", (10, 5), (-4, -10)),
            *_way("cat", (10, -8), (-8, 22)),
        ],
    )


def _regions() -> list[Part]:
    origin = _at((0.0, 0.0))
    return [
        Arrow([origin, _at((1.2, 1.2))], "muted", 1.2, dashed=True, head=False),
        Arrow([origin, _at((-1.3, 0.0))], "muted", 1.2, dashed=True, head=False),
        Arrow([origin, _at((0.0, -1.2))], "muted", 1.2, dashed=True, head=False),
        Label("Hund", *_at((1.1, 0.35)), "target"),
        Label("Katze", *_at((0.1, 0.95)), "target"),
        Label("</s>", *_at((-0.35, -1.1)), "target"),
    ]


def _ticks() -> list[Part]:
    """Where the numbers are -1, 0 and 1: the first below the plane, the second beside it."""
    parts: list[Part] = []
    for number in (-1, 0, 1):
        x, y = _at((float(number), float(number)))
        name = str(number).replace("-", "\N{MINUS SIGN}")
        parts += [
            Arrow([(x, 290), (x, 295)], "muted", 1.2, head=False),
            Label(name, x, 308, "muted"),
            Arrow([(22, y), (27, y)], "muted", 1.2, head=False),
            Label(name, 19, y + 4.5, "muted", "end"),
        ]
    return parts


def _way(name: str, beside: Point, last: Point) -> list[Part]:
    """From the vector to the two states; symbols stand so far beside their points."""
    places = [_at(state) for state in states(VECTORS[name])]
    texts = {
        f"$c$, {name}": ("context", beside),
        "$s_1$": ("state", beside),
        "$s_2$": ("state", last),
    }
    parts: list[Part] = [Arrow(list(way), "state", 1.8) for way in pairwise(places)]
    for (x, y), (text, (role, (dx, dy))) in zip(places, texts.items(), strict=True):
        parts += [Box("", x, y, 8, role, 8), Label(text, x + dx, y + dy, role, "start")]
    return parts
