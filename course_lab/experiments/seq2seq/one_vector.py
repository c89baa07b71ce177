"""The experiments of chapter 2: what one vector of fixed size can hold.

Three comparisons on the same kind of sentences. *Width*: Cho's model with vectors of four sizes,
and once a wide network with a narrow vector, so that the vector and the network around it can be
told apart; with more updates in `longer`. *Order*: Sutskever's model with the source read forwards
and backwards. Within a comparison all runs have the same sentence pairs, the same order and number
of updates; each variant has its own learning rate, chosen among `RATES` by the loss on validation
pairs. The commands:

    python -m course_lab.experiments seq2seq/one_vector_tuning  # the learning rates
    python -m course_lab.experiments seq2seq/one_vector         # five seeds, on the test pairs
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn

from course_lab.experiments.lab.bins import counts_of, together, with_counts
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import (
    World,
    length_bins,
    load_weights,
    make_world,
    side_by_side,
    vocabulary_sizes,
    weights_of,
)
from course_lab.experiments.seq2seq.measures import by_source_fifth
from course_lib.data.batch import Batches, encode_pairs
from course_lib.device import cpu_generator
from course_lib.evaluation.teacher_forcing import teacher_forced
from course_lib.models.cho import Cho, ChoConfig, ContextDecoder
from course_lib.models.parts import initialise
from course_lib.models.protocol import EncoderDecoder
from course_lib.models.sutskever import Sutskever, SutskeverConfig
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit

MIN_WORDS, MAX_WORDS = 4, 20
EDGES = (4, 6, 8, 10, 12, 15, 18, MAX_WORDS + 1)
SEEDS = (0, 1, 2, 3, 4)
RATES = (2.5e-3, 5e-3, 1e-2, 2e-2, 4e-2)
STORED = Path(__file__).with_name("one_vector.json")
TUNING = Path(__file__).with_name("one_vector_tuning.json")


MODELS = {"cho": (Cho, ChoConfig), "sutskever": (Sutskever, SutskeverConfig)}


class Lesson(NamedTuple):
    """A stretch of training: sentences up to a length, tokens a batch, updates."""

    longest: int
    tokens: int
    steps: int


LESSONS = (Lesson(10, 300, 600), Lesson(MAX_WORDS, 600, 600))
"""Short sentences first: words and cases are learned faster where there is less to look at."""


@dataclass(frozen=True)
class VectorVariant:
    """One line of a comparison.

    Attributes:
        model: a key of `MODELS`, or "narrow".
        settings: of the model, without its vocabularies.
        learning_rate: better on the validation pairs than its two neighbours in `RATES`.
    """

    model: str
    settings: dict[str, Any] = field(hash=False)
    learning_rate: float


WIDTHS = {
    f"width {width}": VectorVariant("cho", {"embedding": 64, "hidden": width}, rate)
    for width, rate in {32: 2e-2, 64: 2e-2, 128: 1e-2, 256: 1e-2}.items()
}
NARROW = {
    f"{vector} in 128": VectorVariant(
        "narrow", {"embedding": 64, "hidden": 128, "vector": vector}, rate
    )
    for vector, rate in {8: 2e-2, 32: 2e-2}.items()
}
ORDERS = {
    name: VectorVariant(
        "sutskever",
        {"embedding": 64, "hidden": 128, "layers": 1, "reverse_source": name == "backwards"},
        rate,
    )
    for name, rate in {"forwards": 2e-2, "backwards": 2e-2}.items()
}
VARIANTS = WIDTHS | NARROW | ORDERS
RATE_OF = {name: variant.learning_rate for name, variant in VARIANTS.items()}


class NarrowCho(Cho):
    """Cho's model with the network's width and the vector's width set apart.

    c = tanh(V h) has only `vector` numbers, and the decoder reads these. Two matrices in place of
    one, V = V₂ V₁, would narrow c as well and keep the decoder as it is; but they are harder to
    train even where nothing is narrowed, and what that costs is not the vector's.
    """

    def __init__(
        self, config: ChoConfig, vector: int, generator: torch.Generator | None = None
    ) -> None:
        super().__init__(config, generator)
        self.summary = nn.Linear(config.hidden, vector)
        self.decoder = ContextDecoder(config, vector)
        initialise(self, generator)


def the_world() -> World:
    """12,000 training pairs of 4 to 20 English words; 600 each to choose by and to judge by."""
    return make_world(12_000, 600, min_words=MIN_WORDS, max_words=MAX_WORDS)


def make_model(name: str, world: World, seed: int) -> EncoderDecoder:
    """A variant's model, its first weights drawn from the seed."""
    variant = VARIANTS[name]
    settings = variant.settings | vocabulary_sizes(world.tokenizers)
    if variant.model == "narrow":
        vector = settings.pop("vector")
        return NarrowCho(ChoConfig(**settings), vector, cpu_generator(seed))
    model, config = MODELS[variant.model]
    return model(config(**settings), cpu_generator(seed))


