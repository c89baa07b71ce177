"""A layer of the Transformer's encoder and one of its decoder, side by side (chapter 10)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Gate, Group, Label, Part

_HIGH, _WIDE, _NORM = 330, 124, 54
_LOWEST, _APART, _BELOW = 240, 80, 32
"""Where the lowest sub-layer stands, how far the next is, and how far below each its norm."""
_SIDES = {"source": (25, 108), "target": (335, 245)}
"""Of each column where its straight way up is, and the middle of its boxes."""


def transformer_layers() -> Drawing:
    """Two and three sub-layers: norm, sub-layer, sum; the memory goes across."""
    parts: list[Part] = [
        Group("", 5, 126, 168, 174),
        Label("$N$ times", 166, 142, "muted", "end"),
        Group("", 179, 46, 176, 254),
        Label("$N$ times", 190, 62, "muted", "start"),
    ]
    for side, names in (
        ("source", ("self-attention", "feed-forward")),
        ("target", ("masked attention", "cross-attention", "feed-forward")),
    ):
        parts += _column(side, names)
    left, top = _SIDES["source"][0], _LOWEST - _APART - 48
    cross, edge = _LOWEST - _APART, _SIDES["target"][1] - _WIDE / 2
    norm = left + 16 + _NORM / 2
    parts += [
        Arrow([(left, top), (norm - _NORM / 2, top)], "source"),
        Box("norm", norm, top, _NORM, "muted", 22),
        Arrow(
            [(norm + _NORM / 2, top), (edge - 7, top), (edge - 7, cross), (edge, cross)], "source"
        ),
        Label("norm, then words", 322, 22, "target", "end"),
        Label("memory", (norm + _NORM / 2 + edge) / 2, top - 8, "source"),
        Label("English", 6, _HIGH - 6, "source", "start"),
        Label("German so far", 354, _HIGH - 6, "target", "end"),
    ]
    return Drawing(
        "transformer_layers",
        "A layer of the encoder and a layer of the decoder",
        "Left, from below, the English vectors pass two sub-layers, self-attention and "
        "feed-forward. Right, the German vectors so far pass three: masked attention, "
        "cross-attention and feed-forward. Each sub-layer reads the straight way up through a "
        "norm, and a plus adds what it finds to that way. Each layer stands there N times. What "
        "the last layer of the encoder leaves, normed once more, is the memory: it goes across "
        "and into the cross-attention of every layer of the decoder. What the last of these "
        "leaves goes through a norm, too, and scores the words.",
        _HIGH,
        parts,
    )


def _column(side: str, names: tuple[str, ...]) -> list[Part]:
    way, middle = _SIDES[side]
    towards = 1 if middle > way else -1
    tops = [_LOWEST - n * _APART for n in range(len(names))]
    parts: list[Part] = []
    below = _HIGH - 22
    for name, y in zip(names, tops, strict=True):
        role = "weight" if "attention" in name else "ink"
        norm, near = y + _BELOW, middle - towards * _WIDE / 2
        parts += [
            Arrow([(way, below), (way, y + 11)], side),
            Arrow([(way, norm), (middle - towards * _NORM / 2, norm)], side),
            Arrow([(middle, norm - 11), (middle, y + 14)]),
            Arrow([(near, y), (way + towards * 11, y)], role),
            Box("norm", middle, norm, _NORM, "muted", 22),
            Box(name, middle, y, _WIDE, role),
            Gate("+", way, y, side),
        ]
        below = y - 11
    end = below - 37 if side == "source" else 12
    return [*parts, Arrow([(way, below), (way, end)], side, head=side == "target")]
