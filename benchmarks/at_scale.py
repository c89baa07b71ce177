"""Attention, blockwise and fused, forward and backward, from 256 to 16,384 tokens.

The numbers are chapter 12's: what the book shows was written by
`python -m course_lab.experiments at_scale/speed`. On a processor it takes one thread, and counts
its own seconds.
"""

from contextlib import nullcontext

import torch

from benchmarks._timing import Row, roofline, run
from course_lab.experiments.at_scale import counts, speed
from course_lab.experiments.lab.world import one_thread

BACKWARD = 3
"""Forward and backward pass take so many times the operations of the forward pass."""


def measure(device: torch.device, quick: bool, limits: dict[str, float]) -> list[Row]:
    """A case for each length, with the most bytes that were held at one time."""
    if quick:
        speed.TRAINED = (256, 1024)
    with one_thread() if device.type == "cpu" else nullcontext():
        rate = roofline(device)["float32"]
        found = [row for row in speed._in_training(device) if row["part"] == "training"]
    rows = []
    for row in found:
        name = "blockwise" if row["name"] == "blockwise" else "attention"
        taken = BACKWARD * counts.core_cost(name, row["n"]).operations / rate
        rows.append(
            {
                "case": f"one head of width {speed.WIDTH}, {row['n']:,} tokens",
                "name": {"attention": "attend"}.get(row["name"], row["name"]),
                **{key: row[key] for key in ("seconds", "low", "high", "peak")},
                "bound": taken,
                "threads": 1 if device.type == "cpu" else None,
            }
        )
        peak = row["peak"] / 2**20
        print(
            f"{rows[-1]['case']:42} {row['name']:26} {1000 * row['seconds']:9.1f} {peak:9.1f} MiB"
        )
    return rows


if __name__ == "__main__":
    run("at_scale", measure)