def train(
    model: EncoderDecoder,
    world: World,
    learning_rate: float,
    times: int = 1,
    lessons: Sequence[Lesson] = LESSONS,
) -> None:
    """Goes through the lessons, one after the other, each with so many times its updates."""
    encoded = encode_pairs(world.train, *world.tokenizers)
    for longest, tokens, steps in lessons:
        short = [pair for pair in encoded if len(pair.source) <= longest + 1]
        config = FitConfig(
            steps=times * steps,
            learning_rate=learning_rate,
            schedule="cosine",
            warmup=50,
            betas=(0.9, 0.98),
            clip_norm=1.0,
        )
        batches = Batches(short, tokens_per_batch=tokens, bucket_by="source")
        fit(model, batches, None, config, progress=False)


def train_side_by_side(world: World, names: Sequence[str], seed: int) -> dict[str, EncoderDecoder]:
    """Trains variants at the same time, two processes with a thread each.

    Returns:
        the trained models by name, on the CPU, in eval mode.
    """
    jobs = [(run, world) for run in planned(RATE_OF, names, [seed])]
    models = {name: make_model(name, world, seed) for name in names}
    for name, weights in zip(names, side_by_side(_trained, jobs), strict=True):
        load_weights(models[name], weights)
    return models


def _trained(job: tuple[Trial, World]) -> dict[str, Any]:
    run, world = job
    model = make_model(run.variant, world, run.seed)
    train(model, world, run.learning_rate)
    return weights_of(model)


def record(run: Trial, model: EncoderDecoder, world: World) -> dict[str, Any]:
    """What the stored file keeps of one model, all of it on the test pairs."""
    bins = length_bins(model, world.test, world.tokenizers, EDGES)
    forced = teacher_forced(model, whole(world, "test"))
    fifths = by_source_fifth(model, world.test, world.tokenizers)
    return {
        "variant": run.variant,
        "seed": run.seed,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "nats": round(forced.nats, 4),
        "accuracy": round(forced.accuracy, 4),
        "bins": counts_of(bins),
        "by_source": [list(fifth) for fifth in fifths],
    }


def whole(world: World, split: str) -> Batches:
    """A split, "valid" or "test", in batches that keep its order."""
    encoded = encode_pairs(getattr(world, split), *world.tokenizers)
    return Batches(encoded, pairs_per_batch=100, shuffle=False)


def _judged(run: Trial) -> dict[str, Any]:
    world = the_world()
    model = make_model(run.variant, world, run.seed)
    train(model, world, run.learning_rate)
    return record(run, model, world)


def _tuned(run: Trial) -> dict[str, Any]:
    """The loss on the validation pairs; the test pairs are not looked at."""
    world = the_world()
    model = make_model(run.variant, world, run.seed)
    train(model, world, run.learning_rate)
    nats = teacher_forced(model, whole(world, "valid")).nats
    return {"variant": run.variant, "learning_rate": run.learning_rate, "nats": round(nats, 4)}


def load_runs(name: str, stored: Path = STORED) -> list[dict[str, Any]]:
    """What a command stored of a variant: one `record` a seed, its bins as `LengthCounts`.

    Args:
        name: of the variant.
        stored: `longer.STORED` for the runs with more updates.
    """
    return [with_counts(entry) for entry in load_stored(stored) if entry["variant"] == name]


def load_exact(name: str, low: int, high: int, stored: Path = STORED) -> list[float]:
    """Exact match over all stored bins within these lengths, one number a seed."""
    rates = []
    for run in load_runs(name, stored):
        inside = [b for b in run["bins"] if low <= b.low and b.high <= high]
        rates.append(together(inside).rate)
    return rates


APART = {"parameters": 0, "nats": 0.1, "accuracy": 0.04, "bins": 0.25, "by_source": 0.07}
EXPERIMENTS = [
    Experiment(
        "What one vector can hold: chapter 2's runs.",
        STORED,
        lambda: planned(RATE_OF, list(RATE_OF), SEEDS),
        _judged,
    ),
    tuning(
        "The learning rates of chapter 2's variants.",
        TUNING,
        RATE_OF,
        RATES,
        SEEDS[0],
        _tuned,
    ),
]
