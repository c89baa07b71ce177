"""Translators, one file a paper, all on the protocol of `course_lib.models.protocol`."""

from dataclasses import fields
from typing import Any

import torch

from course_lib.errors import CourseError
from course_lib.models.autoencoder import SequenceAutoencoder, transfer_weights
from course_lib.models.bahdanau import Bahdanau, BahdanauConfig
from course_lib.models.luong import DotConfig, DotProduct
from course_lib.models.protocol import EncoderDecoder, Memory, Output, State, Step, stepwise
from course_lib.models.seq2seq import Cho, ChoConfig, Sutskever, SutskeverConfig

MODELS: dict[str, tuple[type[EncoderDecoder], type]] = {
    "cho": (Cho, ChoConfig),
    "sutskever": (Sutskever, SutskeverConfig),
    "autoencoder": (SequenceAutoencoder, SutskeverConfig),
    "bahdanau": (Bahdanau, BahdanauConfig),
    "dot": (DotProduct, DotConfig),
}
"""Name on the command line and in a checkpoint: (model class, configuration class)."""


def build(
    name: str, config: dict[str, Any], generator: torch.Generator | None = None
) -> EncoderDecoder:
    """Makes a model from its name and its settings.

    Args:
        name: a key of `MODELS`.
        config: the fields of that model's configuration, as read from JSON.
        generator: draws the first weights; give one with a seed for a reproducible start.

    Raises:
        CourseError: for an unknown model, or a setting that it does not have or lacks.
    """
    if name not in MODELS:
        raise CourseError(f"unknown model {name!r}; choose one of {', '.join(sorted(MODELS))}")
    model, config_class = MODELS[name]
    known = {field.name for field in fields(config_class)}
    if unknown := sorted(set(config) - known):
        raise CourseError(
            f"{name} has no setting {', '.join(unknown)}; it has {', '.join(sorted(known))}"
        )
    try:
        settings = config_class(**config)
    except TypeError as error:
        why = str(error).splitlines()[0]
        raise CourseError(f"{name}: {why}; it has {', '.join(sorted(known))}") from None
    return model(settings, generator)


__all__ = [
    "MODELS",
    "Bahdanau",
    "BahdanauConfig",
    "Cho",
    "ChoConfig",
    "DotConfig",
    "DotProduct",
    "EncoderDecoder",
    "Memory",
    "Output",
    "SequenceAutoencoder",
    "State",
    "Step",
    "Sutskever",
    "SutskeverConfig",
    "build",
    "stepwise",
    "transfer_weights",
]
