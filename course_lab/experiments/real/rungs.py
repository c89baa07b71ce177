"""The rungs of the ladder: which model, in which direction, of which size, trained how.

A rung is a recipe of the command line, so `python -m course_lib train MODEL --data multi30k` trains
it; two Transformers are described here: a small one, and one for both directions. `VARIANTS` are
compared by short trainings on the validation split; what came of it is said beside the recipes.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from course_lab.experiments.real.captions import BOTH, Text
from course_lib.cli.recipes import Recipe, recipe


@dataclass(frozen=True)
class Rung(Recipe):
    """One row of the table: a recipe, for a model in a direction.

    Attributes:
        model: its name in `models.registry`.
        direction: a key of `captions.DIRECTIONS`.
    """

    model: str = ""
    direction: str = "de-en"

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


def _rung(model: str, direction: str = "de-en") -> Rung:
    return Rung(**vars(recipe("multi30k", model)), model=model, direction=direction)


_BAHDANAU, _LUONG, _TRANSFORMER = (_rung(name) for name in ("bahdanau", "luong", "transformer"))
# Of fewer than three million weights.
_TINY = _TRANSFORMER.changed(
    {"width": 128, "feed_forward": 256, "heads": 4, "layers": 4},
    {"learning_rate": 4e-3, "warmup": 1000},
    direction="en-de",
    tokens_per_batch=6144,
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
    "transformer-en-de": _TINY,
    "lstmn": _rung("lstmn"),
    "bahdanau": _BAHDANAU,
    "luong": _LUONG,
    "bahdanau-en-de": _rung("bahdanau", "en-de"),
    "sutskever": _rung("sutskever"),
    "cho": _rung("cho"),
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
    "tiny-en-de": _TINY.changed(vocabulary=6000),
    "tiny-en-de-post": _TINY.changed({"norm": "post"}, vocabulary=6000),
    "tiny-en-de-vocabulary-10000": _TINY,
    "bahdanau": _BAHDANAU,
    "bahdanau-dropout-0.3": _BAHDANAU.changed({"dropout": 0.3}),
    "bahdanau-dropout-0.5": _BAHDANAU.changed({"dropout": 0.5}),
    "bahdanau-rate-0.0015": _BAHDANAU.changed(fit={"learning_rate": 1.5e-3}),
    "luong-dot": _LUONG,
    "luong-general": _LUONG.changed({"score": "general"}),
    "luong-concat": _LUONG.changed({"score": "concat"}),
}
"""What was compared, for as long as all could train side by side; first what matters most."""
