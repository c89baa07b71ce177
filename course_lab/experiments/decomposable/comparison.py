"""The experiment of chapter 7: how right are classifiers of pairs, and with how many parameters?

The mini-world's inference pairs, the same for every model, in the same order and with the same
number of updates. On validation pairs each learning rate is at most two hundredths behind the best
of itself and its two neighbours. The command stores what the book draws; first the rates:

    python -m course_lab.experiments decomposable/comparison_tuning
    python -m course_lab.experiments decomposable/comparison
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyping import Bool
from torch import Tensor

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lib.data.inference_pairs import LABELS, InferencePair
from course_lib.data.labelled import LabelledBatches
from course_lib.data.mini_world import inference
from course_lib.data.mini_world.lexicon.vocabulary import PREPOSITIONS
from course_lib.data.mini_world.statements import QUANTIFIERS
from course_lib.data.tokens.hashed import hashing_vocabulary
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.device import cpu_generator
from course_lib.evaluation.accuracy import classified
from course_lib.models.decomposable import Decomposable, DecomposableConfig
from course_lib.models.pair_baselines import BagConfig, BagOfVectors, LSTMPair, LSTMPairConfig
from course_lib.models.pair_classifier import PairClassifier, parameters_of
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
    "bag": (BagOfVectors, BagConfig),
    "lstm": (LSTMPair, LSTMPairConfig),
}


@dataclass(frozen=True)
class PairVariant:
    """One point of the comparison.

    Attributes:
        model: a key of `MODELS`.
        hidden: its width.
        learning_rate: one of `RATES`; `CONTROLS` keep that of another model.
        more: settings beyond the width.
        times: how many times `STEPS` it is trained.
        premise: whether it sees the premise.
    """

    model: str
    hidden: int
    learning_rate: float
    more: dict[str, Any] = field(default_factory=dict, hash=False)
    times: int = 1
    premise: bool = True


VARIANTS = {
    "decomposable 16": PairVariant("decomposable", 16, 5e-3),
    "decomposable 32": PairVariant("decomposable", 32, 5e-3),
    "with intra-attention 32": PairVariant("decomposable", 32, 5e-3, {"intra": True}),
    "bag 16": PairVariant("bag", 16, 1e-2),
    "bag 32": PairVariant("bag", 32, 1e-2),
    "LSTM 16": PairVariant("lstm", 16, 1e-2),
    "LSTM 32": PairVariant("lstm", 32, 5e-3),
    "bag 32, four times as long": PairVariant("bag", 32, 1e-2, times=4),
    "LSTM 16, four times as long": PairVariant("lstm", 16, 1e-2, times=4),
    "LSTM 32, four times as long": PairVariant("lstm", 32, 5e-3, times=4),
    "decomposable 16, four times as long": PairVariant("decomposable", 16, 5e-3, times=4),
    "decomposable 32, four times as long": PairVariant("decomposable", 32, 5e-3, times=4),
    "hypothesis alone": PairVariant("bag", 32, 5e-3, premise=False),
}
TOLD_APART = ("decomposable 32, four times as long", "LSTM 32, four times as long")
"""As right as each other, and not about the same pairs: stored by construction too."""
ASKED_OF_ITSELF = ("decomposable 32", "with intra-attention 32", "LSTM 32")
"""Of these it is stored, too, how many sentences follow from themselves: `itself`."""
RATE_OF = {name: variant.learning_rate for name, variant in VARIANTS.items()}
CONTROLS = [name for name, one in VARIANTS.items() if one.times > 1 or not one.premise]
"""They keep the rate of the model that they control."""


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


def make_model(name: str, world: PairWorld, seed: int, **more: Any) -> PairClassifier:
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


def train(run: Trial, world: PairWorld, times: int | None = None, **more: Any) -> PairClassifier:
    """Makes a variant's model and trains it; it ends in eval mode.

    Args:
        run: which variant, first weights and learning rate.
        world: the pairs.
        times: how many times `STEPS`; by default as often as the variant says.
        more: further settings of the model.
    """
    variant = VARIANTS[run.variant]
    model = make_model(run.variant, world, run.seed, **more)
    pairs = world.train if variant.premise else _without_premise(world.train)
    config = FitConfig(
        steps=STEPS * (times or variant.times),
        learning_rate=run.learning_rate,
        schedule="cosine",
        warmup=50,
        seed=run.seed,
    )
    feed, objective = batches(pairs, world), classification_loss
    fit(model, feed, None, config, objective=objective, progress=False, device="cpu")
    return model.eval()


def right(
    model: PairClassifier, pairs: Sequence[InferencePair], world: PairWorld
) -> Bool[Tensor, " P"]:
    """Which of the pairs a model classifies rightly."""
    said, labels = classified(model, batches(pairs, world).sequential())
    return said == labels


def renamed(pair: InferencePair) -> InferencePair:
    """The pair with new names for what both sentences speak of: words that nobody has seen.

    Renamed is what stands in both sentences in the same form; what carries the label is left alone.
    """
    shared = [w for w in pair.premise if w in pair.hypothesis and w not in _KEPT]
    new = {word: f"x{place}{word}" for place, word in enumerate(shared)}
    premise, hypothesis = (tuple(new.get(w, w) for w in side) for side in pair[:2])
    return pair._replace(premise=premise, hypothesis=hypothesis)


_KEPT = frozenset((*QUANTIFIERS, *PREPOSITIONS, "an", "the", "does", "do", "not", ".", "at"))


def _without_premise(pairs: Sequence[InferencePair]) -> list[InferencePair]:
    return [pair._replace(premise=(".",)) for pair in pairs]


def measured(
    model: PairClassifier, pairs: Sequence[InferencePair], world: PairWorld, premise: bool = True
) -> dict[str, float]:
    """The share that is right: of the pairs as they are, and with their words renamed."""
    shares = {"accuracy": right(model, pairs if premise else _without_premise(pairs), world)}
    if premise:
        shares["renamed"] = right(model, [renamed(pair) for pair in pairs], world)
    return {name: round(share.double().mean().item(), 4) for name, share in shares.items()}


def by_construction(
    model: PairClassifier, pairs: Sequence[InferencePair], world: PairWorld
) -> dict[str, float]:
    """The share that is right of each construction that there is."""
    right_answers = right(model, pairs, world).tolist()
    of = {
        name: [ok for ok, p in zip(right_answers, pairs, strict=True) if p.construction == name]
        for name in inference.CONSTRUCTIONS
    }
    return {name: round(sum(each) / len(each), 4) for name, each in of.items() if each}


def itself(model: PairClassifier, pairs: Sequence[InferencePair], world: PairWorld) -> float:
    """The share of the premises of which a model says that they follow from themselves."""
    asked = [pair._replace(hypothesis=pair.premise, label=LABELS[0]) for pair in pairs]
    return round(right(model, asked, world).double().mean().item(), 4)


def _tune(run: Trial) -> dict[str, Any]:
    world, premise = make_world(), VARIANTS[run.variant].premise
    shares = measured(train(run, world), world.valid, world, premise)
    return {**run._asdict(), "accuracy": shares["accuracy"]}


def _judge(run: Trial) -> dict[str, Any]:
    world = make_world()
    model = train(run, world)
    record = {"variant": run.variant, "seed": run.seed, "parameters": parameters_of(model)}
    record |= measured(model, world.test, world, VARIANTS[run.variant].premise)
    if run.variant in TOLD_APART:
        record["by"] = by_construction(model, world.test, world)
    if run.variant in ASKED_OF_ITSELF:
        record["itself"] = itself(model, world.test, world)
    return record


def load_shares() -> dict[str, list[dict[str, Any]]]:
    """What the command stored: for each variant one record a seed."""
    by_variant: dict[str, list[dict[str, Any]]] = {name: [] for name in VARIANTS}
    for record in load_stored(STORED):
        by_variant[record["variant"]].append(record)
    return by_variant


def load_tuning() -> dict[str, dict[float, float]]:
    """Validation accuracy by learning rate for each variant."""
    by_variant: dict[str, dict[float, float]] = {name: {} for name in VARIANTS}
    for record in load_stored(TUNING):
        by_variant[record["variant"]][record["learning_rate"]] = record["accuracy"]
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
        twins=CONTROLS,
    ),
]
