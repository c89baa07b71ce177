"""Settings that are known to work: one recipe for each data set and model.

Short trainings on the validation split of Multi30k chose the Transformer's vocabulary, width,
dropout and norm, Bahdanau's learning rate, and Luong's score; the page Results reports what came of
it. All other settings are a first choice.
"""

from dataclasses import dataclass, replace
from typing import Any

from course_lib.data.batch_source import BatchSource
from course_lib.errors import CourseError
from course_lib.models.registry import CLASSIFIERS
from course_lib.training.config import FitConfig


@dataclass(frozen=True)
class Recipe:
    """How one model is trained on one data set.

    Attributes:
        settings: the model's configuration without its vocabularies.
        tokens_per_batch: batch size of translators, in tokens of the longer side, padding counted.
        vocabulary: size of the joint byte-pair vocabulary, where there is one.
        pairs_per_batch: batch size of classifiers.
        minimum: how often a word must occur in a classifier's training pairs to be known.
    """

    settings: dict[str, Any]
    fit: FitConfig
    tokens_per_batch: int = 1500
    vocabulary: int = 6000
    lowercase: bool = False
    pairs_per_batch: int = 32
    minimum: int = 1


_RECURRENT_FIT = FitConfig(
    steps=1800,
    learning_rate=3e-3,
    schedule="cosine",
    warmup=200,
    label_smoothing=0.1,
    betas=(0.9, 0.98),
    validate_every=225,
    average=0.998,
)
_ATTENTIVE_FIT = replace(
    _RECURRENT_FIT,
    steps=7000,
    learning_rate=2e-3,
    schedule="warmup_inverse_sqrt",
    warmup=800,
    validate_every=500,
)
_RECURRENT = {"embedding": 256, "hidden": 256, "dropout": 0.4}


def _recurrent(fit: FitConfig = _RECURRENT_FIT, **settings: Any) -> Recipe:
    return Recipe(_RECURRENT | settings, fit, tokens_per_batch=6144)


_TRANSFORMER = Recipe(
    {"width": 256, "heads": 4, "layers": 3, "feed_forward": 512, "tied": "all", "dropout": 0.3},
    _ATTENTIVE_FIT,
    tokens_per_batch=4096,
    vocabulary=10_000,
)
_MINI_FIT = FitConfig(
    epochs=6, learning_rate=2e-3, schedule="cosine", warmup=100, checkpoint_every=200
)
_SMALL = {"embedding": 64, "hidden": 128}
_ATTENTIVE = {"learning_rate": 1e-3, "schedule": "warmup_inverse_sqrt", "betas": (0.9, 0.98)}

# Nobody knows how many pairs a reader's file has: small layers, and `adapted` says how long.
_OWN_FIT = replace(
    _MINI_FIT, epochs=8, warmup=200, label_smoothing=0.1, betas=(0.9, 0.98), patience=5
)
_OWN = {"embedding": 128, "hidden": 192, "dropout": 0.3}

RECIPES: dict[tuple[str, str], Recipe] = {
    ("multi30k", "bahdanau"): _recurrent(alignment=128),
    ("multi30k", "dot"): _recurrent(hidden=384),
    ("multi30k", "luong"): _recurrent(hidden=384, score="dot"),
    ("multi30k", "lstmn"): _recurrent(replace(_RECURRENT_FIT, steps=1200, validate_every=200)),
    ("multi30k", "cho"): _recurrent(replace(_RECURRENT_FIT, steps=1350), hidden=384),
    # It fits its training data least of all, and needs the longest.
    ("multi30k", "sutskever"): _recurrent(
        replace(_RECURRENT_FIT, steps=3500, validate_every=350), layers=2, dropout=0.3
    ),
    ("multi30k", "transformer"): _TRANSFORMER,
    ("own", "transformer"): Recipe(
        {"width": 128, "heads": 4, "layers": 3, "tied": "all", "dropout": 0.2},
        replace(_OWN_FIT, **_ATTENTIVE),
    ),
    ("mini", "transformer"): Recipe(
        {"width": 128, "heads": 4, "layers": 2}, replace(_MINI_FIT, **_ATTENTIVE)
    ),
}
for _name, _mini, _own in (
    ("bahdanau", {"alignment": 64}, {"alignment": 96}),
    ("sutskever", {"layers": 2}, {"layers": 2}),
    ("lstmn", {}, {}),
    *((name, {"hidden": 192}, {}) for name in ("dot", "luong", "cho")),
):
    RECIPES["mini", _name] = Recipe(_SMALL | _mini, _MINI_FIT)
    RECIPES["own", _name] = Recipe(_OWN | _own, _OWN_FIT)

_SICK = Recipe(
    {"embedding": 100, "hidden": 100, "dropout": 0.2, "frozen": True},
    FitConfig(epochs=10, learning_rate=2e-3, schedule="cosine", warmup=100, checkpoint_every=50),
)
_SNLI = Recipe(
    {"embedding": 300, "hidden": 200, "dropout": 0.2, "frozen": True},
    FitConfig(
        epochs=10,
        learning_rate=5e-4,
        schedule="cosine",
        warmup=1000,
        checkpoint_every=1000,
        patience=3,
    ),
    pairs_per_batch=64,
    minimum=2,
)
for _name in CLASSIFIERS:
    RECIPES["sick", _name], RECIPES["snli", _name] = _SICK, _SNLI
_CONTRAST = _SICK.settings | {"contrast": True}
RECIPES["sick", "decomposable"] = replace(_SICK, settings=_CONTRAST)


def recipe(data: str, model: str) -> Recipe:
    """The recipe for a model on a data set; CourseError if there is none."""
    models = sorted({known for _, known in RECIPES})
    if model not in models:
        raise CourseError(f"want a model out of {', '.join(models)}; got {model!r}")
    if (data, model) not in RECIPES:
        names = ", ".join(sorted({d for d, other in RECIPES if other == model} - {"own"}))
        files = "" if model in CLASSIFIERS else ", or name a file of sentence pairs"
        raise CourseError(f"unknown data {data!r}; choose one of {names}{files}")
    return RECIPES[data, model]


FEWEST_UPDATES = 1500
"""Of a run on own pairs: a small file is gone over many times."""
_BETWEEN_VALIDATIONS = 100


def adapted(fit: FitConfig, changes: dict[str, Any], batches: BatchSource, own: bool) -> FitConfig:
    """A recipe's training with the reader's changes.

    On own pairs it is as long as a small file needs, unless the reader has chosen the number of
    steps or epochs. A run much shorter than the recipe's warms up over its first tenth.
    """
    chosen, own_length = fit.steps, changes.keys() & {"steps", "epochs"}
    if own_length:
        changes = {"steps": None, "epochs": None} | changes
    fit = replace(fit, **changes)
    if own:
        updates = replace(fit, steps=None, epochs=1).total_steps(batches)
        total = fit.steps or fit.epochs * updates
        if not own_length:
            total = max(FEWEST_UPDATES, total)
            fit = replace(fit, epochs=None, steps=total)
        fit = replace(fit, validate_every=min(max(_BETWEEN_VALIDATIONS, updates), total))
    if fit.steps is None or fit.steps != chosen:
        # A schedule that falls from its warm-up's end cannot do without one.
        least = int(fit.schedule == "warmup_inverse_sqrt")
        warmup = min(fit.warmup, max(fit.total_steps(batches) // 10, least))
        fit = replace(fit, warmup=warmup)
    return fit
