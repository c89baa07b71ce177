"""The experiment of chapter 4: one vector or attention, by sentence length.

Same sentence pairs, same order, same number of updates, learning rates chosen alike; and three
controls: attention that can not choose, and it and the one vector trained for longer. The
command stores the counts that the book draws; first those by which the rates are chosen:

    python -m course_lab.experiments bahdanau/bottleneck_rates
    python -m course_lab.experiments bahdanau/bottleneck
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from course_lab.experiments.bahdanau.equal import EqualWeights
from course_lab.experiments.lab import world as shared
from course_lab.experiments.lab.bins import counts_of, together, with_counts
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.length import Bin
from course_lab.experiments.lab.stored import load_stored
from course_lib.data.batch import Batch, Batches, encode_pairs
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import AlignedPair
from course_lib.device import cpu_generator
from course_lib.models.bahdanau import Bahdanau, BahdanauConfig
from course_lib.models.cho import Cho, ChoConfig
from course_lib.models.protocol import EncoderDecoder
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit

MAX_WORDS = 50
EDGES = (4, 10, 20, 30, 40, MAX_WORDS + 1)
SHORT_WORDS = 14
VALID = 400
SEEDS = (0, 1, 2, 3, 4)
STORED = Path(__file__).with_name("bottleneck.json")
STORED_RATES = Path(__file__).with_name("bottleneck_rates.json")
MODELS = {
    "cho": (Cho, ChoConfig),
    "bahdanau": (Bahdanau, BahdanauConfig),
    "equal": (EqualWeights, BahdanauConfig),
    "cho4": (Cho, ChoConfig),
    "equal4": (EqualWeights, BahdanauConfig),
}
"""The two models of the chapter and its controls: "equal" has Bahdanau's parts and weights 1/S,
"cho4" and "equal4" are Cho's and that one with four times the updates."""
PAIR = ("cho", "bahdanau")
TIMES = {"cho4": 4, "equal4": 4}
"""By how much longer a control is trained; the others once."""
_CHO = {"embedding": 48, "hidden": 128}
_BAHDANAU = {"embedding": 48, "hidden": 64, "alignment": 48}
SIZES = {"cho": _CHO, "cho4": _CHO} | dict.fromkeys(("bahdanau", "equal", "equal4"), _BAHDANAU)
"""Sizes with which an update takes about as long; Cho's has more parameters, not fewer."""
RATES_TRIED = (5e-3, 1e-2, 2e-2, 4e-2)
RATES = {"cho": 2e-2, "bahdanau": 1e-2, "equal": 2e-2, "cho4": 1e-2, "equal4": 2e-2}
"""For each model the rate with the highest exact match on validation pairs; see `rates_table`."""

_FIT = FitConfig(steps=1, schedule="cosine", warmup=20, betas=(0.9, 0.95), clip_norm=0.3)


class Drill(NamedTuple):
    """Some sentences, and how many updates to train on them."""

    batches: Batches
    steps: int


@dataclass(frozen=True)
class LessonWorld(shared.World):
    """The sentences of the experiment.

    Attributes:
        lessons: the training, in order: short sentences first, then sentences of all lengths.
            Words and cases are learned faster where there is less to look at.
    """

    lessons: tuple[Drill, ...]


class TrainingTrial(NamedTuple):
    """One training run: which model, its first weights, its learning rate, its sentences."""

    model: str
    seed: int
    rate: float
    world: LessonWorld


def make_world(*, turned: bool = False, valid: int = 0) -> LessonWorld:
    """English to German in the tiny mini-world, 4 to 50 English words, all lengths alike.

    Args:
        turned: German to English, the same pairs.
        valid: how many validation pairs; none where no setting is to be chosen.
    """

    # Settings were judged by validation pairs, and earlier ones had seen other test samples.
    with shared.processes_of_one_thread(1) as other:
        test = other.submit(_sample, "test", 1000, 11, turned)
        pairs = _sample("train", 14000, 3, turned)
        tokenizers = shared.vocabularies(pairs)
        encoded = encode_pairs(pairs, *tokenizers)
        short = [pair for pair in encoded if len(pair.source) <= SHORT_WORDS + 1]
        lessons = (
            Drill(Batches(short, tokens_per_batch=700, bucket_by="source"), 250),
            Drill(Batches(encoded, tokens_per_batch=800, bucket_by="source"), 800),
        )
        valid_pairs = _sample("valid", valid, 3, turned)
        return LessonWorld(pairs, valid_pairs, test.result(), tokenizers, lessons)


def _sample(split: str, count: int, seed: int, turned: bool) -> list[AlignedPair]:
    pairs = grammar.sample(
        split, count, seed=seed, min_words=EDGES[0], max_words=MAX_WORDS, vocabulary="tiny"
    )
    return [pair.turned() for pair in pairs] if turned else pairs


