"""The experiment of chapter 6c: where is the king? One sentence of a document decides.

There are four answers, three places and "nobody says". Does the largest sentence weight stand on
the deciding sentence, and do weights say what a word is worth? The command stores what the
book shows; first that by which the rates are chosen:

    python -m course_lab.experiments two_levels/king_tuning
    python -m course_lab.experiments two_levels/king
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from torch import nn

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.two_levels.batches import (
    DocumentBatch,
    DocumentBatches,
    collate_documents,
    encode_documents,
)
from course_lab.experiments.two_levels.controls import (
    LEVELS,
    BagOfWords,
    with_equal_weights,
    without_encoders,
)
from course_lab.experiments.two_levels.documents import PLACES, DecidedDocument, Document, sample
from course_lab.experiments.two_levels.looks import looks
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.device import cpu_generator
from course_lib.models.hierarchical import HierarchicalConfig
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import classification_loss, measure

ANSWERS = (*PLACES, "nobody says")
FAMILIES, HELD_OUT = 750, 50
STEPS, DOCUMENTS = 200, 24
LONG = {"sentences": (36, 40), "rivals": 18}
"""Documents much longer than those of the training."""


class KingVariant(NamedTuple):
    """What is changed of the network of the chapter.

    Attributes:
        equal: the levels on which weights are equal.
        alone: the levels on which no GRU reads, and a linear layer annotates each position.
        bag: a bag of words, and no network of two levels at all.
        silent: False where the silent documents are left out of the training.
        times: by how much longer it is trained.
    """

    equal: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    bag: bool = False
    silent: bool = True
    times: int = 1


VARIANTS = {
    "attention": KingVariant(),
    "three answers": KingVariant(silent=False),
    "equal words": KingVariant(LEVELS[:1]),
    "equal sentences": KingVariant(LEVELS[1:]),
    "equal both": KingVariant(LEVELS),
    "equal both, longer": KingVariant(LEVELS, times=4),
    "no word GRU": KingVariant(alone=LEVELS[:1]),
    "no word GRU, longer": KingVariant(alone=LEVELS[:1], times=4),
    "no word GRU, equal": KingVariant(LEVELS, LEVELS[:1]),
    "no word GRU, equal, longer": KingVariant(LEVELS, LEVELS[:1], times=4),
    "no GRU": KingVariant(alone=LEVELS),
    "no GRU, equal": KingVariant(LEVELS, LEVELS),
    "no GRU, equal, longer": KingVariant(LEVELS, LEVELS, times=4),
    "bag": KingVariant(bag=True),
    "bag, longer": KingVariant(bag=True, times=4),
}
RATES = (2.5e-3, 5e-3, 1e-2, 2e-2, 4e-2, 8e-2)
LEARNING_RATES = dict.fromkeys(VARIANTS, 1e-2) | {
    "bag": 0.04,
    "bag, longer": 0.02,
    "equal both": 0.02,
    "no GRU": 0.005,
    "no GRU, equal": 0.02,
    "no GRU, equal, longer": 0.04,
    "no word GRU": 0.04,
    "no word GRU, equal": 0.02,
}
"""For each variant a rate that is as good on the validation documents as its neighbours."""
SEEDS = (0, 1, 2, 3, 4)
STORED = Path(__file__).with_name("king.json")
TUNING = Path(__file__).with_name("king_tuning.json")


@dataclass(frozen=True)
class Kingdom:
    """The documents of the experiment.

    Attributes:
        train: training documents.
        valid: documents by which rates are chosen.
        test: documents that are looked at once. No two splits share a sentence.
        long: test documents with several times as many sentences.
        vocabulary: the training documents' words.
    """

    train: list[DecidedDocument]
    valid: list[DecidedDocument]
    test: list[DecidedDocument]
    long: list[DecidedDocument]
    vocabulary: WordVocabulary

    def batch(self, documents: Sequence[Document]) -> DocumentBatch:
        """A padded batch of just these documents."""
        return collate_documents(encode_documents(documents, self.vocabulary))


@cache
def make_world() -> Kingdom:
    """Documents of 6 to 8 sentences; the same at every call."""
    train = sample("train", FAMILIES, seed=1, silent=True)
    return Kingdom(
        train,
        sample("valid", HELD_OUT, seed=1, silent=True),
        sample("test", HELD_OUT, seed=11, silent=True),
        sample("test", HELD_OUT // 2, seed=12, silent=True, **LONG),
        WordVocabulary.from_sentences([words for d in train for words in d.sentences]),
    )


def make_model(variant: str, world: Kingdom, seed: int) -> nn.Module:
    """A model or a control, its first weights drawn from the seed."""
    config = HierarchicalConfig(
        len(world.vocabulary), len(ANSWERS), embedding=24, hidden=24, attention=24
    )
    changed, generator = VARIANTS[variant], cpu_generator(seed)
    if changed.bag:
        return BagOfWords(config, generator)
    model = with_equal_weights(config, generator, *changed.equal)
    return without_encoders(model, generator, *changed.alone)


def learned_from(variant: str, documents: Sequence[DecidedDocument]) -> Sequence[DecidedDocument]:
    """The documents that a variant is trained on, and its rate is chosen by."""
    return documents if VARIANTS[variant].silent else [d for d in documents if not d.silent]


def train(trial: Trial, world: Kingdom) -> nn.Module:
    """Makes the model and trains it; it ends in eval mode."""
    model = make_model(trial.variant, world, trial.seed)
    lessons = learned_from(trial.variant, world.train)
    feed = DocumentBatches(encode_documents(lessons, world.vocabulary), DOCUMENTS)
    config = FitConfig(
        steps=STEPS * VARIANTS[trial.variant].times,
        learning_rate=trial.learning_rate,
        schedule="cosine",
        warmup=20,
        validate_every=10**6,
    )
    history = fit(
        model, feed, None, config, objective=classification_loss, progress=False, device="cpu"
    )
    if history.interrupted:
        raise KeyboardInterrupt  # a half-trained model must not pass for a trained one
    return model.eval()


def train_one(variant: str = "attention", seed: int = 0) -> nn.Module:
    """A model of the stored runs, made again."""
    return train(Trial(variant, seed, LEARNING_RATES[variant]), make_world())


def load_runs() -> dict[str, list[dict[str, Any]]]:
    """What the command stored: for each variant one record a seed.

    What was found in the long documents has "long" before its name, as in "long accuracy".
    """
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in VARIANTS}
    for record in load_stored(STORED):
        far = {f"long {name}": share for name, share in record.pop("long").items()}
        found[record["variant"]].append(record | far)
    return found


def _tune(trial: Trial) -> dict[str, Any]:
    world = make_world()
    batches = [world.batch(learned_from(trial.variant, world.valid))]
    nats, count = measure(train(trial, world), batches, objective=classification_loss)
    return {
        "variant": trial.variant,
        "learning_rate": trial.learning_rate,
        "nats": round(nats / count, 4),
    }


def _judge(trial: Trial) -> dict[str, Any]:
    world = make_world()
    model = train(trial, world)
    return {
        "variant": trial.variant,
        "seed": trial.seed,
        "parameters": sum(p.numel() for p in model.parameters()),
        **looks(model, world.test, world.batch),
        "long": looks(model, world.long, world.batch, effects=False),
    }


_LOST = ("best", "decider", "decider 0", "decider 1", "decider 2", "other", "top", "where", "who")
EXPERIMENTS = [
    Experiment(
        "Which words, in which sentence: chapter 6c's runs.",
        STORED,
        lambda: planned(LEARNING_RATES, list(LEARNING_RATES), SEEDS),
        _judge,
    ),
    tuning(
        "The learning rates of chapter 6c's variants.",
        TUNING,
        LEARNING_RATES,
        RATES,
        SEEDS[0],
        _tune,
    ),
]
