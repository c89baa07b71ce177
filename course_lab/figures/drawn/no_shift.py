"""What a decoder is fed, and what it should write: with the shift and without it (chapter 10)."""

from collections.abc import Sequence

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Label, Number, Part

WORDS = ("START", "die", "Frau", "liest", "END")
ASKED = 1
"""The place that is followed; `Frau` should be written there."""
_FIRST, _APART, _WIDE, _HIGH = 120, 67, 60, 126


def no_shift() -> Drawing:
    """Two panels, one above the other; arrows lead to one place from all that it may look at."""
    writes = WORDS[1:]
    return Drawing(
        "no_shift",
        "What a decoder is fed, and what it should write",
        "Two panels. In the upper one the decoder is fed START, die, Frau, liest and should write "
        "die, Frau, liest, END. At the second place, where Frau should be written, it may look at "
        "START and die. In the lower one it is fed die, Frau, liest, END, the words that it should "
        "write: at the second place it may look at die and at Frau itself, the answer.",
        2 * _HIGH,
        [*_panel("as it should be", WORDS[:-1], writes, 0), *_panel("no shift", writes, writes, 1)],
    )


def _panel(name: str, fed: Sequence[str], writes: Sequence[str], place: int) -> list[Part]:
    top = place * _HIGH
    parts: list[Part] = [
        Label(name, 6, top + 20, "muted", "start"),
        Label("to write", 6, top + 51, "muted", "start"),
        Label("fed", 6, top + 107, "muted", "start"),
    ]
    for i, (word, answer) in enumerate(zip(fed, writes, strict=True)):
        own = "target" if i == ASKED else "muted"
        parts.append(Box(answer, _x(i), top + 46, _WIDE, own))
        seen = "target" if i <= ASKED else "muted"
        parts.append(Box(word, _x(i), top + 102, _WIDE, seen))
        if i <= ASKED:
            told = "frame" if word == writes[ASKED] else "weight"
            # Side by side where they arrive, so that each can be seen.
            end = _x(ASKED) - 12 * (ASKED - i)
            parts.append(Arrow([(_x(i), top + 88), (end, top + 60)], told, 2.4))
    return parts


def _x(place: int) -> Number:
    return _FIRST + _APART * place
