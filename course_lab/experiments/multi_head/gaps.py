"""The small Transformer of chapter 9: it fills a gap in an English sentence of the mini-world.

Which word is missing can be told by the others: a verb's number by its subject, an article by its
noun. The grammar says which words those are, so that a head's looks have something to be held
against. Every update draws fresh gaps in the training sentences.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from course_lab.experiments.multi_head.relations import Parsed, sample_parsed
from course_lib.attention.masks import padding_mask
from course_lib.data.batch_source import GeneratedBatches
from course_lib.data.tokens.tokenizer import PAD, UNKNOWN, WordVocabulary
from course_lib.device import cpu_generator
from course_lib.models.cloze import Cloze, ClozeConfig
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import classification_loss

MIN_WORDS, MAX_WORDS = 4, 12
WIDTH, FEED_FORWARD, LAYERS, HEADS = 48, 96, 2, 4
STEPS, BATCH = 900, 64
GAP = UNKNOWN
"""The token of the gap: the word that is not known."""


@dataclass(frozen=True)
class GapBatch:
    """B sentences with a gap each.

    Attributes:
        inputs: tokens (B, T), True at real tokens (B, T), the place of the gap (B,).
        label: the missing word (B,).
    """

    inputs: tuple[Int[Tensor, "B T"], Bool[Tensor, "B T"], Int[Tensor, " B"]]
    label: Int[Tensor, " B"]

    def to(self, device: torch.device | str) -> "GapBatch":
        """The same batch with its tensors on `device`."""
        return GapBatch(tuple(each.to(device) for each in self.inputs), self.label.to(device))


class GapWorld(NamedTuple):
    """Sentences with their relations, and the vocabulary of the training sentences."""

    train: list[Parsed]
    valid: list[Parsed]
    test: list[Parsed]
    vocabulary: WordVocabulary


@cache
def make_world(train: int = 8000, held_out: int = 1000) -> GapWorld:
    """Training sentences, and some each to choose by and to judge by."""

    def sample(split: str, count: int) -> list[Parsed]:
        return sample_parsed(split, count, min_words=MIN_WORDS, max_words=MAX_WORDS)

    sentences = sample("train", train)
    words = WordVocabulary.from_sentences([each.words for each in sentences])
    return GapWorld(sentences, sample("valid", held_out), sample("test", held_out), words)


def batch_of(
    sentences: Sequence[Sequence[str]], gaps: Sequence[int], vocabulary: WordVocabulary
) -> GapBatch:
    """Sentences, each with a gap at its place."""
    rows = [vocabulary.encode(words).ids for words in sentences]
    return _with_gaps(*_padded(rows), torch.tensor(gaps))


def make_model(heads: int, world: GapWorld, seed: int) -> Cloze:
    """The model; its width and its parameters do not depend on the number of heads."""
    config = ClozeConfig(
        len(world.vocabulary), width=WIDTH, feed_forward=FEED_FORWARD, layers=LAYERS, heads=heads
    )
    return Cloze(config, cpu_generator(seed))


def train(model: Cloze, world: GapWorld, *, rate: float, seed: int, times: int = 1) -> Cloze:
    """Trains the model for `times` times `STEPS` updates; it ends in eval mode."""
    rows, real = _padded([world.vocabulary.encode(each.words).ids for each in world.train])
    lengths = real.sum(1)

    def drawn(generator: torch.Generator) -> GapBatch:
        chosen = torch.randint(len(rows), (BATCH,), generator=generator)
        long = lengths[chosen]
        gaps = (torch.rand(BATCH, generator=generator) * long).long()
        width = int(long.max())
        return _with_gaps(rows[chosen, :width], real[chosen, :width], gaps)

    config = FitConfig(
        steps=STEPS * times, learning_rate=rate, schedule="cosine", warmup=50, seed=seed
    )
    feed = GeneratedBatches(drawn, batches=100, seed=seed)
    fit(model, feed, None, config, objective=classification_loss, progress=False, device="cpu")
    return model.eval()


def _padded(rows: Sequence[Sequence[int]]) -> tuple[Int[Tensor, "B T"], Bool[Tensor, "B T"]]:
    lengths = torch.tensor([len(row) for row in rows])
    width = int(lengths.max())
    ids = torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows])
    return ids, padding_mask(lengths, width)


def _with_gaps(
    ids: Int[Tensor, "B T"], real: Bool[Tensor, "B T"], gaps: Int[Tensor, " B"]
) -> GapBatch:
    places = gaps.unsqueeze(1)
    return GapBatch((ids.scatter(1, places, GAP), real, gaps), ids.gather(1, places).squeeze(1))
