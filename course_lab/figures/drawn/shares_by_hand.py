"""Two rounds of EM on two sentence pairs: how a German word is shared (chapter 3)."""

from fractions import Fraction

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Label, Part
from course_lab.figures.drawn.three_pairs import PAIRS

ROUNDS = (
    ((("1/2", "1/2"), ("1/2", "1/2")), (("1/2", "1/2"), ("1/2", "1/2"))),
    ((("5/8", "3/8"), ("1/3", "2/3")), (("2/3", "1/3"), ("1/2", "1/2"))),
)
"""For each round, pair and German word what each English word gets of it."""
_LEFTS, _APART, _TOPS, _DEEP = (36.0, 224.0), 100.0, (20.0, 146.0), 92.0
THINNEST, PER_SHARE = 0.8, 9.0
"""The scale of the figure to touch that goes on from here: 5/8 is to look thicker than 3/8."""
_LOW = 0.9
"""How far down its line a number stands: there the lines to one word lie apart."""


def shares_by_hand() -> Drawing:
    """Rounds below each other, pairs side by side, a number at each line."""
    lines: list[Part] = []
    words: list[Part] = []
    told = []
    for number, (top, shares) in enumerate(zip(_TOPS, ROUNDS, strict=True), start=1):
        words.append(Label(f"round {number}", 180, top + _DEEP / 2, "muted"))
        for left, (source, target), of_pair in zip(_LEFTS, PAIRS[:2], shares, strict=True):
            xs = left, left + _APART
            for i, (x, f) in enumerate(zip(xs, target, strict=True)):
                words += [Label(source[i], x, top, "source"), Label(f, x, top + _DEEP, "target")]
                for j, (u, share) in enumerate(zip(xs, of_pair[i], strict=True)):
                    wide = THINNEST + PER_SHARE * float(Fraction(share))
                    high, low = top + 6, top + _DEEP - 14
                    lines.append(Arrow([(u, high), (x, low)], "weight", wide, head=False))
                    # Left of the left English word's line, right of the right one's.
                    side, anchor = ((-1, "end"), (1, "start"))[j]
                    off = side * (8 if i == j else 13)
                    at = u + _LOW * (x - u) + off, high + _LOW * (low - high) + 4
                    words.append(Label(share, *at, "ink", anchor))
            told += [
                f"round {number}, “{f}”: {source[0]} {of_f[0]}, {source[1]} {of_f[1]}"
                for f, of_f in zip(target, of_pair, strict=True)
            ]
    return Drawing(
        "shares_by_hand",
        "How the German words of two pairs are shared, in round 1 and in round 2",
        f"English words above German words, each line as thick as a share. {'; '.join(told)}.",
        _TOPS[1] + _DEEP + 8,
        [*lines, *words],
    )
