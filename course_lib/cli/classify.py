"""Classifiers of sentence pairs on the command line: their data, their recipes, what is measured.

Three data sets: "mini", the mini-world's inference pairs, which need no download; "sick" (Marelli
et al. 2014); and "snli" (Bowman et al. 2015), whose archive is 94 MB.
"""

import json
from argparse import Namespace
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from course_lib.cli.limits import MOST_PAIRS
from course_lib.cli.settings import fit_warmup, given, new_model, override, resumed
from course_lib.data.corpora import sick, snli
from course_lib.data.inference_pairs import LABELS, InferencePair
from course_lib.data.labelled import LabelledBatches
from course_lib.data.mini_world import inference
from course_lib.data.tokens.hashed import hashing_vocabulary
from course_lib.device import describe_device, get_device
from course_lib.errors import CourseError, one_line
from course_lib.evaluation.accuracy import accuracy, classified
from course_lib.files import atomic_write, fill
from course_lib.models.classifiers import CLASSIFIERS, build
from course_lib.models.pair_classifier import parameters_of
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import classification_loss
from course_lib.training.run_folder import Run, read_history, save_run, training_in

SPLITS = {"mini": inference.SPLITS, "sick": sick.SPLITS, "snli": snli.SPLITS}
"""Splits of each data set, in the order training, validation, test."""
_MINI = {"train": 4000, "valid": 500, "test": 500}


@dataclass(frozen=True)
class ClassifierTask:
    """Everything that decides which pairs a classifier sees.

    Attributes:
        name: "mini", "sick" or "snli".
        pairs: number of training pairs; 0 for all there are (mini-world: 4,000).
        held_out: number of validation or test pairs; 0 for all there are (mini-world: 500).
        premise: whether it sees the premise; without, a full stop stands in its place.
    """

    name: str
    pairs: int = 0
    held_out: int = 0
    premise: bool = True

    def __post_init__(self) -> None:
        if self.name not in SPLITS:
            raise CourseError(
                f"unknown data {self.name!r} for sentence pairs; choose one of {', '.join(SPLITS)}"
            )
        for name in ("pairs", "held_out"):
            if not 0 <= getattr(self, name) <= MOST_PAIRS:
                raise CourseError(f"{name} must be from 0 to {MOST_PAIRS}")

    def load(self, split: str) -> list[InferencePair]:
        """The pairs of one split, in a fixed order.

        Raises:
            CourseError: there is no such split, or its files cannot be had.
        """
        if split not in SPLITS[self.name]:
            raise CourseError(
                f"{self.name} has no split {split!r}; choose one of {', '.join(SPLITS[self.name])}"
            )
        wanted = self.pairs if split == "train" else self.held_out
        if self.name == "mini":
            pairs = [_as_text(p) for p in inference.sample(split, wanted or _MINI[split])]
        else:
            pairs = (sick if self.name == "sick" else snli).load(split)
            pairs = pairs[:wanted] if wanted else pairs
        return pairs if self.premise else [pair._replace(premise=".") for pair in pairs]


@dataclass(frozen=True)
class PairRecipe:
    """How classifiers are trained on one data set; see `recipes.Recipe`.

    Attributes:
        settings: the model's configuration without its vocabulary.
        fit: the training configuration.
        pairs_per_batch: batch size.
        minimum: how often a word must stand in the training pairs to be known.
    """

    settings: dict[str, Any]
    fit: FitConfig
    pairs_per_batch: int = 32
    minimum: int = 1


_MINI_FIT = FitConfig(steps=1500, learning_rate=5e-3, schedule="cosine", warmup=50)
_SICK_FIT = FitConfig(
    epochs=10, learning_rate=2e-3, schedule="cosine", warmup=100, checkpoint_every=50
)
_SNLI_FIT = FitConfig(
    epochs=10, learning_rate=5e-4, schedule="cosine", warmup=1000, checkpoint_every=1000, patience=3
)
_SICK = {"embedding": 100, "hidden": 100, "dropout": 0.2, "frozen": True}
_SNLI = {"embedding": 300, "hidden": 200, "dropout": 0.2, "frozen": True}
RECIPES: dict[str, PairRecipe] = {
    "mini": PairRecipe({"embedding": 32, "hidden": 32}, _MINI_FIT),
    "sick": PairRecipe(_SICK, _SICK_FIT),
    "snli": PairRecipe(_SNLI, _SNLI_FIT, pairs_per_batch=64, minimum=2),
}
"""By data set, the same for each classifier."""
_MORE = {("sick", "decomposable"): {"contrast": True}}
"""Settings that only one of them has."""


