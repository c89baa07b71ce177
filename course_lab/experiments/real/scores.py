"""What each rung of the ladder scored on the test of 2016: the few numbers that chapter 13 draws.

The ladder's own record lies beside the page Results, and so in no wheel.

    python -m course_lab.experiments real/scores
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.real.captions import RESULTS, TESTS
from course_lab.experiments.real.one_a_line import one_a_line
from course_lib.files import atomic_write

STORED = Path(__file__).with_name("scores.json")


def rows(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each rung and direction the lower-cased BLEU of every seed, by search."""
    by_row: dict[tuple[str, str], dict[str, Any]] = {}
    for record in records:
        for way, splits in record["scores"].items():
            row = by_row.setdefault(
                (record["rung"], way),
                {
                    "rung": record["rung"],
                    "direction": way,
                    "parameters": record["parameters"],
                    "greedy": [],
                    "beam5": [],
                },
            )
            for search in ("greedy", "beam5"):
                row[search].append(splits[TESTS[0]][search]["bleu_lowercase"])
    return list(by_row.values())


def load() -> list[dict[str, Any]]:
    """What is stored: the rows of `rows`."""
    return load_stored(STORED)


def save_to(path: Path) -> None:
    """Reads the ladder's record, and stores."""
    atomic_write(path, one_a_line(rows(json.loads(RESULTS.read_text(encoding="utf-8")))) + "\n")


EXPERIMENTS = [
    Artifact("BLEU of every rung.", STORED, lambda file, seed: save_to(file)),
]
