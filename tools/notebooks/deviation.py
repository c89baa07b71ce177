"""How far numbers of a notebook were off, written down where COURSE_DEVIATIONS names a file."""

import json
import math
import os
from pathlib import Path

from tools.notebooks.tolerance import numbers, skeleton

VARIABLE = "COURSE_DEVIATIONS"


def deviation(stored: str, new: str) -> float:
    """The largest relative difference of two numbers at one place; infinite where words differ."""
    if skeleton(stored) != skeleton(new):
        return math.inf
    pairs = zip(map(float, numbers(stored)), map(float, numbers(new)), strict=True)
    return max((_relative(a, b) for a, b in pairs), default=0.0)


def _relative(a: float, b: float) -> float:
    if a == b or (math.isnan(a) and math.isnan(b)):
        return 0.0
    largest = max(abs(a), abs(b))
    return abs(a - b) / largest if math.isfinite(largest) else math.inf


def note(chapter: str, cell: int, stored: str, new: str, near: bool) -> None:
    """Adds a line to the file: which cell, how far its output is off, whether that is near."""
    path = os.environ.get(VARIABLE)
    if path and stored != new:
        line = {"chapter": chapter, "cell": cell, "off": deviation(stored, new), "near": near}
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
