"""Do the late words still gain most after four times the updates? Chapter 2's orders again.

Everything else is as in `which_end`; the learning rates fall as slowly as the training is longer.

    python -m course_lab.experiments seq2seq/ends_longer
"""

from pathlib import Path
from typing import Any

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.seq2seq import which_end
from course_lab.experiments.seq2seq.longer import TIMES

STORED = Path(__file__).with_name("ends_longer.json")


def judged(run: Trial) -> dict[str, Any]:
    """What the stored file keeps of one model, as `which_end.judged` has it."""
    return {**which_end.judged(run, TIMES), "times": TIMES}


EXPERIMENTS = [
    Experiment(
        "Four times the updates in both orders: chapter 2's runs.",
        STORED,
        which_end.trials,
        judged,
    ),
]
