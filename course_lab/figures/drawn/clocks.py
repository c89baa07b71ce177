"""A place told by the hands of clocks: sinusoidal positions (chapter 8)."""

import math

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Gate, Label, Part, Point

PLACES, WIDTH = 6, 8
_LEFT, _TOP, _ACROSS, _DOWN, _RADIUS = 84.0, 56.0, 47.0, 42.0, 16.0


def hand(place: int, pair: int) -> Point:
    """The two numbers of a pair at a place: sine and cosine of t / 10000^(2i/d)."""
    angle = place / 10000 ** (2 * pair / WIDTH)
    return math.sin(angle), math.cos(angle)


def clocks() -> Drawing:
    """A column for each place, a row for each pair of numbers, and in each dial its hand."""
    parts: list[Part] = [Label("place $t$", 6, 26, "muted", "start")]
    for place in range(PLACES):
        parts.append(Label(f"{place}", _LEFT + _ACROSS * place, 26, "muted"))
    for pair in range(WIDTH // 2):
        y = _TOP + _DOWN * pair
        parts.append(Label(f"$i$ = {pair}", 6, y + 4, "ink", "start"))
        for place in range(PLACES):
            x = _LEFT + _ACROSS * place
            across, up = hand(place, pair)
            tip = (x + 0.9 * _RADIUS * across, y - 0.9 * _RADIUS * up)
            parts += [
                Gate("", x, y, "muted", _RADIUS),
                Arrow([(x, y), tip], "source", 2.2, False, False),
            ]
    return Drawing(
        "clocks",
        "Positions as hands of clocks",
        f"Places t from 0 to {PLACES - 1} in columns, and in {WIDTH // 2} rows, i from 0 on, the "
        "pairs of numbers of a position. Each pair is a dial with a hand, at place 0 straight "
        "up. In the first row the hand turns by a radian from place to place, in each further "
        "row by a tenth of that, so that in the last two rows it hardly moves.",
        350,
        200,
        parts,
    )
