"""Chapter 7 on real sentences: SICK by the command line, five seeds each.

Settings were chosen on the trial split; here they stand in the recipe of the command line. Each run
is `python -m course_lib train ... --data sick` and `evaluate` in a folder that is thrown away, half
a minute each:

    python -m course_lab.experiments decomposable/sick
"""

from pathlib import Path
from typing import Any, NamedTuple

from course_lab.experiments.lab.command_line import scores_of
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored
from course_lib.data.corpora import sick as corpus
from course_lib.data.inference_pairs import LABELS

SEEDS = (0, 1, 2, 3, 4)
STORED = Path(__file__).with_name("sick.json")
ALONE = "hypothesis alone"
"""What can be told without the premise."""
FEW = (0, 1)
"""Seeds of the LSTM that trains four times as long: ten minutes a run."""
LONGER = {
    name: f"{name}, four times as long" for name in ("bag, with contrast", "LSTM, with contrast")
}
"""Whether a rival with contrast only lacked training."""
VARIANTS: dict[str, tuple[str, ...]] = {
    "bag": ("bag",),
    "decomposable": ("decomposable", "--no-contrast"),
    "bag, with contrast": ("bag", "--contrast"),
    "LSTM, with contrast": ("lstm",),
    "decomposable, with contrast": ("decomposable", "--contrast"),
    ALONE: ("bag", "--no-premise"),
}
"""What follows `train` in the command."""
VARIANTS |= {twin: (*VARIANTS[name], "--epochs", "40") for name, twin in LONGER.items()}
FLOOR = "always neutral"
"""Not trained: how often the most frequent label is right."""
_SPLITS = {"validation_accuracy": "trial", "accuracy": "test"}
_KEPT = ("parameters", "validation_accuracy", "accuracy", "updates")


class SickRun(NamedTuple):
    """One run: which variant, and its first weights."""

    variant: str
    seed: int


def _judge(run: SickRun) -> dict[str, Any]:
    if run.variant == FLOOR:
        right = {name: _neutral(split) for name, split in _SPLITS.items()}
        return {**run._asdict(), "parameters": 0, **right, "updates": 0}
    scores = scores_of((*VARIANTS[run.variant], "--data", "sick"), seed=run.seed)
    return {**run._asdict(), **{name: scores[name] for name in _KEPT}}


def _neutral(split: str) -> float:
    labels = [pair.label for pair in corpus.load(split)]
    return round(labels.count(LABELS[1]) / len(labels), 4)


def load_scores() -> dict[str, list[dict[str, Any]]]:
    """What the command stored: for each variant one record a seed."""
    by_variant: dict[str, list[dict[str, Any]]] = {name: [] for name in (FLOOR, *VARIANTS)}
    for record in load_stored(STORED):
        by_variant[record["variant"]].append(record)
    return by_variant


def seeds_of(name: str) -> tuple[int, ...]:
    """The seeds of a variant."""
    return FEW if name == LONGER["LSTM, with contrast"] else SEEDS


def _runs() -> list[SickRun]:
    runs = [SickRun(name, seed) for name in VARIANTS for seed in seeds_of(name)]
    return [*runs, SickRun(FLOOR, 0)]


EXPERIMENTS = [
    Experiment(
        "SICK scores of chapter 7.",
        STORED,
        _runs,
        _judge,
        data="sick",
    ),
]
