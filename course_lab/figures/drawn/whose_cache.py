"""Two beams change places; do their caches go along? (chapter 11)"""

from course_lab.figures.drawn.all_ways import WORDS, best
from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Label, Number, Part
from course_lab.figures.drawn.two_words import AFTER

_HIGH, _ROW = 126, 38
_BEGUN, _OLD, _NEW, _WRITTEN = 60, 124, 220, 302
"""Where the columns stand: the beginnings, their caches, the new caches, what is written now."""


def whose_cache() -> Drawing:
    """Two panels: the caches of the parents, and those that were there before."""
    return Drawing(
        "whose_cache",
        "Two beams change places, with their caches and without",
        "Two panels. On the left of each are the beams der, the, and ein, a, each beside its "
        "cache. On the right the better beam is ein Hund, a dog, the other der Hund, the dog. In "
        "the upper panel the caches cross over with their beams: ein Hund has the cache of ein. "
        "In the lower one the caches stay where they were: ein Hund stands beside the cache of "
        "der, and der Hund beside that of ein.",
        2 * _HIGH,
        [*_panel("cache by parent", True, 0), *_panel("cache left as it was", False, _HIGH)],
    )


def _panel(name: str, follows: bool, top: Number) -> list[Part]:
    beams = list(AFTER)
    parts: list[Part] = [
        Label(name, 6, top + 20, "ink", "start"),
        Label("cache", _OLD, top + 42, "key"),
        Label("cache", _NEW, top + 42, "key"),
        Label("before", _BEGUN, top + 42, "muted"),
        Label("after", _WRITTEN, top + 42, "muted"),
    ]
    for row, beam in enumerate(beams):
        y = top + 62 + _ROW * row
        parts += [Box(beam, _BEGUN, y, 52, "target"), Box(beam, _OLD, y, 52, "key")]
    for row, place in enumerate(best()):
        parent, word = divmod(place, len(WORDS))
        kept = parent if follows else row
        y, old = (top + 62 + _ROW * each for each in (row, kept))
        role = "key" if kept == parent else "frame"
        parts += [
            Arrow([(_OLD + 28, old), (_NEW - 28, y)], role, 2),
            Box(beams[kept], _NEW, y, 52, role),
            Box(f"{beams[parent]} {WORDS[word]}", _WRITTEN, y, 88, "target"),
        ]
    return parts
