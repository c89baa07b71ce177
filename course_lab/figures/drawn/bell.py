"""One step of local attention: softmax weights under the bell of local-p (chapter 6a)."""

import math

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Label, Number, Part, Point

WORDS = ("dogs", "do", "not", "sleep", ".")
SCORES = (0.0, 1.0, 0.0, 2.0, 5.0)
PLACE, RADIUS = 1.0, 2
_LEFT, _STEP, _FLOOR, _TALL, _BAR = 64.0, 64.0, 176.0, 140.0, 20.0


def weights() -> tuple[list[float], list[float]]:
    """Softmax inside the window, and the same times the bell; zeros outside."""
    inside = [abs(j - PLACE) <= RADIUS for j in range(len(WORDS))]
    powers = [math.exp(e) * seen for e, seen in zip(SCORES, inside, strict=True)]
    soft = [power / sum(powers) for power in powers]
    return soft, [weight * height(j) for j, weight in enumerate(soft)]


def height(place: Number) -> float:
    """The bell of equation 10 at a place."""
    return math.exp(-2 * ((place - PLACE) / RADIUS) ** 2)


def bell() -> Drawing:
    """Five words on a line, a pair of bars for each, the window and the bell over them."""
    soft, final = weights()
    right = PLACE + RADIUS
    top = _at(PLACE, 1.0)
    curve = [_at(-0.75 + i / 20 * (right + 0.75), 0) for i in range(21)]
    curve = [(x, _FLOOR - _TALL * height((x - _LEFT) / _STEP)) for x, _ in curve]
    parts: list[Part] = [
        Arrow([_at(-0.75, 0), _at(4.5, 0)], "muted", 1.2, False, False),
        Arrow([_at(right + 0.4, 0), _at(right + 0.4, 0.9)], "muted", 1.2, True, False),
        *(
            part
            for j, word in enumerate(WORDS)
            for part in (*_pair(j, soft[j], final[j]), Label(word, _at(j, 0)[0], _FLOOR + 18))
        ),
        Arrow(curve, "state", 2.0, False, False),
        Label("bell", top[0] + 22, top[1] + 6, "state", "start"),
        Label("$p$", top[0], _FLOOR + 36, "state"),
        Label("outside", _at(4, 0)[0], _at(4, 0.5)[1], "muted"),
        Label("softmax", _at(3, 0)[0] - 10, _at(3, soft[3])[1] - 6, "muted"),
        Label("$α$", _at(3, 0)[0] + 12, _at(3, final[3])[1] - 6, "weight"),
    ]
    return Drawing(
        "bell",
        "One step of local-p: the bell over the softmax",
        "Five words on a line: dogs, do, not, sleep and a full stop, which is outside the window. "
        "Each of the first four has two bars: its softmax weight and alpha, the same after the "
        "bell. The bell is highest at p, which is at do. Sleep has the tallest softmax bar and "
        "stands where the bell is low, so its alpha is small; do keeps all of its weight.",
        220,
        parts,
    )


def _at(place: Number, share: Number) -> Point:
    return _LEFT + _STEP * place, _FLOOR - _TALL * share


def _pair(j: int, soft: float, final: float) -> list[Part]:
    x = _at(j, 0)[0]
    return [
        Box("", x + side * _BAR / 2, _FLOOR - _TALL * share / 2, _BAR, role, _TALL * share)
        for side, share, role in ((-1, soft, "muted"), (1, final, "weight"))
        if share > 0
    ]
