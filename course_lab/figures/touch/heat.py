"""A document heated on two levels, by the weights of sentences and words; covers change it."""

from collections.abc import Sequence
from typing import NamedTuple

from course_lab.figures.touch.core import Interactive, row, shared, sheet


class HeatedDocument(NamedTuple):
    """A document with what a classifier of two levels says of it, and of it with one thing covered.

    Attributes:
        title: names it in the menu.
        sentences: N sentences, each a list of words.
        sentence_weights: N numbers that sum to one.
        word_weights: for each sentence one number a word; they sum to one.
        answer: C probabilities, of the whole document.
        without_sentence: for each sentence the C probabilities without it.
        without_word: for each sentence, for each word, the C probabilities without it.
    """

    title: str
    sentences: Sequence[Sequence[str]]
    sentence_weights: Sequence[float]
    word_weights: Sequence[Sequence[float]]
    answer: Sequence[float]
    without_sentence: Sequence[Sequence[float]]
    without_word: Sequence[Sequence[Sequence[float]]]


def document_heat(
    documents: Sequence[HeatedDocument],
    classes: Sequence[str],
    *,
    question: str,
    chosen: int = 0,
) -> Interactive:
    """Draws documents to touch: a sentence opens on its words, and either can be covered.

        one = HeatedDocument("a", [["x"], ["y"]], [0.9, 0.1], [[1.0], [1.0]], [0.8, 0.2],
                             [[0.5, 0.5], [0.8, 0.2]], [[[0.5, 0.5]], [[0.8, 0.2]]])
        document_heat([one], ["yes", "no"], question="Is it so?")

    Args:
        documents: one or more, see `HeatedDocument`.
        classes: C names of the answers.
        question: what the classifier answers.
        chosen: the document that is shown first, on its heaviest sentence.
    """
    first = documents[chosen]
    best = max(range(len(classes)), key=lambda c: first.answer[c])
    top = max(range(len(first.sentences)), key=lambda i: first.sentence_weights[i])
    return Interactive(
        "heat",
        f"Documents heated on two levels, {len(documents)} to choose from",
        f"{question} “{classes[best]}”, with probability {first.answer[best]:.2f}. The heaviest "
        f"sentence, with weight {first.sentence_weights[top]:.2f}, is “"
        f"{' '.join(first.sentences[top])}”; without it the probability is "
        f"{first.without_sentence[top][best]:.2f}.",
        tables=[table for document in documents for table in _tables(document, classes)],
        data={
            "question": question,
            "classes": list(classes),
            "chosen": chosen,
            "documents": [
                {
                    "title": document.title,
                    "sentences": [list(words) for words in document.sentences],
                    "weights": _rounded(document.sentence_weights),
                    "words": [_rounded(row) for row in document.word_weights],
                    "answer": _rounded(document.answer),
                    "lines": [_rounded(row) for row in document.without_sentence],
                    "cuts": [[_rounded(p) for p in rows] for rows in document.without_word],
                }
                for document in documents
            ],
        },
        parts=["bars", "words"],
    )


def _rounded(numbers: Sequence[float]) -> list[float]:
    return [round(float(number), 3) for number in numbers]


def _tables(document: HeatedDocument, classes: Sequence[str]) -> list[str]:
    """One table of sentences, one of the words of the heaviest sentence."""
    best = max(range(len(classes)), key=lambda c: document.answer[c])
    lines = [
        (" ".join(words), weight, p[best])
        for words, weight, p in zip(
            document.sentences, document.sentence_weights, document.without_sentence, strict=True
        )
    ]
    top = max(range(len(lines)), key=lambda i: lines[i][1])
    inside = zip(
        document.sentences[top], document.word_weights[top], document.without_word[top], strict=True
    )
    told = f"probability of “{classes[best]}”: {document.answer[best]:.2f}"
    words = [(word, weight, p[best]) for word, weight, p in inside]
    return [
        sheet(
            f"{document.title}: {name}; {told}",
            ["weight", "without it"],
            [row([text], shared([weight]), f"<td>{left:.2f}</td>") for text, weight, left in rows],
        )
        for name, rows in (("sentences", lines), ("words of the heaviest sentence", words))
    ]
