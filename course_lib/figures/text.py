"""Tokens as a figure can print them: every glyph there, none of it taken for markup."""

from collections.abc import Mapping
from functools import cache

from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.textpath import TextPath

MISSING = "□"
LONGEST = 18
_BLANKS = {" ": "␣", "\n": "↵", "\r": "↵", "\t": "⇥"}
# They only say how the character before them looks (U+FE0F: as an emoji) and draw nothing.
_SILENT = frozenset(map(chr, [0x34F, *range(0xFE00, 0xFE10)]))
# In the font, but without a line: the empty Braille pattern and the mark for an object.
_EMPTY = frozenset({0x2800, 0xFFFC})


@cache
def _font() -> FontProperties:
    return FontProperties(family="DejaVu Sans")


@cache
def _drawable() -> frozenset[int]:
    return frozenset(get_font(findfont(_font())).get_charmap()) - _EMPTY


def require_words(**given: object) -> None:
    """Raises TypeError where one text was given for a list of words: its letters are no words."""
    for name, words in given.items():
        if isinstance(words, str):
            raise TypeError(f"want {name} as a list of words; got the text {words[:40]!r}")


def printable(token: str) -> str:
    """A token as it is drawn: blanks made visible, missing glyphs a box, long ones shortened."""
    if not token:
        return "∅"
    shown = _drawn(token, _BLANKS) or MISSING
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def phrase(text: str, size: float, room: float) -> str:
    """A name or a title as it is drawn: on one line, missing glyphs a box, cut where it must be.

    Args:
        text: as it was given.
        size: of the font, in points.
        room: in points; a longer text ends in "…".
    """
    shown = _drawn(" ".join(text.split()), {" ": " "})
    if width_of(shown, size) <= room:
        return shown
    # Each character has some width, so there is a longest part that fits.
    fits, too_long = 0, len(shown)
    while too_long - fits > 1:
        half = (fits + too_long) // 2
        if width_of(shown[:half] + "…", size) <= room:
            fits = half
        else:
            too_long = half
    return shown[:fits].rstrip() + "…"


def _drawn(text: str, blanks: Mapping[str, str]) -> str:
    return "".join(
        blanks.get(c) or (c if ord(c) in _drawable() and c.isprintable() else MISSING)
        for c in text
        if c not in _SILENT
    )


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 model", "2 models"."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def width_of(text: str, size: float) -> float:
    """Width of a printed text in points, `size` being the size of its font."""
    return _width_at_100(text) * size / 100


@cache
def _width_at_100(text: str) -> float:
    if not text.strip():
        return 0.0
    # `$` would start a formula; a measured one must be as wide as the printed one.
    path = TextPath((0, 0), text.replace("$", r"\$"), size=100, prop=_font())
    return float(path.get_extents().width) if len(path.vertices) else 0.0
