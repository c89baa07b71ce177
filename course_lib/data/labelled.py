"""Inference pairs as batches for a classifier."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.inference_pairs import LABELS, InferencePair
from course_lib.data.tokens.hashed import encode_hashed
from course_lib.data.tokens.tokenizer import START, Tokenizer


@dataclass(frozen=True)
class LabelledBatch:
    """B pairs and their labels.

    Attributes:
        inputs: premise (B, M), its mask (B, M), hypothesis (B, N), its mask; masks are True at
            real tokens.
        label: (B,) positions in `LABELS`.
        index: positions of the rows in the data.
    """

    inputs: tuple[Int[Tensor, "B M"], Bool[Tensor, "B M"], Int[Tensor, "B N"], Bool[Tensor, "B N"]]
    label: Int[Tensor, " B"]
    index: tuple[int, ...]

    def to(self, device: torch.device | str) -> "LabelledBatch":
        """Return the batch with its tensors on `device`."""
        inputs = tuple(tensor.to(device) for tensor in self.inputs)
        return LabelledBatch(inputs, self.label.to(device), self.index)

    def __getitem__(self, rows: slice) -> "LabelledBatch":
        """Return a batch of some of the rows, with the same padding."""
        inputs = tuple(tensor[rows] for tensor in self.inputs)
        return LabelledBatch(inputs, self.label[rows], self.index[rows])

    def __len__(self) -> int:
        return len(self.index)


class LabelledBatches(Batches):
    """Pairs as padded batches of similar lengths, epoch by epoch; a `BatchSource` for `fit`.

    Each sentence begins with START. A word without a counterpart in the other sentence can attend
    to it (Parikh et al. 2016, section 3: NULL). `seed` decides, with the epoch's number, the order.

    ValueError for a label that is not in `LABELS`. CourseError for an empty sentence.
    """

    def __init__(
        self,
        pairs: Iterable[InferencePair],
        tokenizer: Tokenizer,
        *,
        pairs_per_batch: int,
        seed: int = 0,
    ) -> None:
        pairs = list(pairs)
        encoded = [
            EncodedPair(
                [START, *encode_hashed(tokenizer, pair.premise)],
                encode_hashed(tokenizer, pair.hypothesis),
            )
            for pair in pairs
        ]
        super().__init__(encoded, pairs_per_batch=pairs_per_batch, seed=seed)
        self.labels = torch.tensor([LABELS.index(pair.label) for pair in pairs])

    def _collate(self, members: Sequence[int]) -> LabelledBatch:
        batch = super()._collate(members)
        # `Batch` puts START before its target; the premise has it already.
        inputs = (batch.source, batch.source_mask, batch.target_in, batch.target_mask)
        return LabelledBatch(inputs, self.labels[list(batch.index)], batch.index)