def train(options: Namespace) -> None:
    """Trains a classifier by its recipe and leaves a run folder behind.

    Raises:
        CourseError: an option that only a translator has, or anything that `fit` refuses.
    """
    for name in ("source", "target", "vocabulary", "max_tokens", "held_out_share"):
        if getattr(options, name) is not None:
            raise CourseError(
                f"--{name.replace('_', '-')} is for translators; {options.model} reads pairs of "
                "English sentences"
            )
    limits = given(pairs=options.pairs, held_out=options.held_out)
    task = ClassifierTask(options.data, premise=not options.no_premise, **limits)
    chosen = RECIPES[task.name]
    more = _MORE.get((task.name, options.model), {})
    folder = options.run or Path("runs", f"{options.model}-{task.name}")
    chosen = resumed(replace(chosen, settings=chosen.settings | more), folder, options)
    more = given(contrast=options.contrast)
    chosen = override(replace(chosen, settings=chosen.settings | more), options)
    training, validation, _ = SPLITS[task.name]
    pairs = task.load(training)
    tokenizer = hashing_vocabulary(
        (text for pair in pairs for text in pair[:2]), minimum=chosen.minimum
    )
    batched = partial(LabelledBatches, tokenizer=tokenizer, pairs_per_batch=chosen.pairs_per_batch)
    batches, held_out = batched(pairs, seed=chosen.fit.seed), batched(task.load(validation))
    config = fit_warmup(chosen.fit, batches, RECIPES[task.name].fit.steps)
    settings = chosen.settings | {"vocabulary": len(tokenizer)}
    model = new_model(build, options.model, settings, chosen.fit.seed)
    print(
        f"{options.model}: {parameters_of(model):,} parameters without the words' table, "
        f"{len(pairs):,} pairs of {task.name}, on {describe_device()}"
    )
    device = get_device()
    with training_in(folder):
        save_run(
            folder,
            name=options.model,
            model_config=settings,
            data=asdict(task),
            training=config.to_dict() | {"pairs_per_batch": chosen.pairs_per_batch},
            tokenizers=(tokenizer, tokenizer),
            resume=options.resume,
        )
        history = fit(
            model,
            batches,
            held_out,
            config,
            objective=classification_loss,
            directory=folder,
            resume=options.resume,
            device=device,
            metric=lambda net: accuracy(net, held_out.sequential(), device),
        )
    print(
        f"{'stopped' if history.interrupted else 'trained'}: {history.steps:,} updates in "
        f"{history.seconds / 60:.1f} minutes; the run is in {one_line(str(folder))}"
    )


def evaluate(run: Run, options: Namespace) -> None:
    """Classifies a test split and prints how much of it is right."""
    if options.data is not None:
        raise CourseError(
            f"{run.config['model']} is scored on the data that it was trained on; --data is for a "
            "translator"
        )
    if options.beam is not None:
        raise CourseError(
            f"{run.config['model']} writes no sentences to search; --beam is for a translator"
        )
    try:
        task = fill(ClassifierTask, run.config["data"])
    except (CourseError, ValueError) as error:
        raise CourseError(f"{options.run}, data: {error}; restore it or train again") from error
    split = options.split or SPLITS[task.name][2]
    pairs = task.load(split)
    device = get_device()
    batches = LabelledBatches(pairs, run.tokenizers[0], pairs_per_batch=64)
    said, right = classified(run.model.to(device), batches.sequential(), device)
    history = read_history(options.run)
    share = (said == right).double()
    by_label = {
        label: round(share[right == place].mean().item(), 4)
        for place, label in enumerate(LABELS)
        if (right == place).any()
    }
    scores = {
        "model": run.config["model"],
        "data": task.name,
        "split": split,
        "pairs": len(pairs),
        "accuracy": round(share.mean().item(), 4),
        "by_label": by_label,
        "validation_accuracy": history.best_metric and round(history.best_metric, 4),
        "parameters": parameters_of(run.model),
        "updates": history.steps,
        "training_minutes": round(history.seconds / 60, 1),
    }
    print(f"{task.name} {split}: accuracy {scores['accuracy']:.3f} of {len(pairs):,} pairs")
    for label, part in by_label.items():
        print(f"{label:>13}: {part:.3f} of {int((right == LABELS.index(label)).sum()):,}")
    if options.json:
        atomic_write(options.json, json.dumps(scores, indent=2) + "\n")


def is_classifier(name: str) -> bool:
    """Whether a model of this name reads two sentences, and translates none."""
    return name in CLASSIFIERS


def _as_text(pair: InferencePair) -> InferencePair:
    return pair._replace(premise=" ".join(pair.premise), hypothesis=" ".join(pair.hypothesis))
