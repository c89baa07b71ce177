"""Teacher forcing beside writing: which word the decoder reads next (chapter 2)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Cells, Label, Part, chain, words_at
from course_lab.figures.text import width_of

_COLUMNS = (76.0, 156.0, 236.0, 316.0)
TRUE = ("der", "Hund", "schläft", ".")
_START = "<s>"
_CHOSEN = ("das", "Hund", "schläft", ".")
"""What the decoder chooses when it reads the true words: one error, at the first step."""
_WRITTEN = ("das", "Kind", "schläft", ".")
"""What it writes when it reads its own: the error has a consequence."""


def two_readings() -> Drawing:
    """The same decoder twice; they differ in where the next word comes from."""
    return Drawing(
        "two_readings",
        "Teacher forcing beside writing",
        "A decoder of four steps, drawn twice. Training: it reads the start mark, then the true "
        "words der, Hund, schläft, whatever it has chosen; its choices are das, which is wrong, "
        "Hund, schläft and full stop. An arrow leads from each true word to the next step's "
        "reading. Writing: an arrow leads from each word that it wrote to the next step's reading. "
        "It reads the start mark, das, Kind, schläft and writes das, Kind, schläft and full stop: "
        "das and Kind are wrong. Wrong words are framed.",
        322,
        [
            *_panel("Training: the true word is read next", 0.0, _CHOSEN, true=True),
            *_panel("Writing: its own word is read next", 176.0, _WRITTEN, true=False),
        ],
    )


def _panel(title: str, top: float, chosen: tuple[str, ...], *, true: bool) -> list[Part]:
    over, writes = top + 42, top + (68 if true else 46)
    state, reads = writes + 34, writes + 82
    given = TRUE if true else chosen
    states = [Cells(x, state, "state") for x in _COLUMNS]
    parts: list[Part] = [
        Label(title, 2, top + 16, "ink", "start"),
        Label("picks" if true else "writes", 2, writes, "muted", "start"),
        Label("reads", 2, reads, "muted", "start"),
        *chain(states, "state"),
        *states,
    ]
    if true:
        parts.append(Label("true", 2, over, "muted", "start"))
        parts += words_at(TRUE, _COLUMNS, over, "target")
    before = (_START, *given[:-1])
    for x, word, right, last in zip(_COLUMNS, chosen, TRUE, before, strict=True):
        wrong = last not in (_START, *TRUE)
        parts += [
            _word(word, x, writes, wrong=word != right),
            Arrow([(x, state - 7), (x, writes + 7)], "target"),
            Arrow([(x, reads - 15), (x, state + 7)], "target"),
            _word(last, x, reads, wrong=wrong),
        ]
    start = over if true else writes
    for k, word in enumerate(given[:-1]):
        x, following, beside = _COLUMNS[k], _COLUMNS[k + 1], 40
        way = [
            (x + _half(word), start - 4),
            (x + beside, start - 4),
            (x + beside, reads - 4),
            (following - _half(word), reads - 4),
        ]
        parts.append(Arrow(way, "target" if word == TRUE[k] else "frame", 1.2))
    return parts


def _word(word: str, x: float, y: float, *, wrong: bool) -> Part:
    """A word on its base line; a wrong one in a frame."""
    if wrong:
        return Box(word, x, y - 4.5, 2 * _half(word), "frame", 20)
    return Label(word, x, y, "target")


def _half(word: str) -> float:
    """From the middle of a word to where an arrow may touch it."""
    return width_of(word, 13.0) / 2 + 5
