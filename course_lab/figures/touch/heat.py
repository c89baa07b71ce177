"""A document heated on two levels, by the weights of sentences and words; covers change it."""

from collections.abc import Sequence
from typing import NamedTuple

from course_lab.figures.touch.core import Interactive, plain, rounded, row, shared, sheet


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

    Args:
        documents: one or more, see `HeatedDocument`.
        classes: C names of the answers.
        question: what the classifier answers.
        chosen: the document that is shown first, on its heaviest sentence.
    """
    return Interactive(
        "heat",
        f"Documents heated on two levels, {len(documents)} to choose from",
        tables=[table for document in documents for table in _tables(document, classes)],
        data={
            "question": question,
            "classes": list(classes),
            "chosen": chosen,
            "documents": [
                {
                    "title": document.title,
                    "sentences": [list(words) for words in document.sentences],
                    "weights": rounded(document.sentence_weights),
                    "words": list(map(rounded, document.word_weights)),
                    "answer": rounded(document.answer),
                    "lines": list(map(rounded, document.without_sentence)),
                    "cuts": [list(map(rounded, rows)) for rows in document.without_word],
                }
                for document in documents
            ],
        },
        parts=["bars", "words"],
    )


def _tables(document: HeatedDocument, classes: Sequence[str]) -> list[str]:
    """One table of sentences, one of the words of the heaviest sentence."""
    best = document.answer.index(max(document.answer))
    top = document.sentence_weights.index(max(document.sentence_weights))
    told = f"probability of “{classes[best]}”: {document.answer[best]:.2f}"

    def weights(name: str, texts, weights, left) -> str:
        rows = [
            row([text], shared([weight]), plain([f"{answer[best]:.2f}"]))
            for text, weight, answer in zip(texts, weights, left, strict=True)
        ]
        return sheet(f"{document.title}: {name}; {told}", ["weight", "without it"], rows)

    return [
        weights(
            "sentences",
            map(" ".join, document.sentences),
            document.sentence_weights,
            document.without_sentence,
        ),
        weights(
            "words of the heaviest sentence",
            document.sentences[top],
            document.word_weights[top],
            document.without_word[top],
        ),
    ]
