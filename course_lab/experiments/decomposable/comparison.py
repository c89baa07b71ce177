"""The experiment of chapter 7 on the mini-world: how right are classifiers of pairs?

The mini-world's inference pairs, the same for every model, in the same order and with the same
number of updates. On validation pairs each learning rate is at most two hundredths behind the best
of itself and its two neighbours. The commands; first the rates:

    python -m course_lab.experiments decomposable/comparison_tuning
    python -m course_lab.experiments decomposable/comparison
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyping import Bool
from torch import Tensor, nn

from course_lab.experiments.decomposable import inference
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lib.data.inference_pairs import LABELS, InferencePair
from course_lib.data.labelled import LabelledBatches
from course_lib.data.tokens.hashed import hashing_vocabulary
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.device import cpu_generator
from course_lib.evaluation.accuracy import classified
from course_lib.models.decomposable import Decomposable, DecomposableConfig
from course_lib.models.pair_baselines import LSTMPair, LSTMPairConfig
from course_lib.models.parts import parameters_of
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import classification_loss

SEEDS = (0, 1, 2, 3, 4)
RATES = (1.25e-3, 2.5e-3, 5e-3, 1e-2, 2e-2, 4e-2)
STEPS, BATCH, EMBEDDING = 600, 32, 64
STORED = Path(__file__).with_name("comparison.json")
TUNING = Path(__file__).with_name("comparison_tuning.json")
MODELS = {
    "decomposable": (Decomposable, DecomposableConfig),
    "lstm": (LSTMPair, LSTMPairConfig),
}


@dataclass(frozen=True)
class PairVariant:
    """One point of the comparison.

    Attributes:
        model: a key of `MODELS`.
        hidden: its width.
        learning_rate: one of `RATES`.
        more: settings beyond the width.
    """

    model: str
    hidden: int
    learning_rate: float
    more: dict[str, Any] = field(default_factory=dict, hash=False)


VARIANTS = {
    "decomposable 32": PairVariant("decomposable", 32, 5e-3),
    "with intra-attention 32": PairVariant("decomposable", 32, 5e-3, {"intra": True}),
    "LSTM 32": PairVariant("lstm", 32, 5e-3),
}
RATE_OF = {name: variant.learning_rate for name, variant in VARIANTS.items()}


class PairWorld(NamedTuple):
    """The pairs of the experiment, and the vocabulary of the training pairs."""

    train: list[InferencePair]
    valid: list[InferencePair]
    test: list[InferencePair]
    vocabulary: WordVocabulary


@cache
def make_world(train: int = 4000, held_out: int = 500) -> PairWorld:
    """Training pairs, and some each to choose by and to judge by."""
    pairs = inference.sample("train", train)
    words = hashing_vocabulary(" ".join(side) for pair in pairs for side in pair[:2])
    valid, test = (inference.sample(split, held_out) for split in ("valid", "test"))
    return PairWorld(pairs, valid, test, words)


def make_model(name: str, world: PairWorld, seed: int, **more: Any) -> nn.Module:
    """A variant's model, its first weights drawn from the seed. Words begin as random vectors.

    `more` are further settings of the model, such as `contrast=True`.
    """
    variant = VARIANTS[name]
    model, config = MODELS[variant.model]
    sizes = {"vocabulary": len(world.vocabulary), "embedding": EMBEDDING, "frozen": True}
    return model(
        config(hidden=variant.hidden, **sizes, **variant.more, **more), cpu_generator(seed)
    )


def batches(pairs: Sequence[InferencePair], world: PairWorld) -> LabelledBatches:
    """Padded batches of pairs."""
    return LabelledBatches(pairs, world.vocabulary, pairs_per_batch=BATCH)


def train(run: Trial, world: PairWorld, times: int = 1, **more: Any) -> nn.Module:
    """Makes a variant's model and trains it; it ends in eval mode.

    Args:
        run: which variant, first weights and learning rate.
        world: the pairs.
        times: how many times `STEPS`.
        more: further settings of the model.
    """
    model = make_model(run.variant, world, run.seed, **more)
    config = FitConfig(
        steps=STEPS * times,
        learning_rate=run.learning_rate,
        schedule="cosine",
        warmup=50,
        seed=run.seed,
    )
    feed, objective = batches(world.train, world), classification_loss
    fit(model, feed, None, config, objective=objective, progress=False, device="cpu")
    return model.eval()


def right(model: nn.Module, pairs: Sequence[InferencePair], world: PairWorld) -> Bool[Tensor, " P"]:
    """Which of the pairs a model classifies rightly."""
    said, labels = classified(model, batches(pairs, world).sequential())
    return said == labels


def accuracy(model: nn.Module, pairs: Sequence[InferencePair], world: PairWorld) -> float:
    """The share of the pairs that is right."""
    return round(right(model, pairs, world).double().mean().item(), 4)


def itself(model: nn.Module, pairs: Sequence[InferencePair], world: PairWorld) -> float:
    """The share of the premises of which a model says that they follow from themselves."""
    asked = [pair._replace(hypothesis=pair.premise, label=LABELS[0]) for pair in pairs]
    return accuracy(model, asked, world)


def _tune(run: Trial) -> dict[str, Any]:
    world = make_world()
    return {**run._asdict(), "accuracy": accuracy(train(run, world), world.valid, world)}


def _judge(run: Trial) -> dict[str, Any]:
    world = make_world()
    model = train(run, world)
    return {
        "variant": run.variant,
        "seed": run.seed,
        "parameters": parameters_of(model),
        "accuracy": accuracy(model, world.test, world),
        "itself": itself(model, world.test, world),
    }


def load_shares() -> dict[str, list[dict[str, Any]]]:
    """What the command stored: for each variant one record a seed."""
    by_variant: dict[str, list[dict[str, Any]]] = {name: [] for name in VARIANTS}
    for record in load_stored(STORED):
        by_variant[record["variant"]].append(record)
    return by_variant


EXPERIMENTS = [
    Experiment(
        "Accuracies of chapter 7.",
        STORED,
        lambda: planned(RATE_OF, list(RATE_OF), SEEDS),
        _judge,
    ),
    tuning(
        "The learning rates of chapter 7's models.",
        TUNING,
        RATE_OF,
        RATES,
        SEEDS[0],
        _tune,
    ),
]
