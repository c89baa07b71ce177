"""Attention, blockwise, fused and in a window, beside a GRU: time and memory by length.

Run as `make bench ARGS=at_scale`; it takes a few minutes. The numbers are chapter 12's: what the
book shows was written by `python -m course_lab.experiments at_scale/speed`, this keeps a file of
its own.
"""

from contextlib import nullcontext
from typing import Any

from benchmarks._timing import keep
from course_lab.experiments.at_scale.speed import measure
from course_lab.experiments.lab.world import one_thread
from course_lib.device import get_device


def main() -> None:
    """Measure, print each row beside `attend`'s, write the file."""
    device = get_device()
    with one_thread() if device.type == "cpu" else nullcontext():
        rows = measure(device)
        keep("at_scale", device, rows)
    base = {_case(row): row for row in rows if row["name"] == "attention"}
    print(f"{'part':10} {'mechanism':10} {'n':>7} {'ms':>10} {'of attend':>10} {'peak MiB':>9}")
    for row in rows:
        first = base.get(_case(row), {})
        taken, peak = row.get("seconds"), row.get("peak")
        ratio = f"{taken / first['seconds']:.2f}" if taken and first.get("seconds") else ""
        shown = [
            f"{1000 * taken:.2f}" if taken else "",
            ratio,
            f"{peak / 2**20:.1f}" if peak else "",
        ]
        size = str(_case(row)[1] or "")
        told = f"{row['part']:10} {row['name']:10} {size:>7}"
        print(f"{told} {shown[0]:>10} {shown[1]:>10} {shown[2]:>9}")


def _case(row: dict[str, Any]) -> tuple[str, int | None]:
    """What is compared: the part, and the length or the number of sentences."""
    return row["part"], row.get("n") or row.get("batch")


if __name__ == "__main__":
    main()
