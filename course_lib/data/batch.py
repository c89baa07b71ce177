"""Padded batches of similar length, in an order that only the seed and the epoch decide."""

import logging
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from course_lib.attention.masks import padding_mask
from course_lib.data.pairs import Pair, sides
from course_lib.data.tokens.tokenizer import END, PAD, START, Tokenizer
from course_lib.device import cpu_generator, mixed_seed
from course_lib.errors import CourseError

log = logging.getLogger(__name__)

# Pairs whose lengths differ by less than this share a bucket: there is little padding, and each
# epoch still puts other pairs together.
_BUCKET = 4

_TENSORS = ("source", "source_mask", "target_in", "target_out", "target_mask")


class EncodedPair(NamedTuple):
    """Token ids of a sentence pair: the source with END, the target without START and END."""

    source: list[int]
    target: list[int]


EncodedPairs = list[EncodedPair]


@dataclass(frozen=True)
class Batch:
    """B pairs, padded at the end of each row.

    Attributes:
        source: (B, S) tokens and END; for a captioner images (B, ...).
        source_mask: (B, S) True at real tokens, or at the regions of an image.
        target_in: (B, T) START and tokens, the input of the decoder.
        target_out: (B, T) tokens and END, which the decoder has to predict.
        target_mask: (B, T) True at real tokens.
        index: positions of the rows in the encoded data.
        tokens: number of real target tokens, END included; a mean loss is divided by it.
    """

    source: Int[Tensor, "B S"] | Float[Tensor, "B ..."]
    source_mask: Bool[Tensor, "B S"]
    target_in: Int[Tensor, "B T"]
    target_out: Int[Tensor, "B T"]
    target_mask: Bool[Tensor, "B T"]
    index: tuple[int, ...]
    tokens: int

    def to(self, device: torch.device | str) -> "Batch":
        """Return the batch with its tensors on `device`."""
        return replace(self, **{name: getattr(self, name).to(device) for name in _TENSORS})

    def __getitem__(self, rows: slice) -> "Batch":
        """Return a batch of some of the rows, with the same padding."""
        tensors = {name: getattr(self, name)[rows] for name in _TENSORS}
        tokens = int(tensors["target_mask"].sum())
        return replace(self, **tensors, index=self.index[rows], tokens=tokens)

    def __len__(self) -> int:
        return len(self.index)


def encode_pairs(
    pairs: Iterable[Pair],
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    max_tokens: int | None = None,
) -> EncodedPairs:
    """Encode sentence pairs for `Batches`.

    A pair with more than `max_tokens` tokens on either side (START and END not counted) is
    left out: a truncated sentence is not a translation of the other. One warning in the log says
    how many pairs were left out.

    CourseError if a sentence is empty (the message names the pair), or no pair is left.
    """
    encoded, count = [], 0
    for count, pair in enumerate(pairs, start=1):
        source, target = sides(pair)
        try:
            source_ids = source_tokenizer.encode(source).ids
            target_ids = target_tokenizer.encode(target).ids
        except CourseError as error:
            raise CourseError(f"pair {count}: {error}") from error
        if max_tokens is None or max(len(source_ids), len(target_ids)) <= max_tokens:
            encoded.append(EncodedPair([*source_ids, END], target_ids))
    if not encoded:
        raise CourseError(
            f"want a sentence pair of at most {max_tokens} tokens on each side; got {count} longer"
        )
    if skipped := count - len(encoded):
        log.warning("left out %d of %d pairs: longer than %d tokens", skipped, count, max_tokens)
    return encoded


def collate(pairs: Sequence[EncodedPair], index: Sequence[int]) -> Batch:
    """Pad pairs into one batch; `index` is the position of each pair in the data."""
    source, source_mask = _pad([pair.source for pair in pairs])
    target_in, target_mask = _pad([[START, *pair.target] for pair in pairs])
    target_out, _ = _pad([[*pair.target, END] for pair in pairs])
    tokens = sum(len(pair.target) + 1 for pair in pairs)
    return Batch(source, source_mask, target_in, target_out, target_mask, tuple(index), tokens)


