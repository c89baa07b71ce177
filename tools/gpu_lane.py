"""Run what only a GPU can prove, most important first, in ten minutes: `python -m tools.gpu_lane`.

`book/results/gpu.json` is written after each part, and the page Speed shows it.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import torch

from tools import ROOT, speed

SECONDS = 600
_PYTEST = ["pytest", "-q", "-n", str(min(os.cpu_count() or 2, 8)), "--dist=loadfile"]
PARTS = {
    "chapters": [*_PYTEST, "--nbval", "notebooks"],
    "devices": ["pytest", "-q", "tests/parity/test_on_a_device.py", "tests/unit/test_devices.py"],
    "tests": [*_PYTEST, "tests/unit", "tests/parity"],
    "homework": [*_PYTEST, "tests/homework", "-k", "right_answers"],
    "bench": ["tools.speed"],
    "results": ["tools.results"],
}
"""Of Python's -m."""


def main() -> None:
    """Run all parts, for `SECONDS` in all; exit with 1 if one of them failed."""
    if not torch.cuda.is_available():
        sys.exit("no GPU: torch sees no CUDA device here")
    (ROOT / "_build").mkdir(exist_ok=True)
    parts: dict[str, Any] = {}
    record = {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "parts": parts}
    end = time.monotonic() + SECONDS
    for name, command in PARTS.items():
        parts[name] = run(name, command, max(1, end - time.monotonic()))
        print(f"{name:10} {parts[name]}", flush=True)
        speed.GPU.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    speed.write_page()
    sys.exit(0 if all(part["passed"] for part in parts.values()) else 1)


def run(name: str, command: Sequence[str], seconds: float) -> dict[str, Any]:
    """Run a part on the GPU, its output in `_build/gpu-NAME.log`; return whether it passed."""
    begin = time.monotonic()
    python = ["timeout", str(seconds), sys.executable, "-m"]
    with (ROOT / "_build" / f"gpu-{name}.log").open("wb") as log:
        code = subprocess.run(
            [*python, *command],
            cwd=ROOT,
            env={**os.environ, "COURSE_DEVICE": "cuda"},
            stdout=log,
            stderr=subprocess.STDOUT,
        ).returncode
    return {"passed": code == 0, "seconds": round(time.monotonic() - begin, 1)}


if __name__ == "__main__":
    main()
