"""Two sentences, one above the other, and lines between the words that belong together (chapter 3).

Unlike the drawings of the shelf it is made of any pair of sentences: of what a cell has computed.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import WORD, Arrow, Number, Part, words_at
from course_lab.figures.text import width_of

GAP, EDGE, DEEP = 15.0, 4.0, 74.0
"""Between two words, at the sides, and from one sentence to the other."""
THINNEST, THICKEST = 1.0, 5.0
INSIDE = 0.5
"""How much of its width a hollow line is open."""
FAINTEST = 0.05
"""Lines of a smaller weight are left out."""

Link = tuple[int, int]


class Sentences(NamedTuple):
    """A sentence, its translation, and what stands below the words of the translation."""

    source: Sequence[str]
    target: Sequence[str]
    gloss: Mapping[str, str] = {}


def linked(
    name: str,
    title: str,
    sentences: Sentences,
    links: Mapping[Link, float],
    *,
    wrong: AbstractSet[Link] = frozenset(),
    possible: AbstractSet[Link] = frozenset(),
    missed: AbstractSet[Link] = frozenset(),
) -> Drawing:
    """Draws the source above, the target below and a line for each link, as thick as its weight.

    Args:
        name: of the drawing, one of its own for each drawing of a page.
        title: what it shows, in a few words.
        sentences: the words, and a gloss for some of the target's.
        links: weight in 0..1 of (source position, target position); what is below `FAINTEST` is
            not drawn.
        wrong: those of `links` that are drawn in the colour of what is wrong.
        possible: those of `links` that are possible and not sure: hollow, for a thin line is one
            of a small weight.
        missed: links that are missing, dashed.

    Raises:
        ValueError: a sentence without words, a link that points outside, a weight outside 0..1, or
            a wrong or possible link that is not drawn.
    """
    source, target, gloss = sentences
    _check(source, target, links, wrong | possible, missed)
    senses = [gloss.get(word, "") for word in target]
    above = _places(source, [""] * len(source))
    below = _places(target, senses)
    width = max(above[1], below[1])
    tops, bottoms = (_centred(places, width) for places in (above, below))
    top = 18.0
    bottom = top + DEEP

    def way(link: Link, role: str, wide: Number, dashed: bool = False) -> Arrow:
        j, i = link
        points = [(tops[j], top + 6), (bottoms[i], bottom - 14)]
        return Arrow(points, role, wide, dashed, head=False)

    drawn = {link: weight for link, weight in links.items() if weight >= FAINTEST}
    parts: list[Part] = [way(link, "muted", 1.4, True) for link in sorted(missed)]
    for link, weight in sorted(drawn.items(), key=lambda item: item[1]):
        wide = THINNEST + (THICKEST - THINNEST) * weight
        parts.append(way(link, "frame" if link in wrong else "weight", wide))
        if link in possible:
            parts.append(way(link, "ground", INSIDE * wide))
    parts += words_at(source, tops, top, "source") + words_at(target, bottoms, bottom, "target")
    parts += [label for label in words_at(senses, bottoms, bottom + 18, "muted") if label.text]
    marks = dict.fromkeys(possible, " (possible)") | dict.fromkeys(wrong, " (wrong)")
    told = _told(sentences, drawn, marks, missed)
    return Drawing(name, title, told, bottom + (26 if any(senses) else 8), parts, width)


def _check(
    source: Sequence[str],
    target: Sequence[str],
    links: Mapping[Link, float],
    marked: AbstractSet[Link],
    missed: AbstractSet[Link],
) -> None:
    if not source or not target:
        raise ValueError("wanted at least one word on both sides")
    for j, i in (*links, *missed):
        if not (0 <= j < len(source) and 0 <= i < len(target)):
            raise ValueError(
                f"link ({j}, {i}) points outside {len(source)} and {len(target)} words"
            )
    if not all(0 <= weight <= 1 for weight in links.values()):
        raise ValueError("weights of links must lie in 0..1")
    if odd := sorted(link for link in marked if links.get(link, 0) < FAINTEST):
        raise ValueError(f"wrong or possible links that are not drawn: {odd}")


def _places(words: Sequence[str], senses: Sequence[str]) -> tuple[list[float], float]:
    """The middle of each word in a row, and how wide the row is."""
    middles, right = [], EDGE
    for word, sense in zip(words, senses, strict=True):
        # A comma or full stop alone is a narrow mark, but a line has to find it.
        wide = max(width_of(word, WORD), width_of(sense, WORD), 8.0)
        middles.append(right + wide / 2)
        right += wide + GAP
    return middles, right - GAP + EDGE


def _centred(row: tuple[list[float], float], width: float) -> list[float]:
    return [x + (width - row[1]) / 2 for x in row[0]]


def _told(
    sentences: Sentences,
    drawn: Mapping[Link, float],
    marks: Mapping[Link, str],
    missed: AbstractSet[Link],
) -> str:
    source, target, _ = sentences
    of = {
        i: [f"“{source[j]}”" + marks.get((j, i), "") for j, k in sorted(drawn) if k == i]
        for i in range(len(target))
    }
    told = "; ".join(f"“{f}” with {', '.join(of[i]) or 'no word'}" for i, f in enumerate(target))
    gone = ", ".join(f"“{target[i]}” with “{source[j]}”" for j, i in sorted(missed))
    return f"Lines: {told}." + f" Missed: {gone}." * bool(missed)
