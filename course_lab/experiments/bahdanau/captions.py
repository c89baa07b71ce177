"""Chapter 4's model on real sentences: Multi30k's captions, German to English, by the command line.

Each run is `python -m course_lib train bahdanau --data multi30k ...` and `evaluate` in a folder
that is thrown away, some ten minutes each on one core; half the width of the command's own recipe,
two thirds of its vocabulary and five passes in place of eight, so that six can be made again:

    python -m course_lab.experiments bahdanau/captions
"""

from pathlib import Path
from typing import Any, NamedTuple

from course_lab.experiments.lab.command_line import scores_of
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored

SEEDS = (0, 1, 2)
STORED = Path(__file__).with_name("captions.json")
COMMAND = "bahdanau --data multi30k --hidden 128 --vocabulary 4000 --epochs 5"
"""What follows `train`: from German to English, as the command does unless told otherwise."""
_KEPT = ("bleu", "signature", "sentences", "perplexity", "parameters", "updates")


class CaptionsRun(NamedTuple):
    """One run: which model, and its first weights."""

    model: str
    seed: int


def _judge(run: CaptionsRun) -> dict[str, Any]:
    found = scores_of(COMMAND.split(), seed=run.seed)
    minutes = {"minutes": found["training_minutes"]}
    return {**run._asdict(), **{name: found[name] for name in _KEPT}, **minutes}


def load_scores() -> list[dict[str, Any]]:
    """What the command stored: a record a seed."""
    return load_stored(STORED)


EXPERIMENTS = [
    Experiment(
        "Scores on captions of chapter 4.",
        STORED,
        lambda: [CaptionsRun("bahdanau", seed) for seed in SEEDS],
        _judge,
        key=("model", "seed"),
        apart={"bleu": 1.0, "perplexity": 0.2, "sentences": 0, "parameters": 0, "updates": 0},
        again=("seed=0", "seed=1", "seed=2"),
        data="multi30k",
    )
]