def _pad(rows: Sequence[list[int]]) -> tuple[Int[Tensor, "B L"], Bool[Tensor, "B L"]]:
    with torch.device("cpu"):  # also where another device is the default
        mask = padding_mask([len(row) for row in rows])
        padded = [row + [PAD] * (mask.shape[1] - len(row)) for row in rows]
        return torch.tensor(padded), mask


class Batches:
    """Encoded pairs as padded batches, again and again.

    Give one of the two sizes. Batches are cut from pairs of similar length, then shuffled.

    Args:
        tokens_per_batch: upper limit for rows times columns, on the wider side, padding
            included. A pair that is longer than that makes a batch of its own.
        pairs_per_batch: number of pairs in each batch; the last of an epoch may be smaller.
        bucket_by: "wider" puts pairs with a wider side of similar length together, for little
            padding on both sides. "source" sorts by the source's exact length: most batches then
            have no padding on that side, and an encoder needs no packing.
        seed: decides, with the epoch's number, the order. Nothing else does.
        shuffle: False gives the order of the data in every epoch.
    """

    def __init__(
        self,
        encoded: Sequence[EncodedPair],
        *,
        tokens_per_batch: int | None = None,
        pairs_per_batch: int | None = None,
        bucket_by: Literal["wider", "source"] = "wider",
        seed: int = 0,
        shuffle: bool = True,
    ) -> None:
        if (tokens_per_batch is None) == (pairs_per_batch is None):
            raise ValueError("want one of tokens_per_batch and pairs_per_batch; got both or none")
        self._encoded, self._seed, self._shuffle = encoded, seed, shuffle
        self._tokens_per_batch, self._pairs_per_batch = tokens_per_batch, pairs_per_batch
        # Both sides carry one special token: END after the source, START before the target.
        self._widths = [max(len(pair.source), len(pair.target) + 1) for pair in encoded]
        self._buckets = (
            [len(pair.source) for pair in encoded]
            if bucket_by == "source"
            else [width // _BUCKET for width in self._widths]
        )
        self._plan = cache(self._order)

    def __len__(self) -> int:
        """Return the number of pairs. The number of batches may differ from epoch to epoch."""
        return len(self._encoded)

    def epoch(self, n: int, start: int = 0) -> Iterator[Batch]:
        """Return the batches of epoch `n`, from batch number `start` on (to resume a run)."""
        return map(self._collate, self._plan(n)[start:])

    def len_epoch(self, n: int) -> int:
        """Return the number of batches of epoch `n`."""
        return len(self._plan(n))

    def sequential(self) -> Iterator[Batch]:
        """Return all pairs once, in the order of the data: for validation and for tests."""
        return map(self._collate, self._cut(range(len(self._encoded))))

    def _order(self, n: int) -> list[array]:
        """Return the positions of the pairs in each batch of epoch `n`."""
        if not self._shuffle:
            return self._cut(range(len(self._encoded)))
        generator = cpu_generator(mixed_seed(self._seed, n))
        order = torch.randperm(len(self._encoded), generator=generator, device="cpu").tolist()
        # The sort is stable: within a bucket the order stays random.
        order.sort(key=self._buckets.__getitem__)
        batches = self._cut(order)
        shuffled = torch.randperm(len(batches), generator=generator, device="cpu").tolist()
        return [batches[i] for i in shuffled]

    def _cut(self, order: Iterable[int]) -> list[array]:
        batches: list[array] = []
        widest = 0
        for position in order:
            widest = max(widest, self._widths[position])
            if not batches or self._full(len(batches[-1]) + 1, widest):
                batches.append(array("i"))  # a tenth of a list's memory
                widest = self._widths[position]
            batches[-1].append(position)
        return batches

    def _full(self, rows: int, width: int) -> bool:
        if self._pairs_per_batch is not None:
            return rows > self._pairs_per_batch
        return rows * width > self._tokens_per_batch

    def _collate(self, members: Sequence[int]) -> Batch:
        return collate([self._encoded[position] for position in members], members)
