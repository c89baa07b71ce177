"""What one head reads between two words, and the three answers that are wanted (chapter 9)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Gate, Label, Part, Point, plane

_at = plane(180.0, 162.0, 52.0)
DOG, CAT = (2.0, 0.0), (0.0, 2.0)
FIRST, SECOND = (DOG[0] - CAT[0], DOG[1] - CAT[1]), (CAT[0] - DOG[0], CAT[1] - DOG[1])
"""*Dog sees cat*, who does it minus who it is done to, and *cat sees dog*."""
_LEFT, _RIGHT = 8.0, 352.0


def one_or_two() -> Drawing:
    """Two words, the segment between them, and three targets: the last of them is zero."""
    dog, cat = _at(DOG), _at(CAT)
    hunter, hunted = _at(FIRST), _at(SECOND)
    origin, half = _at((0.0, 0.0)), ((dog[0] + cat[0]) / 2, (dog[1] + cat[1]) / 2)
    parts: list[Part] = [
        Arrow([_at((-2.6, 0.0)), _at((2.9, 0.0))], "muted", 0.8, False, False),
        Arrow([_at((0.0, -2.6)), _at((0.0, 2.6))], "muted", 0.8, False, False),
        Arrow([dog, cat], "weight", 4.5, False, False),
        Gate("", *dog, "value", 6),
        Gate("", *cat, "value", 6),
        *(Gate("×", *target, "context", 9) for target in (hunter, hunted, origin)),
        Label(_named("dog", DOG), dog[0] + 6, dog[1] + 22, "value"),
        Label(_named("cat", CAT), cat[0] + 12, cat[1] - 2, "value", "start"),
        Label("what one", half[0] + 22, half[1] - 12, "weight", "start"),
        Label("head reads", half[0] + 22, half[1] + 4, "weight", "start"),
        Label(_named("“dog sees cat”", FIRST), _RIGHT, hunter[1] + 27, "context", "end"),
        Label(_named("“cat sees dog”", SECOND), _LEFT, hunted[1] - 17, "context", "start"),
        Label("“dog sees dog”", origin[0] - 14, origin[1] + 23, "context", "end"),
        Label("(0, 0)", origin[0] - 14, origin[1] + 40, "context", "end"),
    ]
    return Drawing(
        "one_or_two",
        "What one head reads, and the three answers that are wanted",
        "A plane with the word dog at (2, 0) and the word cat at (0, 2). One head reads a point on "
        "the segment between them. Crosses mark the three answers that are wanted: (2, -2) for "
        "dog sees cat, (-2, 2) for cat sees dog, and (0, 0) for dog sees dog.",
        326,
        parts,
    )


def _named(name: str, point: Point) -> str:
    return f"{name} ({point[0]:g}, {point[1]:g})".replace("-", "−")
