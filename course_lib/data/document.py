"""A document: sentences in order, and the label of the whole."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """What a classifier of documents reads, and what it should say.

    Attributes:
        sentences: the words of each sentence.
        label: the number of its class, from 0.

    Raises:
        TypeError: a text where a list of words is wanted.
    """

    sentences: tuple[tuple[str, ...], ...]
    label: int

    def __post_init__(self) -> None:
        if isinstance(self.sentences, str) or any(isinstance(s, str) for s in self.sentences):
            raise TypeError(
                "want the words of each sentence, not its text; split it at its white space first"
            )

    def without_sentence(self, index: int) -> "Document":
        """The same document with one sentence cut out.

        Raises:
            IndexError: there is no such sentence.
        """
        self.sentences[index]
        return Document(self.sentences[:index] + self.sentences[index + 1 :], self.label)

    def without_word(self, sentence: int, index: int) -> "Document":
        """The same document with one word cut out of one sentence, which may be empty then.

        Raises:
            IndexError: there is no such word.
        """
        words = self.sentences[sentence]
        words[index]
        shorter = (*words[:index], *words[index + 1 :])
        rest = self.sentences[sentence + 1 :]
        return Document((*self.sentences[:sentence], shorter, *rest), self.label)
