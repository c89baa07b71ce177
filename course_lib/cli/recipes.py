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
# Of fewer than three million weights.
_SMALL_TRANSFORMER = replace(
    _TRANSFORMER,
    settings=_TRANSFORMER.settings | {"width": 128, "feed_forward": 256, "heads": 4, "layers": 4},
    fit=replace(_ATTENTIVE_FIT, learning_rate=4e-3, warmup=1000),
    tokens_per_batch=6144,
)
_MINI_FIT = FitConfig(
    epochs=6, learning_rate=2e-3, schedule="cosine", warmup=100, checkpoint_every=200
)
_SMALL = {"embedding": 64, "hidden": 128}
_ATTENTIVE = {"learning_rate": 1e-3, "schedule": "warmup_inverse_sqrt", "betas": (0.9, 0.98)}

# Nobody knows how many pairs a reader's file has: small layers, and `for_own` says how long.
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
    ("own", "bahdanau"): Recipe({**_OWN, "alignment": 96}, _OWN_FIT),
    **{("own", name): Recipe(_OWN, _OWN_FIT) for name in ("dot", "luong", "lstmn", "cho")},
    ("own", "sutskever"): Recipe({**_OWN, "layers": 2}, _OWN_FIT),
    ("own", "transformer"): Recipe(
        {"width": 128, "heads": 4, "layers": 3, "tied": "all", "dropout": 0.2},
        replace(_OWN_FIT, **_ATTENTIVE),
    ),
    ("mini", "bahdanau"): Recipe({**_SMALL, "alignment": 64}, _MINI_FIT),
    **{
        ("mini", name): Recipe({**_SMALL, "hidden": 192}, _MINI_FIT)
        for name in ("dot", "luong", "cho")
    },
    ("mini", "lstmn"): Recipe(_SMALL, _MINI_FIT),
    ("mini", "sutskever"): Recipe({**_SMALL, "layers": 2}, _MINI_FIT),
    ("mini", "transformer"): Recipe(
        {"width": 128, "heads": 4, "layers": 2}, replace(_MINI_FIT, **_ATTENTIVE)
    ),
}
_OF_ONE_DIRECTION = {("multi30k", "transformer", "en-de"): _SMALL_TRANSFORMER}

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
CLASSIFIER_RECIPES: dict[tuple[str, str], Recipe] = {
    (data, model): chosen
    for data, chosen in (("sick", _SICK), ("snli", _SNLI))
    for model in CLASSIFIERS
}
CLASSIFIER_RECIPES["sick", "decomposable"] = replace(
    _SICK, settings=_SICK.settings | {"contrast": True}
)


def recipe(data: str, model: str, direction: str = "") -> Recipe:
    """The recipe for a model on a data set and in a direction; CourseError if there is none."""
    recipes = CLASSIFIER_RECIPES if model in CLASSIFIERS else RECIPES
    if (data, model) not in recipes:
        known = ", ".join([*translators(), *sorted(CLASSIFIERS)])
        raise CourseError(f"want a model out of {known}; got {model!r}")
    return _OF_ONE_DIRECTION.get((data, model, direction), recipes[data, model])


def translators() -> list[str]:
    """The translators that can be trained by name, in alphabetical order."""
    return sorted({model for _, model in RECIPES})


FEWEST_UPDATES = 1500
"""Of a run on own pairs: a small file is gone over many times."""
_BETWEEN_VALIDATIONS = 100


def for_own(fit: FitConfig, updates: int, *, keep_length: bool) -> FitConfig:
    """A run on own pairs of so many updates an epoch: as long as a small file needs.

    With `keep_length` the reader has chosen the number of steps or epochs.
    """
    total = fit.steps or fit.epochs * updates
    if not keep_length:
        total = max(FEWEST_UPDATES, total)
        fit = replace(fit, epochs=None, steps=total)
    return replace(fit, validate_every=min(max(_BETWEEN_VALIDATIONS, updates), total))


def shorten_warmup(fit: FitConfig, batches: BatchSource, steps: int | None) -> FitConfig:
    """A run much shorter than the recipe's warms up over its first tenth.

    `steps` are those of the recipe; None if it counts epochs, whose steps depend on the data.
    """
    if steps is not None and fit.steps == steps:
        return fit
    total = fit.total_steps(batches)
    # A schedule that falls from its warm-up's end cannot do without one.
    least = int(fit.schedule == "warmup_inverse_sqrt")
    return replace(fit, warmup=min(fit.warmup, max(total // 10, least)))
