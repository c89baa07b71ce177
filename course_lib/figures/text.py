"""Tokens as a figure can print them: every glyph there, none of it taken for markup."""

from functools import cache

from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.textpath import TextPath

MISSING = "□"
LONGEST = 18
_BLANKS = {" ": "␣", "\n": "↵", "\r": "↵", "\t": "⇥"}


@cache
def _font() -> FontProperties:
    return FontProperties(family="DejaVu Sans")


@cache
def _drawable() -> frozenset[int]:
    return frozenset(get_font(findfont(_font())).get_charmap())


def printable(token: str) -> str:
    """A token as it is drawn: blanks made visible, missing glyphs a box, long ones shortened."""
    if not token:
        return "∅"
    shown = "".join(
        _BLANKS.get(c) or (c if ord(c) in _drawable() and c.isprintable() else MISSING)
        for c in token
    )
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 model", "2 models"."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def width_of(text: str, size: float) -> float:
    """Width of a printed text in points, `size` being the size of its font."""
    return _width_at_100(text) * size / 100


@cache
def _width_at_100(text: str) -> float:
    if not text:
        return 0.0
    # `$` would start a formula; a measured one must be as wide as the printed one.
    path = TextPath((0, 0), text.replace("$", r"\$"), size=100, prop=_font())
    return float(path.get_extents().width) if len(path.vertices) else 0.0
