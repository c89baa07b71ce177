"""Text by characters: one id for each, and windows of a long text as batches for `fit`."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from course_lib.data.tokens.tokenizer import SPECIALS
from course_lib.device import cpu_generator, mixed_seed
from course_lib.errors import CourseError


class Characters:
    """One id for each character, from 4 on; before them are the special tokens of all tokenizers.

    The vocabulary is the different characters of `text`, in their alphabetical order.
    """

    def __init__(self, text: str) -> None:
        self.characters = "".join(sorted(set(text)))
        self._id = {character: len(SPECIALS) + i for i, character in enumerate(self.characters)}

    def __len__(self) -> int:
        return len(SPECIALS) + len(self.characters)

    def encode(self, text: str) -> list[int]:
        """Return the id of each character; raise CourseError for an unknown one."""
        if unknown := sorted(set(text) - set(self._id)):
            raise CourseError(
                f"want characters among {self.characters!r}; got {''.join(unknown)!r}"
            )
        return [self._id[character] for character in text]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the characters of these ids, without special tokens."""
        return "".join(self.characters[i - len(SPECIALS)] for i in ids if i >= len(SPECIALS))


@dataclass(frozen=True)
class TextBatch:
    """B windows of T tokens: what a model reads, and the token after each, which it predicts.

    Attributes:
        target_in: the windows.
        target_out: the same windows, one token later.
        target_mask: True where a prediction counts.
        tokens: the number of predictions that count.
    """

    target_in: Int[Tensor, "B T"]
    target_out: Int[Tensor, "B T"]
    target_mask: Bool[Tensor, "B T"]
    tokens: int

    def to(self, device: torch.device | str) -> "TextBatch":
        """Return the batch with its tensors on `device`."""
        names = ("target_in", "target_out", "target_mask")
        return replace(self, **{name: getattr(self, name).to(device) for name in names})

    def __len__(self) -> int:
        return len(self.target_in)


class Windows:
    """A long text as batches of windows: a `BatchSource`.

    An epoch cuts the text into windows without overlap, beginning at a position that is drawn anew,
    and shuffles them. So every token is read once, but for less than a window at either end. The
    last batch of an epoch may be smaller.

    Args:
        length: T, tokens a window.
        per_batch: B, windows a batch.
        seed: decides, with the number of the epoch, the cuts and the order.
    """

    def __init__(self, ids: Sequence[int], *, length: int, per_batch: int, seed: int = 0) -> None:
        self.ids, self.length = torch.tensor(ids), length
        self.per_batch, self.seed = per_batch, seed

    def epoch(self, n: int, start: int = 0) -> Iterator[TextBatch]:
        """Return the batches of epoch `n`, from batch number `start` on."""
        return map(self._windows_at, self._starts(n).split(self.per_batch)[start:])

    def len_epoch(self, n: int) -> int:
        """Return the number of batches of epoch `n`, which depends on its first window."""
        return math.ceil(len(self._starts(n)) / self.per_batch)

    def sequential(self) -> Iterator[TextBatch]:
        """Return every window of the text, from its beginning; a shorter rest is left out."""
        starts = torch.arange(0, len(self.ids) - self.length, self.length)
        return map(self._windows_at, starts.split(self.per_batch))

    def _starts(self, n: int) -> Int[Tensor, " W"]:
        """Return the positions where the windows of epoch `n` begin, in random order."""
        generator = cpu_generator(mixed_seed(self.seed, n))
        first = int(torch.randint(self.length, (), generator=generator))
        windows = (len(self.ids) - 1 - first) // self.length
        return first + self.length * torch.randperm(windows, generator=generator)

    def _windows_at(self, starts: Int[Tensor, " B"]) -> TextBatch:
        windows = self.ids[starts[:, None] + torch.arange(self.length + 1)]
        mask = torch.ones(len(starts), self.length, dtype=torch.bool)
        return TextBatch(windows[:, :-1], windows[:, 1:], mask, mask.numel())
