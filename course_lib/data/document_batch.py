"""Documents as padded batches: words within sentences within documents.

There is padding at two levels: after the words of a short sentence and after the sentences of a
short document. One mask covers both: a sentence without a real word is padding.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from course_lib.data.document import Document
from course_lib.data.tokens.tokenizer import PAD, WordVocabulary
from course_lib.device import cpu_generator, mixed_seed


@dataclass(frozen=True)
class DocumentBatch:
    """Some documents, padded to the most sentences and the most words.

    Attributes:
        words: (B, N, S), token ids.
        mask: (B, N, S), True at real words, which come first in each sentence.
        label: (B,), the class of each document.
    """

    words: Int[Tensor, "B N S"]
    mask: Bool[Tensor, "B N S"]
    label: Int[Tensor, " B"]

    @property
    def inputs(self) -> tuple[Tensor, Tensor]:
        """The arguments of a classifier."""
        return self.words, self.mask

    def __len__(self) -> int:
        return len(self.label)

    def to(self, device: torch.device | str) -> "DocumentBatch":
        """The same batch on a device."""
        return DocumentBatch(*(t.to(device) for t in (self.words, self.mask, self.label)))

    def __getitem__(self, rows: slice) -> "DocumentBatch":
        """The batch of some of its documents, padded as before."""
        return DocumentBatch(self.words[rows], self.mask[rows], self.label[rows])


EncodedDocument = tuple[list[list[int]], int]
"""Token ids by sentence, and the label."""


def encode_documents(
    documents: Sequence[Document],
    vocabulary: WordVocabulary,
    *,
    most_sentences: int | None = None,
    most_words: int | None = None,
) -> list[EncodedDocument]:
    """Look up every word; words and sentences beyond the limits are left out.

    Args:
        documents: their sentences may be empty, for example after a word was removed.
        vocabulary: of the training documents; other words become UNKNOWN.
        most_sentences: the number of sentences kept, from the start of a document.
        most_words: the number of words kept, from the start of a sentence.
    """
    return [
        (
            [
                vocabulary.encode(words[:most_words]).ids if words else []
                for words in document.sentences[:most_sentences]
            ],
            document.label,
        )
        for document in documents
    ]


def collate_documents(encoded: Sequence[EncodedDocument]) -> DocumentBatch:
    """A padded batch of these documents, in their order.

    Raises:
        ValueError: no document.
    """
    if not encoded:
        raise ValueError("want at least one document; got none")
    sentences = max(len(lines) for lines, _ in encoded) or 1
    words = max((len(line) for lines, _ in encoded for line in lines), default=0) or 1
    ids = torch.full((len(encoded), sentences, words), PAD)
    mask = torch.zeros(ids.shape, dtype=torch.bool)
    for row, (lines, _) in enumerate(encoded):
        for column, line in enumerate(lines):
            ids[row, column, : len(line)] = torch.tensor(line, dtype=torch.long)
            mask[row, column, : len(line)] = True
    return DocumentBatch(ids, mask, torch.tensor([label for _, label in encoded]))


class DocumentBatches:
    """Batches of documents, in another order each epoch; a `BatchSource` for `fit`.

    Args:
        encoded: the documents.
        size: documents in each batch; the last of an epoch may be smaller.
        seed: decides, with the epoch's number, the order. Nothing else does.

    Raises:
        ValueError: no document, or a size below 1.
    """

    def __init__(self, encoded: Sequence[EncodedDocument], size: int, *, seed: int = 0) -> None:
        if not encoded or size < 1:
            raise ValueError(f"want documents, 1 or more in a batch; got {len(encoded)} and {size}")
        self._encoded, self._size, self._seed = encoded, size, seed

    def epoch(self, n: int, start: int = 0) -> Iterator[DocumentBatch]:
        """The batches of epoch `n`, from batch number `start` on."""
        generator = cpu_generator(mixed_seed(self._seed, n))
        order = torch.randperm(len(self._encoded), generator=generator).tolist()
        return self._cut(order, start)

    def len_epoch(self, n: int) -> int:
        """Number of batches, the same in every epoch."""
        return -(-len(self._encoded) // self._size)

    def sequential(self) -> Iterator[DocumentBatch]:
        """All documents once, in their order."""
        return self._cut(range(len(self._encoded)), 0)

    def _cut(self, order: Sequence[int], start: int) -> Iterator[DocumentBatch]:
        for first in range(start * self._size, len(order), self._size):
            yield collate_documents([self._encoded[i] for i in order[first : first + self._size]])
