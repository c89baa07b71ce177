"""Every model by its name, for the command line and for checkpoints."""

from dataclasses import fields
from typing import Any

from torch import nn

from course_lib.errors import CourseError
from course_lib.models.bahdanau import Bahdanau, BahdanauConfig
from course_lib.models.cho import Cho, ChoConfig
from course_lib.models.decomposable import Decomposable, DecomposableConfig
from course_lib.models.dot_product import DotConfig, DotProduct
from course_lib.models.lstmn import LSTMNConfig, LSTMNTranslator
from course_lib.models.luong import Luong, LuongConfig
from course_lib.models.pair_baselines import BagConfig, BagOfVectors, LSTMPair, LSTMPairConfig
from course_lib.models.protocol import EncoderDecoder
from course_lib.models.shapes import Generator
from course_lib.models.sutskever import Sutskever, SutskeverConfig
from course_lib.models.transformer import Transformer, TransformerConfig

MODELS: dict[str, tuple[type[EncoderDecoder], type]] = {
    "cho": (Cho, ChoConfig),
    "sutskever": (Sutskever, SutskeverConfig),
    "bahdanau": (Bahdanau, BahdanauConfig),
    "dot": (DotProduct, DotConfig),
    "luong": (Luong, LuongConfig),
    "lstmn": (LSTMNTranslator, LSTMNConfig),
    "transformer": (Transformer, TransformerConfig),
}
"""Name on the command line and in a checkpoint: (model class, configuration class)."""


CLASSIFIERS: dict[str, tuple[type[nn.Module], type]] = {
    "bag": (BagOfVectors, BagConfig),
    "decomposable": (Decomposable, DecomposableConfig),
    "lstm": (LSTMPair, LSTMPairConfig),
}
"""The classifiers of sentence pairs, likewise."""


def build(name: str, config: dict[str, Any], generator: Generator = None) -> nn.Module:
    """Make a translator or a classifier from its name and the fields of its configuration.

    The generator draws the first weights. CourseError for an unknown model or setting.
    """
    models = MODELS | CLASSIFIERS
    if name not in models:
        raise CourseError(f"want a model out of {', '.join(sorted(models))}; got {name!r}")
    model, config_class = models[name]
    try:
        settings = config_class(**config)
    except TypeError as error:
        known = ", ".join(field.name for field in fields(config_class))
        why = str(error).splitlines()[0]
        raise CourseError(f"{name}: {why}; it has the settings {known}") from None
    return model(settings, generator)
