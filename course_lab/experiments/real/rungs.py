"""The rungs of the ladder: which model, in which direction, of which size, trained how.

`VARIANTS` are compared by short trainings on the validation split. From such a comparison come the
Transformer's vocabulary, width, dropout and norm, Bahdanau's learning rate, and Luong's score. The
recurrent rungs' dropout of 0.4 and their larger batches are a guess, made because Cho's model was
best after 13 epochs and then lost; Sutskever's and the LSTMN's settings were not compared.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from course_lab.experiments.real.captions import BOTH, Text
from course_lib.training.config import FitConfig

RESULTS = Path("book", "results", "ladder.json")
"""The ladder's record, which lies beside the page that is made from it."""


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
_RECURRENT_BATCH = 6144
_SMALL_TRANSFORMER = {"width": 128, "feed_forward": 256, "heads": 4, "layers": 4}


def _recurrent(model: str, fit: FitConfig = _RECURRENT_FIT, **settings: Any) -> Rung:
    return Rung(model, "de-en", _RECURRENT | settings, fit, tokens_per_batch=_RECURRENT_BATCH)


_BAHDANAU = _recurrent("bahdanau", alignment=128)
_LUONG = _recurrent("luong", hidden=384, score="dot")
_LSTMN = _recurrent("lstmn", replace(_RECURRENT_FIT, steps=1200, validate_every=200), fusion="deep")
_CHO = _recurrent("cho", replace(_RECURRENT_FIT, steps=1350), hidden=384)
# It fits its training data least of all, and needs the longest.
_SUTSKEVER = _recurrent(
    "sutskever", replace(_RECURRENT_FIT, steps=3500, validate_every=350), layers=2, dropout=0.3
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
    vocabulary=10_000,
)
_TINY = _TRANSFORMER.changed(
    _SMALL_TRANSFORMER, {"learning_rate": 4e-3, "warmup": 1000}, tokens_per_batch=6144
)
_BOTH = _TRANSFORMER.changed(
    {"width": 192, "layers": 4},
    {"steps": 8000, "warmup": 1200},
    direction=BOTH,
    vocabulary=6000,
    tokens_per_batch=6144,
)

RUNGS: dict[str, Rung] = {
    "transformer-both": _BOTH,
    "transformer": _TRANSFORMER,
    "transformer-en-de": _TINY.changed(direction="en-de"),
    "lstmn": _LSTMN,
    "bahdanau": _BAHDANAU,
    "luong": _LUONG,
    "bahdanau-en-de": replace(_BAHDANAU, direction="en-de"),
    "sutskever": _SUTSKEVER,
    "cho": _CHO,
}
"""The rows: those that take longest come first."""

SEEDS = (0, 1, 2)
_LONGEST = ("transformer-both", "transformer", "transformer-en-de", "lstmn")
RUNS = [
    Run(rung, seed)
    for rungs in (_LONGEST, [rung for rung in RUNGS if rung not in _LONGEST])
    for seed in SEEDS
    for rung in rungs
    # The network of the page is no rung: two seeds are enough to choose one.
    if not (rung == "transformer-both" and seed == SEEDS[-1])
]
"""What takes longest begins first; of the others, one seed of every rung before the second."""

SHIPPED = {
    "transformer-both": False,
    "transformer": True,
    "bahdanau": True,
    "transformer-en-de": True,
}
"""Whose weights are kept: of every seed, or (True) only of the best on the validation split."""

_FIRST = _TRANSFORMER.changed(vocabulary=6000)
VARIANTS: dict[str, Rung] = {
    "transformer": _FIRST,
    "transformer-dropout-0.4": _FIRST.changed({"dropout": 0.4}),
    "transformer-lowercase": replace(_FIRST, lowercase=True),
    "transformer-vocabulary-10000": _TRANSFORMER,
    "transformer-post-4-layers": _FIRST.changed({"norm": "post", "layers": 4}),
    "transformer-wide": _FIRST.changed({"feed_forward": 1024}),
    "tiny-en-de": _TINY.changed(direction="en-de", vocabulary=6000),
    "tiny-en-de-post": _TINY.changed({"norm": "post"}, direction="en-de", vocabulary=6000),
    "tiny-en-de-vocabulary-10000": _TINY.changed(direction="en-de"),
    "bahdanau": _BAHDANAU,
    "bahdanau-dropout-0.3": _BAHDANAU.changed({"dropout": 0.3}),
    "bahdanau-dropout-0.5": _BAHDANAU.changed({"dropout": 0.5}),
    "bahdanau-rate-0.0015": _BAHDANAU.changed(fit={"learning_rate": 1.5e-3}),
    "luong-dot": _LUONG,
    "luong-general": _LUONG.changed({"score": "general"}),
    "luong-concat": _LUONG.changed({"score": "concat"}),
}
"""What was compared, for as long as all could train side by side; first what matters most."""
