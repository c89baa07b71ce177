"""Three values, what their averages reach, and a target that they do not (chapter 5)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Gate, Label, Part, plane

_at = plane(42.0, 176.0, 46.0)
VALUES = ((0.0, 0.0), (4.0, 0.0), (0.0, 3.0))
TARGET = (3.5, 3.0)
NEAREST = (2.24, 1.32)
"""Recomputed by a test: the average of the values that comes nearest to the target."""


def hull() -> Drawing:
    """The triangle of three values, a target outside it, and the average that comes nearest."""
    corners = [_at(v) for v in VALUES]
    target, nearest = _at(TARGET), _at(NEAREST)
    parts: list[Part] = [
        *(
            Arrow([corners[i], corners[(i + 1) % 3]], "value", 1.2, True, False)
            for i in range(len(corners))
        ),
        Arrow([corners[1], nearest], "weight", 4.5, False, False),
        Arrow([corners[2], nearest], "weight", 3.6, False, False),
        Arrow([nearest, target], "ink", 1.6, True),
        *(Gate("", x, y, "value", 5) for x, y in corners),
        Gate("", *nearest, "context", 6),
        Gate("×", *target, "ink", 8),
        Label("$v_1$", corners[0][0] - 12, corners[0][1] + 20, "value"),
        Label("$v_2$", corners[1][0] + 4, corners[1][1] + 22, "value"),
        Label("$v_3$", corners[2][0] - 16, corners[2][1] - 8, "value"),
        Label("$c$", nearest[0] - 4, nearest[1] - 13, "context"),
        Label("target", target[0], target[1] - 14, "ink"),
        Label("all averages", 62, 152, "muted", "start"),
    ]
    return Drawing(
        "hull",
        "The averages of three values fill a triangle, and a target lies outside it",
        "Three values v 1, v 2 and v 3 are the corners of a triangle. Every average of them lies "
        "within. The target lies outside, beyond the side between v 2 and v 3. The nearest "
        "context c lies on that side, with weight on v 2 and v 3 and none on v 1; an arrow shows "
        "what is missing.",
        204,
        parts,
        width=300,
    )
