"""Tokens as a figure can print them: every glyph there, none of it taken for markup."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import numpy as np
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
    """A token as it is drawn: blanks made visible, missing glyphs a box, long ones shortened.

    Hebrew and Arabic are put in the order in which they are seen, since matplotlib draws every
    text from left to right, and Arabic letters are joined.
    """
    if not token:
        return "∅"
    shown = _drawn(token, _BLANKS) or MISSING
    return _as_seen(shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…")


_FROM_THE_RIGHT = frozenset({"R", "AL"})


def _as_seen(text: str) -> str:
    if not any(unicodedata.bidirectional(c) in _FROM_THE_RIGHT for c in text):
        return text
    # A mark stays after its letter, and figures and Latin letters keep their order.
    letters = re.findall(
        r"[A-Za-z0-9]+(?:[.,:/-][A-Za-z0-9]+)*|.[\u0300-\u036f\u0591-\u05c7"
        r"\u0610-\u061a\u064b-\u065f\u0670]*",
        _joined(text),
        re.DOTALL,
    )
    return "".join(_MIRRORED.get(letter, letter) for letter in reversed(letters))


_MIRRORED = dict(zip("()[]{}«»<>", ")(][}{»«><", strict=True))


def _joined(text: str) -> str:
    """Arabic letters as they look beside their neighbours (Unicode's presentation forms)."""
    forms = _forms()
    letters = [i for i, c in enumerate(text) if unicodedata.category(c) != "Mn"]
    shown = list(text)
    for before, here, after in zip([None, *letters], letters, [*letters[1:], None], strict=False):
        joins = [
            left is not None
            and right is not None
            and (text[left], "<initial>") in forms
            and (text[right], "<final>") in forms
            for left, right in ((before, here), (here, after))
        ]
        form = {(True, True): "<medial>", (True, False): "<final>", (False, True): "<initial>"}
        glyph = forms.get((text[here], form.get(tuple(joins), "<isolated>")), text[here])
        shown[here] = glyph if ord(glyph) in _drawable() else text[here]
    return "".join(shown)


@cache
def _forms() -> dict[tuple[str, str], str]:
    """Each presentation form by its letter and its place in the word."""
    found = {}
    for code in (*range(0xFB50, 0xFC00), *range(0xFE80, 0xFEF5)):
        place, _, letter = unicodedata.decomposition(chr(code)).partition(" ")
        if letter and " " not in letter:
            found[chr(int(letter, 16)), place] = chr(code)
    return found


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


def number(weight: float) -> str:
    """A weight in two digits without the leading zero; nothing for what rounds to zero."""
    text = f"{weight:.2f}"
    return "" if text == "0.00" else "1" if text == "1.00" else text[1:]


def most_looked_at(
    asks: Sequence[str], asked: Sequence[str], weights: Iterable, *, told: bool = False
) -> list[str]:
    """For each word that asks the one that it looks at most, with the weight where that is told."""
    return [
        f"“{word}” at “{asked[int(row.argmax())]}”" + f" ({row.max():.2f})" * told
        if row.any()
        else f"“{word}” at nothing"
        for word, row in zip(asks, map(np.asarray, weights), strict=True)
    ]


def name_by_name(told: Mapping[str, Iterable[str]]) -> str:
    """What is said of each name: "a: 0.1 at 2, 0.3 at 4; b: none at 2."."""
    return "; ".join(f"{name}: {', '.join(said)}" for name, said in told.items()) + "."


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 model", "2 models"."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


BOLD = 1.16
"""How much wider bold text is than the upright text that `width_of` measures."""


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
