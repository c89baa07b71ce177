"""Attention on two levels: words make sentences, sentences make a document (chapter 6c)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Cells, Label, Part, chain

_WORDS = (
    (("the", 34.0), ("king", 87.0), ("laughs", 140.0)),
    (("a", 220.0), ("dog", 273.0), ("waits", 326.0)),
)
_HEAVY = ((1.0, 4.5, 1.6), (1.0, 2.0, 3.2)), (4.0, 1.2)
"""How wide the arrows are, by word and by sentence."""
_WORD, _VECTOR, _SENTENCE, _DOCUMENT = 262.0, 176.0, 124.0, 46.0


def two_levels() -> Drawing:
    """The network of the chapter: an encoder and a query for words, the same for sentences."""
    return Drawing(
        "two_levels",
        "Attention on two levels",
        "Below, a word encoder reads each of two sentences on its own, the king laughs and a dog "
        "waits. The query u w gives their words weights, and the weighted sums are the vectors "
        "s 1 and s 2. Above, a sentence encoder reads s 1 and s 2. The query u s gives the "
        "sentences weights, and the weighted sum is the document's vector v, from which comes "
        "the probability of each answer.",
        306,
        [*_sentences(), *_document()],
    )


def _sentences() -> list[Part]:
    parts: list[Part] = []
    for number, (words, widths) in enumerate(zip(_WORDS, _HEAVY[0], strict=True), start=1):
        notes = [Cells(x, _WORD, "source") for _, x in words]
        middle = Cells(words[1][1], _VECTOR, "context")
        for note, width, (word, x) in zip(notes, widths, words, strict=True):
            end = middle.x + (x - middle.x) * 0.25
            parts += [
                Arrow([(x, _WORD - 7), (end, _VECTOR + 8)], "weight", width),
                Arrow([(x, 286), (x, _WORD + 8)], "source"),
                Label(word, x, 300, "source"),
                note,
            ]
        parts += [*chain(notes, "source"), middle]
        parts.append(Label(f"$s_{number}$", middle.x + 34, _VECTOR + 4, "context"))
    return [*parts, Label("$u_w$ asks", 180, 216, "query")]


def _document() -> list[Part]:
    middles = [words[1][1] for words in _WORDS]
    notes = [Cells(x, _SENTENCE, "source") for x in middles]
    v = Cells(180, _DOCUMENT, "context")
    parts: list[Part] = [*chain(notes, "source"), *notes, v]
    for x, width in zip(middles, _HEAVY[1], strict=True):
        end = v.x + (x - v.x) * 0.2
        parts += [
            Arrow([(x, _VECTOR - 7), (x, _SENTENCE + 8)], "context"),
            Arrow([(x, _SENTENCE - 7), (end, _DOCUMENT + 8)], "weight", width),
        ]
    return [
        *parts,
        Label("$u_s$ asks", 180, 100, "query"),
        Label("$v$", 214, _DOCUMENT + 4, "context"),
        Arrow([(180, _DOCUMENT - 7), (180, 22)], "target"),
        Label("the answer", 180, 15, "target"),
        Label("sentences", 2, _SENTENCE - 24, "muted", "start"),
        Label("words", 2, _WORD - 30, "muted", "start"),
    ]
