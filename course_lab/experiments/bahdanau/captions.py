"""Chapter 4's model on real sentences: Multi30k's captions, German to English, by the command line.

Each run is `python -m course_lib train bahdanau --data multi30k ...` and `evaluate` in a folder
that is thrown away, some ten minutes each on one core. `RECIPE` is the one that the command had
when this was measured, in lower case; today it has the ladder's, of chapter 13.

    python -m course_lab.experiments bahdanau/captions
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import torch

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored
from course_lib.cli.parser import main
from course_lib.cli.recipes import RECIPES, Recipe
from course_lib.training.config import FitConfig

SEEDS = (0, 1, 2)
STORED = Path(__file__).with_name("captions.json")
COMMAND = "bahdanau --data multi30k --hidden 128 --vocabulary 4000 --epochs 5"
"""What follows `train`: from German to English, as the command does unless told otherwise."""
RECIPE = Recipe(
    {"embedding": 256, "hidden": 256, "dropout": 0.3, "alignment": 128},
    FitConfig(
        epochs=8,
        learning_rate=2e-3,
        schedule="cosine",
        warmup=200,
        label_smoothing=0.1,
        betas=(0.9, 0.98),
        checkpoint_every=200,
        patience=3,
    ),
    lowercase=True,
)
_KEPT = ("bleu", "signature", "sentences", "perplexity", "parameters", "updates")


class CaptionsRun(NamedTuple):
    """One run: which model, and its first weights."""

    model: str
    seed: int


def _judge(run: CaptionsRun) -> dict[str, Any]:
    found = _scores(run.seed)
    minutes = {"minutes": found["training_minutes"]}
    return {**run._asdict(), **{name: found[name] for name in _KEPT}, **minutes}


def _scores(seed: int) -> dict[str, Any]:
    torch.set_num_threads(1)  # runs go side by side
    recipe = {("multi30k", "bahdanau"): RECIPE}
    with patch.dict(RECIPES, recipe), TemporaryDirectory() as folder:
        place, scores = str(Path(folder, "run")), Path(folder, "scores.json")
        for command in (
            ["train", *COMMAND.split(), "--seed", str(seed), "--run", place],
            ["evaluate", place, "--json", str(scores)],
        ):
            if main(command):
                raise RuntimeError(f"want a run of the command line; {command[0]} failed")
        return json.loads(scores.read_text(encoding="utf-8"))


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
