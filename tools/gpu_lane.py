"""`make gpu-lane`: what only a GPU can prove, most important first, in ten minutes.

Each part is a command that exists. A part that passed is not run again (`--again` forgets them);
chapters are stamped one by one. `book/results/gpu.json` is written after each part, and the page
Speed shows it. `--stand-in` needs no GPU and writes nothing: the device tests alone, on a device
that refuses what CUDA refuses and then on one that refuses what MPS refuses. It runs no chapter,
no homework and no bfloat16.
"""

import json
import math
import os
import platform
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools import speed
from tools.notebooks.deviation import VARIABLE
from tools.project import BUILD, ROOT, TaskError, say

SECONDS = 600
_WORKERS = str(min(os.cpu_count() or 2, 8))
_DEVICES = ["pytest", "-q", "-n0", "tests/parity/test_on_a_device.py", "tests/unit/test_devices.py"]
PARTS = {
    "chapters": ["tools.commands", "validate-gpu"],
    "devices": _DEVICES,
    "tests": ["pytest", "-q", f"-n{_WORKERS}", "tests/unit", "tests/parity"],
    "homework": ["pytest", "-q", f"-n{_WORKERS}", "tests/homework", "-k", "right_answers"],
    "bench": ["tools.commands", "bench"],
    "results": ["tools.commands", "results"],
}
"""Of Python's -m: the environment may be the machine's own."""
STAND_INS = {"CUDA's stand-in": "lazy", "MPS's stand-in": "mps"}
REPORT = BUILD / "test" / "notebooks.xml"


def run(arguments: Sequence[str], root: Path = ROOT) -> int:
    """All parts that did not pass yet, for `SECONDS` in all; 0 if all passed.

    Raises:
        TaskError: there is no GPU, or an option is unknown.
    """
    if unknown := set(arguments) - {"--again", "--stand-in"}:
        raise TaskError(f"unknown option {unknown.pop()!r}; there is: --again, --stand-in")
    if "--stand-in" in arguments:
        codes = [
            subprocess.run(
                [sys.executable, "-m", *_DEVICES],
                cwd=root,
                env={**os.environ, "COURSE_DEVICE": "cpu", "COURSE_STAND_IN": kind},
            ).returncode
            for kind in STAND_INS.values()
        ]
        say("Not run: chapters, homework, benchmarks, results, and bfloat16; they need a GPU.")
        return max(codes)
    import torch

    if not torch.cuda.is_available():
        raise TaskError("no GPU: torch sees no CUDA device here; ARGS=--stand-in needs none")
    path = root / speed.GPU
    told: dict[str, Any] = {"parts": {}, "chapters": {}}
    if path.exists() and "--again" not in arguments:
        told = json.loads(path.read_text(encoding="utf-8"))
    told |= {
        "device": torch.cuda.get_device_name(),
        "python": platform.python_version(),
        "torch": torch.__version__,
    }
    until = time.monotonic() + SECONDS
    for name, command in PARTS.items():
        left = until - time.monotonic()
        if told["parts"].get(name, {}).get("passed") or left < 1:
            continue
        told["parts"][name] = part(name, command, left, root)
        if name == "chapters":
            told["chapters"] |= chapters(root)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        say(f"{name:10} {told['parts'][name]}")
    speed.write(root)
    return 0 if all(told["parts"].get(name, {}).get("passed") for name in PARTS) else 1


def part(name: str, command: Sequence[str], seconds: float, root: Path) -> dict[str, Any]:
    """Runs it on the GPU; whether it passed, its seconds, and the last line of what it said."""
    log = root / BUILD.name / "test" / f"gpu-{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    off = _deviations(root)
    if name == "chapters":
        off.unlink(missing_ok=True)
    variables = {"COURSE_DEVICE": "cuda", "COURSE_WORKERS": _WORKERS, VARIABLE: str(off)}
    begun = time.monotonic()
    try:
        with log.open("wb") as file:
            code = subprocess.run(
                [sys.executable, "-m", *command],
                cwd=root,
                env={**os.environ, **variables},
                stdout=file,
                stderr=subprocess.STDOUT,
                timeout=seconds,
            ).returncode
    except subprocess.TimeoutExpired:
        code = None
    said = log.read_text(encoding="utf-8", errors="replace")
    lines = re.findall(r"\d+ (?:passed|failed).*", said) or said.strip().splitlines() or [""]
    taken = round(time.monotonic() - begun, 1)
    note = "ran out of time" if code is None else lines[-1].strip(" =").replace("|", "/")
    return {"passed": code == 0, "seconds": taken, "note": note}


def chapters(root: Path) -> dict[str, dict[str, Any]]:
    """Of those that were run now: seconds, cells beyond their tolerance, largest deviation.

    A cell whose words differ has no deviation in numbers; it is among the cells.
    """
    report, off = root / REPORT.relative_to(ROOT), _deviations(root)
    found: dict[str, dict[str, Any]] = {}
    for case in ElementTree.parse(report).getroot().iter("testcase") if report.exists() else ():
        name = Path(case.get("file", "")).stem
        one = found.setdefault(name, {"seconds": 0.0, "largest": 0.0, "cells": []})
        one["seconds"] = round(one["seconds"] + float(case.get("time", 0)), 1)
    for line in off.read_text(encoding="utf-8").splitlines() if off.exists() else ():
        told = json.loads(line)
        one = found.get(told["chapter"])
        if one is None:
            continue
        words_differ = math.isinf(told["off"])
        if not words_differ:
            one["largest"] = max(one["largest"], told["off"])
        if not told["near"]:
            one["cells"].append([told["cell"], None if words_differ else told["off"]])
    return found


def _deviations(root: Path) -> Path:
    return root / BUILD.name / "test" / "deviations.jsonl"
