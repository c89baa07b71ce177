"""Chapter 12: how long real texts are, in words between spaces.

python -m course_lab.experiments at_scale/texts
"""

import json
from pathlib import Path
from statistics import mean, median

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lib.data.corpora import multi30k, reviews
from course_lib.files import atomic_write

STORED = Path(__file__).with_name("texts.json")


def load() -> dict[str, int]:
    """Words of a text, by what it is."""
    return load_stored(STORED)


def _write(file: Path, seed: int) -> None:
    del seed  # nothing is drawn
    captions = [len(english.split()) for _, english in multi30k.load("train")]
    films = [sum(map(len, review.sentences)) for fold in reviews.load() for review in fold]
    lengths = {
        "a caption": round(mean(captions)),
        "a film review": round(median(films)),
        "the longest review": max(films),
    }
    atomic_write(file, json.dumps(lengths, indent=1) + "\n")


EXPERIMENTS = [Artifact("How long captions and film reviews are.", STORED, _write)]