def make_model(name: str, world: LessonWorld, seed: int) -> EncoderDecoder:
    """A model in the sizes of `SIZES`, its first weights drawn from the seed."""
    settings = SIZES[name] | shared.vocabulary_sizes(world.tokenizers)
    model, config = MODELS[name]
    return model(config(**settings), cpu_generator(seed))


def train(run: TrainingTrial) -> EncoderDecoder:
    """Makes the model and goes through the lessons, one after the other; it ends in eval mode."""
    model = make_model(run.model, run.world, run.seed)
    for batches, steps in run.world.lessons:
        steps *= TIMES.get(run.model, 1)
        config = replace(_FIT, steps=steps, learning_rate=run.rate)
        if fit(model, batches, None, config, progress=False).interrupted:
            raise KeyboardInterrupt  # a half-trained model must not pass for a trained one
    return model.eval()


def train_side_by_side(world: LessonWorld, seed: int) -> dict[str, EncoderDecoder]:
    """Trains both models of the chapter at the same time: two processes with one thread each.

    Returns:
        the trained models by name, on the CPU, in eval mode.
    """
    # A process needs the lessons and the vocabularies; to send it all pairs costs seconds.
    lean = replace(world, train=[], valid=[], test=[])
    runs = {name: TrainingTrial(name, seed, RATES[name], lean) for name in PAIR}
    with shared.processes_of_one_thread(1) as other, shared.one_thread():
        cho = other.submit(_trained_weights, runs["cho"])
        # The one that takes longer stays here: it need not wait until a process has begun.
        models = {
            "cho": make_model("cho", world, seed),
            "bahdanau": train(runs["bahdanau"]).cpu(),
        }
        shared.load_weights(models["cho"], cho.result())
    return models


def _trained_weights(run: TrainingTrial) -> dict[str, np.ndarray]:
    return shared.weights_of(train(run))


def batch_of(pairs: Sequence[AlignedPair], world: LessonWorld) -> Batch:
    """A padded batch of just these pairs."""
    return shared.batch_of(pairs, world.tokenizers)


def length_curve(model: EncoderDecoder, world: LessonWorld) -> list[Bin]:
    """Exact match of greedy translations on the test pairs, by source length."""
    return shared.length_bins(model, world.test, world.tokenizers, EDGES)


def crossings(pair: AlignedPair) -> int:
    """How many pairs of sure links cross: how far the two languages differ in order."""
    links = sorted(pair.sure)
    return sum(
        i < k and j > m for number, (i, j) in enumerate(links) for k, m in links[number + 1 :]
    )


def most_reordered(pairs: Sequence[AlignedPair], low: int, high: int) -> list[AlignedPair]:
    """The pairs of `low` to `high` English words, those with the most crossing links first."""
    fitting = [pair for pair in pairs if low <= len(pair.source) <= high]
    return sorted(fitting, key=crossings, reverse=True)


def load_curves() -> dict[str, list[list[float]]]:
    """Exact match by length bin, one row a seed, for each model, as the command stored it."""
    curves: dict[str, list[list[float]]] = {name: [] for name in SIZES}
    for record in map(with_counts, load_stored(STORED)):
        curves[record["model"]].append([counts.rate for counts in record["bins"]])
    return curves


def rates_table() -> dict[str, dict[float, float]]:
    """Exact match on the validation pairs, all lengths alike, by model and learning rate."""
    table: dict[str, dict[float, float]] = {name: {} for name in SIZES}
    for record in map(with_counts, load_stored(STORED_RATES)):
        table[record["model"]][record["rate"]] = together(record["bins"]).rate
    return table


def _compare_rates(run: TrainingTrial) -> dict[str, Any]:
    return _record(run, run.world.valid)


def _final(run: TrainingTrial) -> dict[str, Any]:
    return _record(run, run.world.test)


def _record(run: TrainingTrial, pairs: Sequence[AlignedPair]) -> dict[str, Any]:
    """What a stored file keeps of one run: sentences and exact matches by length."""
    model = train(run)
    bins = shared.length_bins(model, pairs, run.world.tokenizers, EDGES)
    return {
        "model": run.model,
        "seed": run.seed,
        "rate": run.rate,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "bins": counts_of(bins),
    }


def _runs(rates: Mapping[str, float], seeds: Sequence[int]) -> list[TrainingTrial]:
    world = make_world(valid=VALID)
    return [TrainingTrial(name, seed, rates[name], world) for seed in seeds for name in SIZES]


def _runs_of_rates() -> list[TrainingTrial]:
    world = make_world(valid=VALID)
    return [TrainingTrial(name, 0, rate, world) for rate in RATES_TRIED for name in SIZES]


EXPERIMENTS = [
    Experiment(
        "Chapter 4's counts of right sentences by length.",
        STORED,
        lambda: _runs(RATES, SEEDS),
        _final,
        key=("model", "seed"),
    ),
    Experiment(
        "Each learning rate of chapter 4's models, on validation pairs.",
        STORED_RATES,
        _runs_of_rates,
        _compare_rates,
        key=("model", "rate"),
    ),
]
