"""One step of a beam search by hand: all ways as one row, the best two of it (chapter 11)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Label, Part
from course_lab.figures.drawn.two_words import AFTER

BEAMS = 2
WORDS = tuple(AFTER["der"][1])
_LEFT, _APART, _TOP, _ROW = 162, 72, 46, 36
_FLAT, _NARROW = 150, 58


def ways() -> list[float]:
    """The probability of every way to go on, beam by beam."""
    return [p * after.get(word, 0.0) for p, after in AFTER.values() for word in WORDS]


def best() -> list[int]:
    """The places of the best ways in that row, the best first."""
    found = ways()
    return sorted(range(len(found)), key=lambda place: -found[place])[:BEAMS]


def all_ways() -> Drawing:
    """A table with a row for each beam, the same numbers in one row, and where the best were."""
    chosen, size = best(), len(WORDS)
    parts: list[Part] = [
        Label(word, _LEFT + _APART * j, 18, "target") for j, word in enumerate(WORDS)
    ]
    for i, (beam, (p, _)) in enumerate(AFTER.items()):
        y = _TOP + _ROW * i
        parts.append(Label(f"beam {i}: {beam}, {p:g}", 6, y + 5, "ink", "start"))
    for place, share in enumerate(ways()):
        i, j = divmod(place, size)
        role = "weight" if place in chosen else "muted"
        flat = 35 + _NARROW * place
        parts += [
            Box(f"{share:.2f}", _LEFT + _APART * j, _TOP + _ROW * i, 62, role),
            Box(f"{share:.2f}", flat, _FLAT, 50, role),
            Label(f"{place}", flat, _FLAT + 30, role),
        ]
    parts.append(Arrow([(180, _TOP + 2 * _ROW - 16), (180, _FLAT - 18)], "muted"))
    for row, place in enumerate(chosen):
        i, j = divmod(place, size)
        parts.append(
            Label(
                f"{place} = {size} × {i} + {j}:  beam {i} goes on with {WORDS[j]}",
                35,
                _FLAT + 60 + 20 * row,
                "weight",
                "start",
            )
        )
    return Drawing(
        "all_ways",
        "All ways to continue two beams, and the best two of them",
        "A table with a row for each beam, der, the, with 0.6 and ein, a, with 0.4, and a column "
        "for each next word, Hund, dog, Mann, man, and König, king. Its products, 0.24, 0.21, 0.15 "
        "and 0.36, 0.04, 0.00, stand once more in one row, at the places 0 to 5. The best two are "
        "at place 3, which is 3 times 1 plus 0, so that beam 1 goes on with Hund, and at place 0, "
        "where beam 0 goes on with Hund.",
        _FLAT + 88,
        parts,
    )
