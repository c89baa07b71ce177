"""Chapter 10's Transformer, and what goes when it becomes a GPT (chapter 14)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Group, Label, Part

_WIDE, _HIGH, _APART = 136, 306, 62
_LEFT, _RIGHT = 88, 262
_LOWEST = 236
"""Middles of the two columns of boxes, and where the lowest sub-layer is."""


def what_goes() -> Drawing:
    """Two stacks; what is deleted is grey and crossed out."""
    cross, top = _LOWEST - _APART, _LOWEST - 2 * _APART
    edge = _RIGHT - _WIDE / 2
    parts: list[Part] = [
        Group("", 6, top + 28, 164, _LOWEST - top + 4),
        Group("", 180, top - 46, 164, _LOWEST - top + 78),
        Label("$N$ times", 336, top - 26, "muted", "end"),
        Label("encoder", 16, top + 14, "muted", "start"),
    ]
    parts += [
        Arrow([(_LEFT, _HIGH - 24), (_LEFT, _LOWEST + 14)], "muted"),
        Arrow([(_LEFT, _LOWEST - 14), (_LEFT, cross + 14)], "muted"),
        Arrow([(_LEFT + _WIDE / 2, cross), (edge, cross)], "muted"),
        Box("self-attention", _LEFT, _LOWEST, _WIDE, "muted"),
        Box("feed-forward", _LEFT, cross, _WIDE, "muted"),
        Arrow([(_RIGHT, _HIGH - 24), (_RIGHT, _LOWEST + 14)], "target"),
        Arrow([(_RIGHT, _LOWEST - 14), (_RIGHT, cross + 14)], "target"),
        Arrow([(_RIGHT, cross - 14), (_RIGHT, top + 14)], "target"),
        Arrow([(_RIGHT, top - 14), (_RIGHT, 30)], "target"),
        Box("masked attention", _RIGHT, _LOWEST, _WIDE, "weight"),
        Box("cross-attention", _RIGHT, cross, _WIDE, "muted"),
        Box("feed-forward", _RIGHT, top, _WIDE, "ink"),
        Label("source", _LEFT, _HIGH - 6, "muted"),
        Label("the text so far", _RIGHT, _HIGH - 6, "target"),
        Label("the next token", _RIGHT, 20, "target"),
    ]
    for x, y in ((_LEFT, _LOWEST), (_LEFT, cross), (_RIGHT, cross)):
        parts.append(
            Arrow([(x - _WIDE / 2, y + 15), (x + _WIDE / 2, y - 15)], "frame", 2.4, head=False)
        )
    return Drawing(
        "what_goes",
        "What is deleted from the Transformer to get a GPT",
        "Two columns. The left one is the encoder, with self-attention and feed-forward, both "
        "grey and crossed out. An arrow leads from it to the cross-attention of the right column, "
        "which is grey and crossed out too. What is left of the right column, the decoder, is "
        "masked attention and feed-forward, N times, from the text so far at the bottom to the "
        "next token at the top.",
        _HIGH,
        parts,
        width=352,
    )
