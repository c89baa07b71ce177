"""Do half-shut gates only need more training? Chapter 1's recall with four times the updates.

Everything else is as in `recall`: the seeds, the sequences, the learning rate that served a kind
better there.

    python -m course_lab.experiments recurrence/recall_longer
"""

from pathlib import Path
from typing import Any

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.recurrence import recall
from course_lab.experiments.recurrence.recall import SEEDS, UPDATES, Setting

STORED = Path(__file__).with_name("recall_longer.json")
TIMES = 4
"""So many times `UPDATES`."""
DISTANCE = 20
ASKED = ("tanh", "LSTM, forget bias 1", "LSTM")
"""The kinds of which some seed failed at this distance."""


def settings() -> list[Setting]:
    """Each kind at the better rate of the shorter runs."""
    return [Setting(kind, DISTANCE, recall.better_rate(kind, DISTANCE)) for kind in ASKED]


def record(setting: Setting) -> dict[str, Any]:
    """The updates that each seed took; null is a seed that did not recall even so."""
    updates = recall.train(*setting, seeds=SEEDS, updates=TIMES * UPDATES).updates
    return {**setting._asdict(), "updates": updates}


def recalled(kind: str, within: int = TIMES * UPDATES) -> int:
    """How many of the ten seeds recall within so many updates."""
    (updates,) = (e["updates"] for e in load_stored(STORED) if e["kind"] == kind)
    return sum(u is not None and u <= within for u in updates)


EXPERIMENTS = [
    Experiment(
        "Four times the updates until recall, for chapter 1.",
        STORED,
        settings,
        record,
        key=Setting._fields,
    ),
]
