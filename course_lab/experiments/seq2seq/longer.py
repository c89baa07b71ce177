"""Does a narrow vector only need more training? Chapter 2's widths with four times the updates.

Everything else is as in `one_vector`: the sentences, their order, the learning rates that were
chosen there, which fall as slowly as the training is longer.

    python -m course_lab.experiments seq2seq/longer
"""

from pathlib import Path
from typing import Any

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned
from course_lab.experiments.seq2seq import one_vector

STORED = Path(__file__).with_name("longer.json")
TIMES = 4
"""So many times the updates of every lesson."""
WIDTHS = ("width 32", "width 256")
"""The two ends; between them it would take an hour."""
SEEDS = (0, 1, 2, 3, 4)


def trials() -> list[Trial]:
    """Both widths with every seed."""
    return planned(one_vector.RATE_OF, WIDTHS, SEEDS)


def judged(run: Trial) -> dict[str, Any]:
    """What the stored file keeps of one model, as `one_vector.record` has it."""
    world = one_vector.the_world()
    model = one_vector.make_model(run.variant, world, run.seed)
    one_vector.train(model, world, run.learning_rate, TIMES)
    return {**one_vector.record(run, model, world), "times": TIMES}


EXPERIMENTS = [
    Experiment(
        "Four times the updates: chapter 2's runs.",
        STORED,
        trials,
        judged,
    ),
]
