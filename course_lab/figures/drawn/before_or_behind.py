"""Where the norm stands: aside, before each sub-layer, or on the straight way up (chapter 10)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Gate, Label, Number, Part

_HIGH, _WIDE, _NORM, _APART = 284, 96, 54, 85
_TOPS = (("attention", "weight", 216), ("feed-forward", "ink", 106))
"""The two sub-layers of a layer, their colours, and where they stand, from below."""


def before_or_behind() -> Drawing:
    """Two columns of two sub-layers, which differ in where the two norms are."""
    return Drawing(
        "before_or_behind",
        "Pre-norm and post-norm",
        "Two columns with two sub-layers each, from below attention and feed-forward. Left, "
        "pre-norm: a straight line leads all the way up, with a plus for each sub-layer and "
        "nothing else on it; each sub-layer reads from it through a norm that stands aside. "
        "Right, post-norm: each sub-layer reads the line itself, and behind each plus a norm "
        "stands on the line, so that nothing passes without it.",
        _HIGH,
        [*_column("pre-norm", 30), *_column("post-norm", 218)],
    )


def _column(name: str, way: Number) -> list[Part]:
    """One layer; its straight way up stands at `way`, the sub-layers to the right of it."""
    aside, middle = name == "pre-norm", way + _APART
    parts: list[Part] = [Label(name, middle, 16)]
    below = _HIGH - 6
    for sublayer, role, y in _TOPS:
        branch = y + 42
        parts += [
            Arrow([(way, below), (way, y + 11)], "source"),
            Box(sublayer, middle, y, _WIDE, role),
            Arrow([(middle - _WIDE / 2, y), (way + 11, y)], role),
            Gate("+", way, y, "source"),
        ]
        if aside:
            parts += [
                Arrow([(way, branch), (middle - _NORM / 2, branch)], "source"),
                Box("norm", middle, branch, _NORM, "muted", 22),
                Arrow([(middle, branch - 11), (middle, y + 14)]),
            ]
            below = y - 11
        else:
            parts += [
                Arrow([(way, branch), (middle, branch), (middle, y + 14)], "source"),
                Arrow([(way, y - 11), (way, y - 27)], "source"),
                Box("norm", way, y - 38, _NORM, "muted", 22),
            ]
            below = y - 49
    return [*parts, Arrow([(way, below), (way, 28)], "source")]
