"""Documents as padded batches: words within sentences within documents.

There is padding at two levels: after the words of a short sentence and after the sentences of a
short document. One mask covers both: a sentence without a real word is padding.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from course_lab.experiments.two_levels.documents import Document
from course_lib.data.tokens.tokenizer import PAD, WordVocabulary
from course_lib.device import cpu_generator, mixed_seed


@dataclass(frozen=True)
class DocumentBatch:
    """B documents, padded to N sentences of S words.

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
        """Return the arguments of a classifier."""
        return self.words, self.mask

    def __len__(self) -> int:
        return len(self.label)

    def to(self, device: torch.device | str) -> "DocumentBatch":
        """Return the batch with its tensors on `device`."""
        return DocumentBatch(*(t.to(device) for t in (self.words, self.mask, self.label)))


EncodedDocument = tuple[list[list[int]], int]
"""Token ids by sentence, and the label."""


def encode_documents(
    documents: Sequence[Document], vocabulary: WordVocabulary
) -> list[EncodedDocument]:
    """Look up every word of the documents; sentences may be empty."""
    return [
        ([vocabulary.encode(words).ids if words else [] for words in each.sentences], each.label)
        for each in documents
    ]


def collate_documents(encoded: Sequence[EncodedDocument]) -> DocumentBatch:
    """Pad these documents into one batch, in their order."""
    most_sentences = max(len(sentences) for sentences, _ in encoded) or 1
    most_words = max((len(words) for sentences, _ in encoded for words in sentences), default=1)
    ids = torch.full((len(encoded), most_sentences, most_words or 1), PAD)
    mask = torch.zeros(ids.shape, dtype=torch.bool)
    for row, (sentences, _) in enumerate(encoded):
        for column, words in enumerate(sentences):
            ids[row, column, : len(words)] = torch.tensor(words, dtype=torch.long)
            mask[row, column, : len(words)] = True
    return DocumentBatch(ids, mask, torch.tensor([label for _, label in encoded]))


class DocumentBatches:
    """Batches of `size` documents, in another order each epoch; a `BatchSource` for `fit`.

    `seed` decides, with the epoch's number, the order. The last batch may be smaller.
    """

    def __init__(self, encoded: Sequence[EncodedDocument], size: int, *, seed: int = 0) -> None:
        self._encoded, self._size, self._seed = encoded, size, seed

    def epoch(self, n: int, start: int = 0) -> Iterator[DocumentBatch]:
        """Return the batches of epoch `n`, from batch number `start` on."""
        generator = cpu_generator(mixed_seed(self._seed, n))
        order = torch.randperm(len(self._encoded), generator=generator).tolist()
        return self._cut(order, start)

    def len_epoch(self, n: int) -> int:
        """Return the number of batches, the same in every epoch."""
        return -(-len(self._encoded) // self._size)

    def sequential(self) -> Iterator[DocumentBatch]:
        """Return all documents once, in their order."""
        return self._cut(range(len(self._encoded)), 0)

    def _cut(self, order: Sequence[int], start: int) -> Iterator[DocumentBatch]:
        for first in range(start * self._size, len(order), self._size):
            yield collate_documents([self._encoded[i] for i in order[first : first + self._size]])
