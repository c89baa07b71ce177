"""What every benchmark does: time by the clock, name the machine, keep the numbers."""

import json
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from course_lib.device import describe_device

RESULTS = Path(__file__).parent / "results"


def seconds(
    calls: dict[str, Callable[[], Any]], device: torch.device, *, repeats: int, warm_up: int = 1
) -> dict[str, float]:
    """Median seconds of each call, timed in turn, so that a busy minute slows all of them."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(warm_up + repeats):
        for name, call in calls.items():
            _wait(device)
            start = time.perf_counter()
            call()
            _wait(device)
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(taken[warm_up:]) for name, taken in times.items()}


def _wait(device: torch.device) -> None:
    """A GPU answers before it is done."""
    if device.type == "cuda":
        torch.cuda.synchronize()


def keep(name: str, device: torch.device, rows: Any) -> None:
    """Writes the numbers, and where they come from, to a file."""
    RESULTS.mkdir(exist_ok=True)
    machine = {
        "torch": torch.__version__,
        "device": describe_device(device),
        "cpu": platform.machine(),
        "threads": torch.get_num_threads(),
    }
    text = json.dumps({"machine": machine, "rows": rows}, indent=1)
    (RESULTS / f"{name}.json").write_text(text + "\n")
    print(f"The numbers are in benchmarks/results/{name}.json.")
