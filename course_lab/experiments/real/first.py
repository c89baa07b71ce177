"""The first translations of a small network, after two minutes of training, for chapter 13.

    python -m course_lab.experiments real/first

gives the two commands of the chapter, `TRAIN` and a translation of `SENTENCES`, and keeps what they
print. Two minutes are those of one quiet core; the number of updates is fixed.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.real.one_a_line import one_a_line
from course_lib.files import atomic_write

STORED = Path(__file__).with_name("first.json")
TRAIN = "train bahdanau --data multi30k --hidden 128 --vocabulary 3000 --learning-rate 0.01 --steps"
STEPS = 120, 360
SENTENCES = (
    "Ein Mann fährt auf einem Fahrrad.",
    "Zwei Hunde spielen im Schnee.",
    "Ein Junge springt von einer Mauer in das Wasser.",
    "Eine Frau in einem roten Kleid singt.",
)


def _printed(*arguments: str) -> str:
    command = [sys.executable, "-m", "course_lib", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def save_to(path: Path) -> None:
    """Trains for each number of updates, translates and stores."""
    records = []
    for steps in STEPS:
        with TemporaryDirectory() as folder:
            run = str(Path(folder, "mine"))
            _printed(*TRAIN.split(), str(steps), "--run", run)
            english = _printed("translate", run, *SENTENCES).splitlines()
        records.append({"updates": steps, "english": english})
    atomic_write(path, one_a_line(records) + "\n")


def load() -> list[dict[str, Any]]:
    """A record for each training: its "updates", and the "english" of each sentence."""
    return load_stored(STORED)


EXPERIMENTS = [
    Artifact("First translations of a small network.", STORED, lambda file, seed: save_to(file)),
]
