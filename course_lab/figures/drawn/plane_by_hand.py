"""Chapter 7's words by hand, in the plane: a dog, an animal, and what the dog finds."""

import math

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Label, Part, Point, plane

_at = plane(66.0, 258.0, 104.0)
_BESIDE = 0.035
DOG, ANIMAL, BARKS = (2.0, 0.0), (1.0, 0.0), (0.0, 2.0)


def found() -> Point:
    """β of the dog: where it looks in "animal barks", by the dot product and the softmax."""
    scores = [sum(a * b for a, b in zip(DOG, word, strict=True)) for word in (ANIMAL, BARKS)]
    powers = [math.exp(score) for score in scores]
    weights = [power / sum(powers) for power in powers]
    x, y = (
        sum(w * v for w, v in zip(weights, values, strict=True))
        for values in zip(ANIMAL, BARKS, strict=True)
    )
    return x, y


def plane_by_hand() -> Drawing:
    """The two sentences' words as arrows, beta of the dog dashed, and what the dog has more."""
    x, y = found()
    up, over, low = _BESIDE, _BESIDE, -0.3
    parts: list[Part] = [
        Arrow([_at((-0.25, 0)), _at((2.5, 0))], "muted", 1),
        Arrow([_at((0, -0.4)), _at((0, 2.35))], "muted", 1),
        Arrow([_at((0, up)), _at((DOG[0], up))], "source", 2.4),
        Arrow([_at((0, -up)), _at((ANIMAL[0], -up))], "target", 2.4),
        Arrow([_at((over, 0)), _at((over, BARKS[1]))], "source", 2.4),
        Arrow([_at((-over, 0)), _at((-over, BARKS[1]))], "target", 2.4),
        Arrow([_at((0, 0)), _at((x, y))], "context", 2, True),
        Arrow([_at((x, y)), _at((x, low))], "muted", 1, True, False),
        Arrow([_at((DOG[0], up)), _at((DOG[0], low))], "muted", 1, True, False),
        Arrow([_at((x, low)), _at((DOG[0], low))], "ink"),
        _label("dog", (1.5, 0.13), "source"),
        _label("animal", (0.5, -0.19), "target"),
        _label("barks", (0.08, 1.86), "source", "start"),
        _label("barks", (-0.08, 1.86), "target", "end"),
        _label("$β_1$", (x + 0.03, y + 0.05), "context", "start"),
        _label(f"the dog has {DOG[0] - x:.3f} more", ((x + 2) / 2, -0.48), "ink"),
        _label("being a dog", (2.5, 0.13), "muted", "end"),
        _label("barking", (0.08, 2.28), "muted", "start"),
    ]
    return Drawing(
        "plane_by_hand",
        "Two sentences in the plane, and what the dog finds",
        "Across is being a dog, up is barking. The premise's dog goes to 2, 0 and its barks to "
        "0, 2. The hypothesis's animal goes to 1, 0, half as far as the dog, and its barks to 0, "
        f"2. A dashed arrow, beta 1, goes to {x:.3f}, {y:.3f}: what the dog finds, nearly the "
        f"animal. From there to the dog are {DOG[0] - x:.3f} along being a dog.",
        316,
        parts,
        width=350,
    )


def _label(text: str, point: Point, role: str, anchor: str = "middle") -> Label:
    return Label(text, *_at(point), role, anchor)
