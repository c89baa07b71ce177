"""Settings that are known to work: one recipe per data set and model.

The models of one data set have sizes of the same order. The settings are a first choice, not a
search: no learning rate was compared on a validation split, and early runs of Bahdanau with these
settings were scored on Multi30k's test split before the final one. Where chapters compare models,
their experiments choose the settings on validation sentences (see `bottleneck.py`).
"""

from dataclasses import dataclass, replace
from typing import Any

from course_lib.errors import CourseError
from course_lib.models.classifiers import CLASSIFIERS
from course_lib.models.registry import MODELS
from course_lib.training.config import FitConfig


@dataclass(frozen=True)
class Recipe:
    """How one model is trained on one data set.

    Attributes:
        settings: the model's configuration without its vocabularies.
        fit: the training configuration.
        tokens_per_batch: batch size, in tokens of the longer side, padding counted.
    """

    settings: dict[str, Any]
    fit: FitConfig
    tokens_per_batch: int = 1500


_MULTI30K_FIT = FitConfig(
    epochs=8,
    learning_rate=2e-3,
    schedule="cosine",
    warmup=200,
    label_smoothing=0.1,
    betas=(0.9, 0.98),
    clip_norm=1.0,
    checkpoint_every=200,
    patience=3,
)
_MINI_FIT = FitConfig(
    epochs=6,
    learning_rate=2e-3,
    schedule="cosine",
    warmup=100,
    clip_norm=1.0,
    checkpoint_every=200,
)
_RECURRENT = {"embedding": 256, "hidden": 256, "dropout": 0.3}
_SMALL = {"embedding": 64, "hidden": 128}
_ATTENTIVE_FIT = {"learning_rate": 1e-3, "schedule": "warmup_inverse_sqrt", "betas": (0.9, 0.98)}

# Nobody knows how many pairs a reader's file has: small layers, and `for_own` says how long.
_OWN_FIT = replace(_MULTI30K_FIT, patience=5)
_OWN = {"embedding": 128, "hidden": 192, "dropout": 0.3}

RECIPES: dict[tuple[str, str], Recipe] = {
    ("multi30k", "bahdanau"): Recipe({**_RECURRENT, "alignment": 128}, _MULTI30K_FIT),
    ("multi30k", "dot"): Recipe({**_RECURRENT, "hidden": 384}, _MULTI30K_FIT),
    ("multi30k", "luong"): Recipe({**_RECURRENT, "hidden": 384}, _MULTI30K_FIT),
    ("multi30k", "lstmn"): Recipe(_RECURRENT, _MULTI30K_FIT),
    ("multi30k", "cho"): Recipe({**_RECURRENT, "hidden": 384}, _MULTI30K_FIT),
    ("multi30k", "sutskever"): Recipe({**_RECURRENT, "layers": 2}, _MULTI30K_FIT),
    ("multi30k", "transformer"): Recipe(
        {"width": 256, "heads": 4, "layers": 3, "tied": "all", "dropout": 0.3},
        replace(_MULTI30K_FIT, **_ATTENTIVE_FIT),
    ),
    ("own", "bahdanau"): Recipe({**_OWN, "alignment": 96}, _OWN_FIT),
    ("own", "dot"): Recipe(_OWN, _OWN_FIT),
    ("own", "luong"): Recipe(_OWN, _OWN_FIT),
    ("own", "lstmn"): Recipe(_OWN, _OWN_FIT),
    ("own", "cho"): Recipe(_OWN, _OWN_FIT),
    ("own", "sutskever"): Recipe({**_OWN, "layers": 2}, _OWN_FIT),
    ("own", "transformer"): Recipe(
        {"width": 128, "heads": 4, "layers": 3, "tied": "all", "dropout": 0.2},
        replace(_OWN_FIT, **_ATTENTIVE_FIT),
    ),
    ("mini", "bahdanau"): Recipe({**_SMALL, "alignment": 64}, _MINI_FIT),
    ("mini", "dot"): Recipe({**_SMALL, "hidden": 192}, _MINI_FIT),
    ("mini", "luong"): Recipe({**_SMALL, "hidden": 192}, _MINI_FIT),
    ("mini", "lstmn"): Recipe(_SMALL, _MINI_FIT),
    ("mini", "cho"): Recipe({**_SMALL, "hidden": 192}, _MINI_FIT),
    ("mini", "sutskever"): Recipe({**_SMALL, "layers": 2}, _MINI_FIT),
    ("mini", "transformer"): Recipe(
        {"width": 128, "heads": 4, "layers": 2}, replace(_MINI_FIT, **_ATTENTIVE_FIT)
    ),
}


def recipe(data: str, model: str) -> Recipe:
    """The recipe for a model on a data set.

    Raises:
        CourseError: there is no such model, or it is not a translator.
    """
    if model not in MODELS:
        known = ", ".join([*translators(), *sorted(CLASSIFIERS)])
        raise CourseError(f"want a model out of {known}; got {model!r}")
    if (data, model) not in RECIPES:
        raise CourseError(
            f"{model} is not trained as a translator; choose one of {', '.join(translators())}"
        )
    return RECIPES[data, model]


FEWEST_UPDATES = 1500
"""Of a run on own pairs: a small file is gone over many times."""
_BETWEEN_VALIDATIONS = 100


def for_own(fit: FitConfig, batches: int, *, asked: bool) -> FitConfig:
    """A run on own pairs, as long as a small file needs, and validated now and then.

    Args:
        fit: by the recipe, for a large file.
        batches: in one epoch.
        asked: whether the number of steps or epochs is the reader's own and stays.
    """
    total = fit.steps or fit.epochs * batches
    if not asked:
        total = max(FEWEST_UPDATES, total)
        fit = replace(fit, epochs=None, steps=total)
    return replace(fit, validate_every=min(max(_BETWEEN_VALIDATIONS, batches), total))


def translators() -> list[str]:
    """The models that can be trained by name, in alphabetical order."""
    return sorted({model for _, model in RECIPES})
