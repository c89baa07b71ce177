"""What attention does with its weights: an average of all annotations, or one (chapter 6b)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Cells, Gate, Label, Number, Part

SHARES = (0.15, 0.6, 0.25)
"""The weights; on the right they are the chances of a glance."""
DRAWN = 2
"""The patch of the glance on the right; not the most probable one."""
_THICK, _STEP = 11.0, 48.0
_WEIGHTS, _NOTES, _MEET, _CONTEXT = 52.0, 90.0, 168.0, 206.0


def look_or_glance() -> Drawing:
    """The same annotations and weights twice: read as an average, and as one draw."""
    return Drawing(
        "look_or_glance",
        "Soft and hard attention read the same annotations",
        "Twice the annotations a 1, a 2 and a 3 of three patches, with the weights alpha 0.15, "
        "0.6 and 0.25. Left, soft: lines as thick as the weights lead from all three into a sum, "
        "the context c. Right, hard: one patch is drawn, here the third. A single line leads from "
        "a 3 to the context c; from the other two, dashed, nothing comes.",
        246,
        [*_side(98, soft=True), *_side(284, soft=False)],
    )


def _side(middle: Number, *, soft: bool) -> list[Part]:
    parts: list[Part] = [
        Label("soft: the average" if soft else "hard: one, drawn", middle, 20),
        Label("$α$", middle - _STEP - 22, _WEIGHTS, "weight", "end"),
    ]
    for j, share in enumerate(SHARES):
        x = middle + (j - 1) * _STEP
        read = soft or j == DRAWN
        way = [(x, _NOTES + 21), (middle, _MEET)]
        parts += [
            Arrow(
                way,
                "weight" if read else "muted",
                _THICK * share if soft else 3.0 if read else 1.2,
                not read,
                False,
            ),
            Label(f"{share:g}", x, _WEIGHTS, "weight"),
            Cells(x, _NOTES, "source", upright=True),
            Label(f"$a_{j + 1}$", x + 10, _NOTES + 5, "source", "start"),
        ]
    return [
        *parts,
        Arrow([(middle, _MEET), (middle, _CONTEXT - 7)], "context"),
        Gate("+" if soft else "", middle, _MEET, "context", 11 if soft else 4),
        Cells(middle, _CONTEXT, "context"),
        Label("$c$", middle, _CONTEXT + 28, "context"),
    ]
