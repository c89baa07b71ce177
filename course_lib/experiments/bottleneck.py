"""The experiment of chapter 4: one vector or attention, by sentence length.

Same sentence pairs, same order, same number of updates, about the same number of parameters. Run
as a script it trains each model with several seeds and stores the counts that the book draws:

    python -m course_lib.experiments.bottleneck notebooks/results/bottleneck.json
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from course_lib.data import grammar
from course_lib.data.batch import Batch, Batches, collate, encode_pairs
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokenizer import WordVocabulary
from course_lib.device import cpu_generator
from course_lib.evaluation import exact_match_by_length, translate
from course_lib.evaluation.length import Bin
from course_lib.models import EncoderDecoder, build
from course_lib.training import FitConfig

MAX_WORDS = 50
EDGES = (3, 10, 20, 30, 40, MAX_WORDS + 1)
FIT = FitConfig(
    steps=1000, learning_rate=5e-3, schedule="cosine", warmup=100, betas=(0.9, 0.98), clip_norm=1.0
)
SIZES: dict[str, dict[str, int]] = {
    "cho": {"embedding": 64, "hidden": 128},
    "bahdanau": {"embedding": 64, "hidden": 96, "alignment": 64},
}
"""Sizes that give both models about the same number of parameters."""


@dataclass(frozen=True)
class World:
    """The sentences of the experiment, and the training batches made of them."""

    train: list[AlignedPair]
    test: list[AlignedPair]
    tokenizers: tuple[WordVocabulary, WordVocabulary]
    batches: Batches


def make_world(train: int = 20_000, test: int = 400) -> World:
    """English to German in the small mini-world, lengths 3 to 50, all equally frequent.

    Args:
        train: number of training pairs.
        test: number of test pairs, from a split that shares no sentence with the training pairs.
    """
    bounds: dict[str, Any] = {"min_words": EDGES[0], "max_words": MAX_WORDS, "vocabulary": "small"}
    pairs = grammar.sample("train", train, seed=1, **bounds)
    tokenizers = (
        WordVocabulary.from_sentences([pair.source for pair in pairs]),
        WordVocabulary.from_sentences([pair.target for pair in pairs]),
    )
    batches = Batches(encode_pairs(pairs, *tokenizers), tokens_per_batch=1500)
    return World(pairs, grammar.sample("test", test, seed=2, **bounds), tokenizers, batches)


def make_model(name: str, world: World, seed: int) -> EncoderDecoder:
    """A model in the sizes of `SIZES`, its first weights drawn from the seed."""
    vocabularies = dict(
        zip(("source_vocabulary", "target_vocabulary"), map(len, world.tokenizers), strict=True)
    )
    return build(name, SIZES[name] | vocabularies, cpu_generator(seed))


def batch_of(pairs: Sequence[AlignedPair], world: World) -> Batch:
    """A padded batch of just these pairs."""
    return collate(encode_pairs(pairs, *world.tokenizers), range(len(pairs)))


def length_curve(model: EncoderDecoder, world: World) -> list[Bin]:
    """Exact match of greedy translations on the test pairs, by source length."""
    found = translate(
        model, [pair.source for pair in world.test], *world.tokenizers, max_length=2 * MAX_WORDS
    )
    return exact_match_by_length(
        [len(pair.source) for pair in world.test],
        [translation.target.words for translation in found],
        [pair.target for pair in world.test],
        EDGES,
    )
