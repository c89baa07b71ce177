"""Do long sentences fail because they are learned last? Chapter 2's model with all lengths at once.

Everything else is as in `one_vector`: the sentences, the number of updates, the learning rate that
was chosen there. But there is one lesson only, and it has sentences of every length.

    python -m course_lab.experiments seq2seq/one_lesson
"""

from pathlib import Path
from typing import Any

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned
from course_lab.experiments.seq2seq import one_vector

STORED = Path(__file__).with_name("one_lesson.json")
WIDTH = "width 128"
LESSON = one_vector.LESSONS[-1]._replace(steps=sum(each.steps for each in one_vector.LESSONS))


def trials() -> list[Trial]:
    """The chapter's model with every seed."""
    return planned(one_vector.RATE_OF, [WIDTH], one_vector.SEEDS)


def judged(run: Trial) -> dict[str, Any]:
    """What the stored file keeps of one model, as `one_vector.record` has it."""
    world = one_vector.the_world()
    model = one_vector.make_model(run.variant, world, run.seed)
    one_vector.train(model, world, run.learning_rate, lessons=[LESSON])
    return one_vector.record(run, model, world)


EXPERIMENTS = [
    Experiment(
        "All lengths from the first update: chapter 2's runs.",
        STORED,
        trials,
        judged,
    ),
]
