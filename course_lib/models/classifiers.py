"""Every classifier of sentence pairs by its name, for the command line and for checkpoints."""

from typing import Any

import torch

from course_lib.models.decomposable import Decomposable, DecomposableConfig
from course_lib.models.pair_baselines import BagConfig, BagOfVectors, LSTMPair, LSTMPairConfig
from course_lib.models.pair_classifier import PairClassifier
from course_lib.models.registry import build_from

CLASSIFIERS: dict[str, tuple[type[PairClassifier], type]] = {
    "bag": (BagOfVectors, BagConfig),
    "decomposable": (Decomposable, DecomposableConfig),
    "lstm": (LSTMPair, LSTMPairConfig),
}
"""Name on the command line and in a checkpoint: (model class, configuration class)."""


def build(
    name: str, config: dict[str, Any], generator: torch.Generator | None = None
) -> PairClassifier:
    """Makes a classifier from its name and its settings; see `registry.build`.

    Raises:
        CourseError: for an unknown model, or a setting that it does not have or lacks.
    """
    return build_from(CLASSIFIERS, name, config, generator)
