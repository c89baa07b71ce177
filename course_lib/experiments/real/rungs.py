"""The rungs of the ladder: which model, in which direction, of which size, trained how.

Every choice was made on the validation split. `VARIANTS` keeps what was compared.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from course_lib.experiments.real.captions import BOTH, Text
from course_lib.training.config import FitConfig


@dataclass(frozen=True)
class Rung:
    """One row of the table.

    Attributes:
        model: its name in `models.registry`.
        direction: a key of `captions.DIRECTIONS`.
        settings: the model's configuration without its vocabularies.
        fit: the training; `validate_every` is where BLEU on the validation split is measured.
        vocabulary: size of the joint byte-pair vocabulary.
        lowercase: whether text is lower-cased first.
        tokens_per_batch: of the longer side, padding counted.
    """

    model: str
    direction: str
    settings: dict[str, Any]
    fit: FitConfig
    vocabulary: int = 6000
    lowercase: bool = False
    tokens_per_batch: int = 4096

    def text(self, most: int = 0) -> Text:
        """How its sentences become tokens."""
        return Text(self.direction, self.vocabulary, self.lowercase, most)

    def changed(
        self,
        settings: dict[str, Any] | None = None,
        fit: dict[str, Any] | None = None,
        **other: Any,
    ) -> "Rung":
        """The same with some settings, some of the training and some of the rest replaced."""
        return replace(
            self,
            settings=self.settings | (settings or {}),
            fit=replace(self.fit, **(fit or {})),
            **other,
        )


class Run(NamedTuple):
    """One training: a row of the ladder (a key of `RUNGS` or `VARIANTS`) and its first weights."""

    rung: str
    seed: int

    @property
    def name(self) -> str:
        """As a file is named."""
        return f"{self.rung}-{self.seed}"


_RECURRENT_FIT = FitConfig(
    steps=3500,
    learning_rate=3e-3,
    schedule="cosine",
    warmup=300,
    label_smoothing=0.1,
    betas=(0.9, 0.98),
    validate_every=350,
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
_RECURRENT = {"embedding": 256, "hidden": 256, "dropout": 0.3}
_SMALL_TRANSFORMER = {"width": 128, "feed_forward": 256, "heads": 4, "layers": 4}

_BAHDANAU = Rung("bahdanau", "de-en", {**_RECURRENT, "alignment": 128}, _RECURRENT_FIT)
_LUONG = Rung("luong", "de-en", {**_RECURRENT, "hidden": 384}, _RECURRENT_FIT)
_LSTMN = Rung("lstmn", "de-en", {**_RECURRENT, "fusion": "deep"}, _RECURRENT_FIT).changed(
    fit={"steps": 1800, "warmup": 200, "validate_every": 300}
)
_TRANSFORMER = Rung(
    "transformer",
    "de-en",
    {
        "width": 256,
        "heads": 4,
        "layers": 3,
        "feed_forward": 512,
        "tied": "all",
        "dropout": 0.3,
    },
    _ATTENTIVE_FIT,
)
_TINY = _TRANSFORMER.changed(
    _SMALL_TRANSFORMER, {"learning_rate": 5e-3, "warmup": 2000, "steps": 9000}
)
_BOTH = _TRANSFORMER.changed(
    {"width": 192, "layers": 4}, {"steps": 12_000, "validate_every": 1000}, direction=BOTH
)

RUNGS: dict[str, Rung] = {
    "transformer-both": _BOTH,
    "transformer": _TRANSFORMER,
    "transformer-en-de": _TINY.changed(direction="en-de"),
    "bahdanau": _BAHDANAU,
    "lstmn": _LSTMN,
    "luong": _LUONG,
    "bahdanau-en-de": replace(_BAHDANAU, direction="en-de"),
    "sutskever": Rung("sutskever", "de-en", {**_RECURRENT, "layers": 2}, _RECURRENT_FIT),
    "cho": Rung("cho", "de-en", {**_RECURRENT, "hidden": 384}, _RECURRENT_FIT),
}
"""The rows, the most valuable first."""

SEEDS = (0, 1, 2)
RUNS = [
    Run(rung, seed)
    for seed in SEEDS
    for rung in RUNGS
    # The network of the page is no rung: two seeds are enough to choose one.
    if not (rung == "transformer-both" and seed == SEEDS[-1])
]
"""One seed of every rung before the second of any."""

SHIPPED = {
    "transformer-both": False,
    "transformer": True,
    "bahdanau": True,
    "transformer-en-de": True,
}
"""Whose weights are kept: of every seed, or (True) only of the best on the validation split."""

VARIANTS: dict[str, Rung] = {
    "transformer": _TRANSFORMER,
    "bahdanau": _BAHDANAU,
    "transformer-both": _BOTH,
    "tiny-en-de-post": _TINY.changed({"norm": "post"}, direction="en-de"),
    "lstmn": _LSTMN,
    "transformer-dropout-0.4": _TRANSFORMER.changed({"dropout": 0.4}),
    "luong": _LUONG,
    "tiny-de-en": _TINY,
    "bahdanau-dropout-0.5": _BAHDANAU.changed({"dropout": 0.5}),
    "transformer-lowercase": replace(_TRANSFORMER, lowercase=True),
    "transformer-vocabulary-10000": replace(_TRANSFORMER, vocabulary=10_000),
    "tiny-en-de": _TINY.changed(direction="en-de"),
    "transformer-post-4-layers": _TRANSFORMER.changed({"norm": "post", "layers": 4}),
    "transformer-wide": _TRANSFORMER.changed({"feed_forward": 1024}),
    "luong-dot": _LUONG.changed({"score": "dot"}),
    "luong-concat": _LUONG.changed({"score": "concat"}),
    "cho": RUNGS["cho"],
    "sutskever": RUNGS["sutskever"],
    "tiny-en-de-vocabulary-10000": replace(_TINY, direction="en-de", vocabulary=10_000),
    "bahdanau-rate-0.0015": _BAHDANAU.changed(fit={"learning_rate": 1.5e-3}),
}
"""What was compared, for as long as all could train side by side; first what matters most."""
