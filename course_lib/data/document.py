"""A document: sentences in order, and the label of the whole."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """The input of a classifier of documents, and the class it should predict.

    Attributes:
        sentences: the words of each sentence.
        label: the number of the document's class, from 0.
    """

    sentences: tuple[tuple[str, ...], ...]
    label: int

    def without_sentence(self, index: int) -> "Document":
        """Return the document without one sentence."""
        sentences = list(self.sentences)
        del sentences[index]
        return Document(tuple(sentences), self.label)

    def without_word(self, sentence: int, index: int) -> "Document":
        """Return the document without one word; the word's sentence may be empty then."""
        sentences, words = list(self.sentences), list(self.sentences[sentence])
        del words[index]
        sentences[sentence] = tuple(words)
        return Document(tuple(sentences), self.label)
