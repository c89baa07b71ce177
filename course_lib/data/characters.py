"""Text by characters: one id for each, and windows of a long text as batches for `fit`."""

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

    Args:
        text: its different characters, in their alphabetical order, are the vocabulary.
    """

    def __init__(self, text: str) -> None:
        self.characters = "".join(sorted(set(text)))
        self._id = {character: len(SPECIALS) + i for i, character in enumerate(self.characters)}

    def __len__(self) -> int:
        return len(SPECIALS) + len(self.characters)

    def encode(self, text: str) -> list[int]:
        """The id of each character.

        Raises:
            CourseError: a character is unknown.
        """
        if unknown := sorted(set(text) - set(self._id)):
            raise CourseError(
                f"want characters among {self.characters!r}; got {''.join(unknown)!r}"
            )
        return [self._id[character] for character in text]

    def decode(self, ids: Sequence[int]) -> str:
        """The characters of these ids; special tokens are dropped."""
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
        """The same batch with its tensors on `device`."""
        names = ("target_in", "target_out", "target_mask")
        return replace(self, **{name: getattr(self, name).to(device) for name in names})

    def __getitem__(self, rows: slice) -> "TextBatch":
        """The batch of some of its windows."""
        mask = self.target_mask[rows]
        return TextBatch(self.target_in[rows], self.target_out[rows], mask, int(mask.sum()))

    def __len__(self) -> int:
        return len(self.target_in)


class Windows:
    """A long text as batches of windows: a `BatchSource`.

    An epoch cuts the text into windows without overlap, at a place that is drawn anew, and shuffles
    them: every token is read once.

    Args:
        ids: the text.
        length: T, tokens a window.
        per_batch: B, windows a batch.
        seed: decides, with the number of the epoch, the cuts and the order.

    Raises:
        CourseError: the text is too short for two batches.
    """

    def __init__(self, ids: Sequence[int], *, length: int, per_batch: int, seed: int = 0) -> None:
        if len(ids) <= 2 * length * per_batch:
            raise CourseError(
                f"want more than {2 * length * per_batch} tokens, for two batches; got {len(ids)}"
            )
        self.ids, self.length, self.per_batch = torch.tensor(ids), length, per_batch
        self.seed = seed

    def epoch(self, n: int, start: int = 0) -> Iterator[TextBatch]:
        """The batches of epoch `n`, from batch number `start` on."""
        generator = cpu_generator(mixed_seed(self.seed, n))
        first = int(torch.randint(self.length, (), generator=generator))
        windows = (len(self.ids) - 1 - first) // self.length
        order = first + self.length * torch.randperm(windows, generator=generator)
        for number in range(start, self.len_epoch(n)):
            yield self._at(order[number * self.per_batch : (number + 1) * self.per_batch])

    def len_epoch(self, n: int) -> int:
        """Number of whole batches, the same in every epoch."""
        return (len(self.ids) - self.length) // self.length // self.per_batch

    def sequential(self) -> Iterator[TextBatch]:
        """Every window of the text, from its beginning; a shorter rest is left out."""
        starts = torch.arange(0, len(self.ids) - self.length, self.length)
        for some in starts.split(self.per_batch):
            yield self._at(some)

    def _at(self, starts: Int[Tensor, " B"]) -> TextBatch:
        found = self.ids[starts[:, None] + torch.arange(self.length + 1)]
        mask = torch.ones(len(starts), self.length, dtype=torch.bool)
        return TextBatch(found[:, :-1], found[:, 1:], mask, mask.numel())
