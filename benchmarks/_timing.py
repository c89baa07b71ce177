"""What every benchmark does: time calls in turn, name the machine and its roofline, keep the rows.

A row is one call: its `case` (what is compared), its `name`, median, least and most seconds, and in
`bound` the seconds below which this machine's roofline does not let it come (None: not counted).
The first row of a case is the one that the others are compared with. A case that was not measured
has one row, with `why`.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

from course_lab.experiments.at_scale import speed
from course_lib.device import cpu_generator, get_device

RESULTS = Path(__file__).parent / "results"
QUICK_RESULTS = Path(__file__).parents[1] / "_build" / "bench"
"""Where a quick run leaves its files, so that it does not replace what was measured with care."""
Call = Callable[[], Any]
Row = dict[str, Any]


def times(
    calls: Mapping[str, Call], device: torch.device, *, repeats: int, warm_up: int = 1
) -> dict[str, list[float]]:
    """Seconds of each call by the clock, in turn, so that a busy minute slows all of them."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(warm_up + repeats):
        for name, call in calls.items():
            _wait(device)
            start = time.perf_counter()
            call()
            _wait(device)
            taken[name].append(time.perf_counter() - start)
    return {name: all_of_it[warm_up:] for name, all_of_it in taken.items()}


def _wait(device: torch.device) -> None:
    """A GPU answers before it is done."""
    if device.type == "cuda":
        torch.cuda.synchronize()


def compared(
    case: str,
    calls: Mapping[str, Call],
    device: torch.device,
    *,
    repeats: int,
    bound: Mapping[str, float] | None = None,
) -> list[Row]:
    """The rows of a case, timed and printed."""
    rows: list[Row] = []
    for name, taken in times(calls, device, repeats=repeats).items():
        row = {
            "case": case,
            "name": name,
            "seconds": _short(statistics.median(taken)),
            "low": _short(min(taken)),
            "high": _short(max(taken)),
            "bound": _short(bound[name]) if bound and name in bound else None,
            "threads": torch.get_num_threads() if device.type == "cpu" else None,
        }
        rows.append(row)
        share = f"{100 * row['bound'] / row['seconds']:.0f} %" if row["bound"] else ""
        ratio = row["seconds"] / rows[0]["seconds"]
        milliseconds = " ".join(f"{1000 * row[key]:9.1f}" for key in ("seconds", "low", "high"))
        print(f"{case:42} {name:26} {milliseconds} {ratio:7.2f} {share:>6}", flush=True)
    return rows


def roofline(device: torch.device) -> dict[str, float]:
    """Operations a second of a large product, in both precisions, and bytes a second of a copy."""
    # A processor without units for bfloat16 would take minutes for what a GPU needs to be filled.
    side, copied = (512, 2**24) if device.type == "cpu" else (8192, 2**28)
    product = torch.randn(side, side, generator=cpu_generator(0)).to(device)
    half = product.bfloat16()
    source = torch.zeros(copied, device=device)
    target = torch.empty_like(source)
    taken = times(
        {
            "float32": lambda: product @ product,
            "bfloat16": lambda: half @ half,
            "copy": lambda: target.copy_(source),
        },
        device,
        repeats=5,
    )
    # Of the copy each number of four bytes is read and written.
    work = {"float32": 2 * side**3, "bfloat16": 2 * side**3, "copy": 8 * copied}
    return {name: _short(work[name] / min(seconds)) for name, seconds in taken.items()}


def not_measured(case: str, why: str) -> Row:
    """In the place of the rows of a case."""
    print(f"{case:42} not measured: {why}", flush=True)
    return {"case": case, "why": why}


def operations(call: Call) -> int:
    """Those of all matrix products in a call, counted by PyTorch; a multiplication and its sum are
    two."""
    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


def run(name: str, measure: Callable[[torch.device, bool, dict[str, float]], list[Row]]) -> None:
    """What `python -m benchmarks.NAME [--quick]` does: measures, prints, writes the file.

    Args:
        name: of the file.
        measure: gives the rows for a device, quickly or not, and a roofline.
    """
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--quick", action="store_true", help="few sizes and repeats, to try it")
    quick = parser.parse_args().quick
    device = get_device()
    limits = roofline(device)
    machine = speed._machine(device) | {
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
    }
    rates = ", ".join(f"{key} {value / 1e9:.0f} G/s" for key, value in limits.items())
    print(f"{name} on {machine['device']}, {machine['processor']}; roofline: {rates}")
    print(f"{'':42} {'':26} {'ms':>9} {'least':>9} {'most':>9} {'times':>7} {'roof':>6}")
    rows = measure(device, quick, limits)
    keep(f"{name}_{device.type}" if device.type != "cpu" else name, quick, machine, limits, rows)


def keep(
    name: str, quick: bool, machine: dict[str, Any], limits: dict[str, float], rows: Sequence[Row]
) -> None:
    """Writes the rows, one a line, and where they come from."""
    folder = QUICK_RESULTS if quick else RESULTS
    folder.mkdir(parents=True, exist_ok=True)
    about = {"machine": machine, "roofline": limits, "time": time.strftime("%Y-%m-%d")}
    lines = ",\n  ".join(map(json.dumps, rows))
    told = json.dumps(about)[1:-1]
    (folder / f"{name}.json").write_text(f'{{{told},\n "rows": [\n  {lines}\n]}}\n')


def _short(number: float) -> float:
    return float(f"{number:.4g}")
