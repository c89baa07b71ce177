"""The experiment of chapter 5: is a plain dot product enough of a score?

One translator, `DotProduct`, with one part exchanged: its score. The decoder's state asks, the
annotations answer, and everything around them is the same, as are sentence pairs, their order and
the number of updates. Each score has the learning rate with the lowest loss on validation pairs.
Beside the scores stand controls: weights that are equal whatever is asked, components brought to
variance 1 before they are multiplied, and twins that train four times as long. The commands:

    python -m course_lab.experiments query_key_value/enough_tuning  # the learning rates
    python -m course_lab.experiments query_key_value/enough         # five seeds, on the test pairs
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lab.experiments.lab.bins import counts_of, together, with_counts
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import World, length_bins, make_world, vocabulary_sizes
from course_lib.attention.scores import AdditiveScore, GeneralScore, Score, dot, scaled_dot
from course_lib.data.batch import Batches, encode_pairs
from course_lib.device import cpu_generator
from course_lib.evaluation.teacher_forcing import teacher_forced
from course_lib.models.dot_product import DotConfig, DotProduct
from course_lib.models.parts import initialise
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit

MIN_WORDS, MAX_WORDS = 4, 14
EDGES = (4, 8, 11, MAX_WORDS + 1)
SEEDS = (0, 1, 2, 3, 4)
EMBEDDING, HIDDEN, ALIGNMENT = 48, 64, 32
STEPS, TOKENS = 400, 500
RATES = (5e-3, 1e-2, 2e-2, 4e-2, 8e-2)
STORED = Path(__file__).with_name("enough.json")
TUNING = Path(__file__).with_name("enough_tuning.json")


def equal(query: Float[Tensor, "*B Q D"], key: Float[Tensor, "*B K D"]) -> Float[Tensor, "*B Q K"]:
    """The control: every key scores the same, so each word weighs as much as another."""
    return torch.zeros_like(dot(query, key))


def of_variance_one(score: Score) -> Score:
    """A score of query and key whose components have mean 0 and variance 1 in each vector.

    It is a layer normalisation without weights (Ba et al. 2016), for the comparison alone: the
    values stay what they are.
    """

    def normed(query: Tensor, key: Tensor) -> Tensor:
        return score(*(nn.functional.layer_norm(x, x.shape[-1:]) for x in (query, key)))

    return normed


SCORES: dict[str, Callable[[], Score]] = {
    "dot": lambda: dot,
    "general": lambda: GeneralScore(HIDDEN, HIDDEN),
    "additive": lambda: AdditiveScore(HIDDEN, HIDDEN, ALIGNMENT),
    "equal weights": lambda: equal,
    "scaled dot": lambda: scaled_dot,
    "scaled dot, 4 times as long": lambda: scaled_dot,
    "dot, variance 1": lambda: of_variance_one(dot),
    "scaled dot, variance 1": lambda: of_variance_one(scaled_dot),
}
TIMES = {"scaled dot, 4 times as long": 4}
"""By how much longer a twin is trained; the others once. It keeps the rate of its score."""
RATE_OF = dict.fromkeys(SCORES, 2e-2)
"""For each score the rate with the lowest loss on validation pairs, of it and its neighbours."""


@cache
def the_world() -> World:
    """6,000 training pairs of 4 to 14 English words; 400 each to choose by and to judge by."""
    return make_world(6_000, 400, min_words=MIN_WORDS, max_words=MAX_WORDS)


def make_model(name: str, world: World, seed: int) -> DotProduct:
    """The translator with a score; what is not the score starts from the same weights in each."""
    generator = cpu_generator(seed)
    settings = {"embedding": EMBEDDING, "hidden": HIDDEN} | vocabulary_sizes(world.tokenizers)
    model = DotProduct(DotConfig(**settings), generator)
    model.score = SCORES[name]()
    if isinstance(model.score, nn.Module):
        initialise(model.score, generator)
    return model


def train(model: DotProduct, world: World, learning_rate: float, times: int = 1) -> None:
    """Sentences of all lengths, `STEPS` updates, or `times` as many; it ends in eval mode."""
    config = FitConfig(
        steps=times * STEPS,
        learning_rate=learning_rate,
        schedule="cosine",
        warmup=20,
        betas=(0.9, 0.95),
        clip_norm=0.5,
    )
    encoded = encode_pairs(world.train, *world.tokenizers)
    batches = Batches(encoded, tokens_per_batch=TOKENS, bucket_by="source")
    fit(model, batches, None, config, progress=False)
    model.eval()


def _trained(run: Trial, world: World) -> DotProduct:
    model = make_model(run.variant, world, run.seed)
    train(model, world, run.learning_rate, TIMES.get(run.variant, 1))
    return model


def _whole(world: World, split: str) -> Batches:
    encoded = encode_pairs(getattr(world, split), *world.tokenizers)
    return Batches(encoded, pairs_per_batch=100, shuffle=False)


def _judged(run: Trial) -> dict[str, Any]:
    world = the_world()
    model = _trained(run, world)
    forced = teacher_forced(model, _whole(world, "test"))
    return {
        "variant": run.variant,
        "seed": run.seed,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "nats": round(forced.nats, 4),
        "bins": counts_of(length_bins(model, world.test, world.tokenizers, EDGES)),
    }


def _tuned(run: Trial) -> dict[str, Any]:
    """The loss on the validation pairs; the test pairs are not looked at."""
    world = the_world()
    nats = teacher_forced(_trained(run, world), _whole(world, "valid")).nats
    return {"variant": run.variant, "learning_rate": run.learning_rate, "nats": round(nats, 4)}


def load_runs() -> dict[str, list[dict[str, Any]]]:
    """What the command stored, by score: one record a seed, its bins as `LengthCounts`."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in RATE_OF}
    for entry in map(with_counts, load_stored(STORED)):
        runs[entry["variant"]].append(entry)
    return runs


def exact_match(model: DotProduct, world: World) -> float:
    """Share of the test pairs that greedy search translates exactly, all lengths together."""
    bins = length_bins(model, world.test, world.tokenizers, EDGES)
    return together(counts_of(bins)).rate


def load_exact() -> dict[str, list[float]]:
    """Exact match on the test pairs, all lengths together: one share a seed, by score."""
    return {
        name: [together(run["bins"]).rate for run in runs] for name, runs in load_runs().items()
    }


EXPERIMENTS = [
    Experiment(
        "Is a dot product enough: chapter 5's runs.",
        STORED,
        lambda: planned(RATE_OF, list(RATE_OF), SEEDS),
        _judged,
    ),
    tuning(
        "The learning rates of chapter 5's scores.",
        TUNING,
        RATE_OF,
        RATES,
        SEEDS[0],
        _tuned,
        twins=TIMES,
    ),
]
