"""The experiment of chapter 4: one vector or attention, by sentence length.

Same sentence pairs, same order, same number of updates, about the same number of parameters. Run
as a script it trains each model with several seeds and stores the counts that the book draws:

    python -m course_lib.experiments.bottleneck
"""

import argparse
import json
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from course_lib.atomic import atomic_write
from course_lib.data import grammar
from course_lib.data.batch import Batch, Batches, collate, encode_pairs
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokenizer import WordVocabulary
from course_lib.device import cpu_generator
from course_lib.evaluation import exact_match_by_length, translate
from course_lib.evaluation.length import Bin
from course_lib.experiments.stored import FOLDER, load_stored
from course_lib.models import EncoderDecoder, build
from course_lib.training import FitConfig, fit

MAX_WORDS = 50
EDGES = (4, 10, 20, 30, 40, MAX_WORDS + 1)
SHORT_WORDS, MEDIUM_WORDS = 14, 24
SEEDS = (0, 1, 2)
STORED = FOLDER / "bottleneck.json"
SIZES: dict[str, dict[str, int]] = {
    "cho": {"embedding": 64, "hidden": 128},
    "bahdanau": {"embedding": 64, "hidden": 96, "alignment": 64},
}
"""Sizes that give both models about the same number of parameters."""

_FIT = FitConfig(
    steps=1, learning_rate=8e-3, schedule="cosine", warmup=50, betas=(0.9, 0.98), clip_norm=1.0
)


class Lesson(NamedTuple):
    """Some sentences, and how long to train on them."""

    batches: Batches
    config: FitConfig


@dataclass(frozen=True)
class World:
    """The sentences of the experiment.

    Attributes:
        train: training pairs.
        test: pairs from a split that shares no sentence with the training pairs.
        tokenizers: word vocabularies of the training pairs, English and German.
        lessons: the training, in order: short sentences first, then sentences of all lengths.
            Words and cases are learned faster where there is less to look at.
    """

    train: list[AlignedPair]
    test: list[AlignedPair]
    tokenizers: tuple[WordVocabulary, WordVocabulary]
    lessons: tuple[Lesson, ...]


def make_world() -> World:
    """English to German in the tiny mini-world, 4 to 50 words.

    Lengths up to 24 are equally frequent in training, and so are those beyond, but rarer: a long
    sentence costs more time than its words are worth. The test pairs have all lengths alike.
    """
    low, high = EDGES[0], MAX_WORDS
    pairs = _sample("train", 5500, low, MEDIUM_WORDS) + _sample(
        "train", 5000, MEDIUM_WORDS + 1, high
    )
    tokenizers = (
        WordVocabulary.from_sentences([pair.source for pair in pairs]),
        WordVocabulary.from_sentences([pair.target for pair in pairs]),
    )
    encoded = encode_pairs(pairs, *tokenizers)
    short = [pair for pair in encoded if len(pair.source) <= SHORT_WORDS + 1]
    lessons = (
        Lesson(Batches(short, tokens_per_batch=700), replace(_FIT, steps=250)),
        Lesson(Batches(encoded, tokens_per_batch=1500), replace(_FIT, steps=720)),
    )
    return World(pairs, _sample("test", 400, low, high), tokenizers, lessons)


def _sample(split: str, count: int, low: int, high: int) -> list[AlignedPair]:
    return grammar.sample(split, count, seed=1, min_words=low, max_words=high, vocabulary="tiny")


def train(model: EncoderDecoder, world: World) -> None:
    """Goes through the lessons, one after the other."""
    for batches, config in world.lessons:
        fit(model, batches, None, config, progress=False)


def make_model(name: str, world: World, seed: int) -> EncoderDecoder:
    """A model in the sizes of `SIZES`, its first weights drawn from the seed."""
    vocabularies = dict(
        zip(("source_vocabulary", "target_vocabulary"), map(len, world.tokenizers), strict=True)
    )
    return build(name, SIZES[name] | vocabularies, cpu_generator(seed))


def train_side_by_side(world: World, seed: int) -> dict[str, EncoderDecoder]:
    """Trains one model of each kind, at the same time.

    Each has a process and one thread to itself. Its steps are many and small, so that a second
    thread would not make it faster; and the result does not depend on the number of cores.

    Returns:
        the trained models by name, on the CPU, in eval mode.
    """
    with ProcessPoolExecutor(len(SIZES), mp_context=get_context("spawn")) as pool:
        jobs = {name: pool.submit(_trained_weights, name, seed, world) for name in SIZES}
        weights = {name: job.result() for name, job in jobs.items()}
    models = {name: make_model(name, world, seed) for name in SIZES}
    for name, model in models.items():
        model.load_state_dict({key: torch.from_numpy(w) for key, w in weights[name].items()})
        model.eval()
    return models


def _trained_weights(name: str, seed: int, world: World) -> dict[str, np.ndarray]:
    torch.set_num_threads(1)
    model = make_model(name, world, seed)
    train(model, world)
    return {key: value.cpu().numpy() for key, value in model.state_dict().items()}


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


def verb_final_example(pairs: Sequence[AlignedPair]) -> AlignedPair:
    """The first pair of 9 to 11 words whose German ends in a participle, far from its auxiliary.

    It is found by its gold links: the last word before the full stop is linked to a word that
    stands at least four places further left in English.
    """
    for pair in pairs:
        last = len(pair.target) - 2
        partners = [i for i, j in pair.sure if j == last]
        if 9 <= len(pair.source) <= 11 and partners and last - max(partners) >= 4:
            return pair
    raise ValueError("no pair ends in a verb that came from far; sample more pairs")


def record(name: str, seed: int, model: EncoderDecoder, world: World) -> dict[str, Any]:
    """What the stored file keeps of one model: sentences and exact matches by length."""
    bins = length_curve(model, world)
    return {
        "model": name,
        "seed": seed,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "bins": [[b.low, b.high, b.count, round(b.exact * b.count)] for b in bins],
    }


def load_curves() -> dict[str, list[list[float]]]:
    """Exact match by length bin, one row a seed, for each model, as the script stored it."""
    curves: dict[str, list[list[float]]] = {name: [] for name in SIZES}
    for record in load_stored(STORED.stem):
        rates = [exact / count for _, _, count, exact in record["bins"]]
        curves[record["model"]].append(rates)
    return curves


def main(arguments: Sequence[str] | None = None) -> None:
    """Trains every model with every seed; after each, the file is written anew."""
    parser = argparse.ArgumentParser(description="Length curves of three seeds for chapter 4.")
    parser.add_argument("file", type=Path, nargs="?", default=STORED, help="where the counts go")
    path = parser.parse_args(arguments).file
    world, records = make_world(), []
    for seed in SEEDS:
        begun = time.monotonic()
        for name, model in train_side_by_side(world, seed).items():
            records.append(record(name, seed, model, world))
            print(json.dumps(records[-1]), flush=True)
        lines = ",\n  ".join(json.dumps(entry) for entry in records)
        atomic_write(path, f"[\n  {lines}\n]\n")
        print(f"seed {seed}: {time.monotonic() - begun:.0f} seconds", flush=True)


if __name__ == "__main__":
    main()
