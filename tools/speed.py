"""The page Speed, from the files of `make bench` and of `make gpu-lane` alone."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

from tools.other_results import table
from tools.project import ROOT, write_if_changed

PAGE, STORED, GPU = Path("book/speed.md"), Path("benchmarks/results"), Path("book/results/gpu.json")
NOT_YET = "Not measured yet.\n"
_INTRODUCTION = """\
# Speed

This page compares the speed of the library with that of others' code. `make bench` measures
everything again. Programs that are compared take turns in one run. Each number is the median; the
least and the most are in brackets. The other rows of a case are divided by its first row.

The roofline of a machine is the speed that its large products and its copies reach, measured in
the same run. *Of the roofline* is the share of that speed which a row reaches: its counted
operations, or the bytes that it must read, at the roofline's rate, divided by its time. A virtual
machine is faster in one minute than in another, so a share can come out above 100 %.
"""
_SECTIONS = {
    "transformer": "Transformer: training, cache and beams",
    "recurrent": "The recurrent attention decoder",
    "alignment": "IBM Model 1",
    "at_scale": "Attention over long texts, forward and backward",
}


def page(root: Path = ROOT) -> str:
    """The whole page in MyST."""
    parts = [_INTRODUCTION]
    for name, title in _SECTIONS.items():
        kinds = [root / STORED / f"{name}{kind}.json" for kind in ("", "_cuda")]
        if told := [_told(_read(path)) for path in kinds if path.exists()]:
            parts += [f"## {title}\n", *told]
    if (root / GPU).exists():
        parts += ["## On a GPU\n", _gpu(_read(root / GPU))]
    return "\n".join(parts if len(parts) > 1 else [*parts, NOT_YET])


def write(root: Path = ROOT) -> bool:
    """Writes the page; whether it changed."""
    return write_if_changed(root / PAGE, page(root))


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def _told(stored: dict[str, Any]) -> str:
    """A file: the machine, its roofline, and a table of the rows."""
    machine, roofline = stored["machine"], stored["roofline"]
    rates = ", ".join(
        f"{name} {rate / 1e9:,.1f} {'GB/s' if name == 'copy' else 'GFLOP/s'}"
        for name, rate in roofline.items()
    )
    cells = []
    for case, same in groupby(stored["rows"], key=lambda row: row["case"]):
        rows = list(same)
        for row in rows:
            if "why" in row:
                cells.append([case, "", f"not measured: {row['why']}", "", "", ""])
                continue
            low, middle, high = (1000 * row[key] for key in ("low", "seconds", "high"))
            share = f"{100 * row['bound'] / row['seconds']:.0f} %" if row["bound"] else ""
            peak = f"{row['peak'] / 2**20:,.1f}" if "peak" in row else ""
            ratio = f"{row['seconds'] / rows[0]['seconds']:.2f}"
            time = f"{middle:,.1f} ({low:,.1f}–{high:,.1f})"
            cells.append([case if row is rows[0] else "", row["name"], time, ratio, share, peak])
    head = ["case", "", "ms", "times the first", "of the roofline", "peak, MiB"]
    if not any(row[-1] for row in cells):
        head, cells = head[:-1], [row[:-1] for row in cells]
    about = f"{machine['device']}; {machine['processor']}; {stored['time']}. Roofline: {rates}."
    return f"{about}\n\n{table(head, cells)}"


def _gpu(stored: dict[str, Any]) -> str:
    """What `make gpu-lane` found, part by part."""
    rows = [
        [name, "passed" if part["passed"] else "failed", f"{part['seconds']:.0f}", part["note"]]
        for name, part in stored["parts"].items()
    ]
    chapters = [
        [name, f"{one['seconds']:.0f}", _cells(one["cells"]), f"{one['largest']:.1e}"]
        for name, one in stored["chapters"].items()
    ]
    parts = [f"{stored['device']}; Python {stored['python']}, torch {stored['torch']}.\n"]
    parts.append(table(["part", "", "seconds", "what it says"], rows))
    if chapters:
        head = ["chapter", "seconds", "cells beyond their tolerance", "largest deviation"]
        parts.append(table(head, chapters))
    return "\n".join(parts)


def _cells(beyond: list[list[Any]]) -> str:
    """Their numbers, each with how far it was off."""
    return ", ".join(
        f"{cell} ({'other words' if off is None else format(off, '.1e')})" for cell, off in beyond
    )
