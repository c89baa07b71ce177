"""Two sentences, one above the other, with lines between the words that belong together."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from html import escape
from typing import NamedTuple

from IPython.display import HTML

LETTER, GAP, EDGE = 8.0, 15.0, 4.0
"""Pixels: room for a letter, between two words, and at the sides."""
TOP, BOTTOM = 18.0, 92.0
"""The base lines of the two sentences."""
FAINTEST = 0.05
"""Links of a smaller weight are not drawn."""
_STYLE = """\
.course-linked{max-width:100%;height:auto;background:var(--course-ground,#ffffff);\
font:13px system-ui,"Noto Sans","DejaVu Sans",sans-serif;text-anchor:middle}
.course-linked .source{fill:var(--course-source-word,#0e14a2)}
.course-linked .target{fill:var(--course-target-word,#a02602)}
.course-linked .gloss{fill:var(--course-muted,#555d63)}
.course-linked .link{stroke:var(--course-weight,#038bae)}
.course-linked .wrong{stroke:var(--course-frame,#b9393a)}
.course-linked .missed{stroke:var(--course-muted,#555d63);stroke-dasharray:5 4}
.course-linked .hollow{stroke:var(--course-ground,#ffffff)}"""

Link = tuple[int, int]


class Sentences(NamedTuple):
    """An English sentence, its German translation, and English glosses of German words."""

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
) -> HTML:
    """Draw the source above, the target below and a line for each link, as thick as its weight.

    Args:
        name: part of the drawing's id, different for each drawing of a page.
        title: what it shows, in a few words.
        sentences: the words, and a gloss for some of the target's.
        links: weight in 0..1 of (source position, target position).
        wrong: those of `links` that are drawn in the colour of what is wrong.
        possible: those of `links` that are possible and not sure: hollow.
        missed: links that are missing: dashed.
    """
    source, target, gloss = sentences
    drawn = {link: weight for link, weight in links.items() if weight >= FAINTEST}
    glosses = [gloss.get(word, "") for word in target]
    above, width_above = _row(source, [""] * len(source))
    below, width_below = _row(target, glosses)
    width = max(width_above, width_below)
    above = [x + (width - width_above) / 2 for x in above]
    below = [x + (width - width_below) / 2 for x in below]
    height = BOTTOM + (26 if any(glosses) else 8)

    def line(link: Link, kind: str, thickness: float) -> str:
        ends = f'x1="{above[link[0]]:g}" y1="{TOP + 6:g}" x2="{below[link[1]]:g}"'
        return f'<line class="{kind}" {ends} y2="{BOTTOM - 14:g}" stroke-width="{thickness:.1f}"/>'

    parts = [line(link, "missed", 1.4) for link in sorted(missed)]
    for link, weight in sorted(drawn.items(), key=lambda item: item[1]):
        thickness = 1 + 4 * weight
        parts.append(line(link, "wrong" if link in wrong else "link", thickness))
        if link in possible:
            parts.append(line(link, "hollow", thickness / 2))
    parts += _words(source, above, TOP, 'class="source"')
    parts += _words(target, below, BOTTOM, 'class="target" lang="de"')
    parts += _words(glosses, below, BOTTOM + 18, 'class="gloss"')
    marks = dict.fromkeys(possible, " (possible)") | dict.fromkeys(wrong, " (wrong)")
    description = _described(sentences, drawn, marks, missed)
    return HTML(
        f'<svg id="linked-{name}" class="course-linked" role="img" '
        f'viewBox="0 0 {width:g} {height:g}" width="{1.25 * width:g}" height="{1.25 * height:g}">\n'
        f"<title>{escape(title)}</title>\n<desc>{escape(description)}</desc>\n"
        f"<style>\n{_STYLE}\n</style>\n" + "\n".join(parts) + "\n</svg>"
    )


def _row(words: Sequence[str], glosses: Sequence[str]) -> tuple[list[float], float]:
    """The middle of each word of a row, and the width of the row."""
    middles, right = [], EDGE
    for word, gloss in zip(words, glosses, strict=True):
        width = LETTER * max(len(word), len(gloss))
        middles.append(right + width / 2)
        right += width + GAP
    return middles, right - GAP + EDGE


def _words(words: Sequence[str], middles: Sequence[float], y: float, kind: str) -> list[str]:
    return [
        f'<text {kind} x="{x:g}" y="{y:g}">{escape(word)}</text>'
        for word, x in zip(words, middles, strict=True)
        if word
    ]


def _described(
    sentences: Sentences,
    drawn: Mapping[Link, float],
    marks: Mapping[Link, str],
    missed: AbstractSet[Link],
) -> str:
    source, target, _ = sentences
    partners = {
        i: [f"“{source[j]}”" + marks.get((j, i), "") for j, k in sorted(drawn) if k == i]
        for i in range(len(target))
    }
    said = "; ".join(
        f"“{word}” with {', '.join(partners[i]) or 'no word'}" for i, word in enumerate(target)
    )
    gone = ", ".join(f"“{target[i]}” with “{source[j]}”" for j, i in sorted(missed))
    return f"Lines: {said}." + f" Missed: {gone}." * bool(missed)
