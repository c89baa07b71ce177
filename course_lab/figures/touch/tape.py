"""The LSTMN's tapes: a place more at each step, and lines back to where the step looked."""

from collections.abc import Mapping, Sequence

from course_lab.figures.touch.core import Interactive, row, sheet, weighed


def growing_tape(maps: Mapping[str, Sequence[Sequence[float]]], start: str) -> Interactive:
    """Draws the tapes of a reader as they grow, word by word.

    Args:
        maps: by sentence, its words separated by blanks, the weights of each step over the places
            before it: row t has t numbers, and the first row, that of `start`, none.
        start: the word that stands before each sentence.
    """
    first, rows = next(iter(maps.items()))
    words = [start, *first.split()]
    lines = [
        row([word], weighed(each), "<td></td>" * (len(words) - 1 - len(each)))
        for word, each in zip(words[1:], rows[1:], strict=True)
    ]
    return Interactive(
        "tape",
        f"Tapes that grow by a place a step, {len(maps)} sentences",
        tables=[sheet("Where each step looks on the tapes (weights)", words[:-1], lines)],
        data={
            "sentences": [
                {"words": [start, *sentence.split()], "rows": [list(row) for row in each]}
                for sentence, each in maps.items()
            ]
        },
    )
