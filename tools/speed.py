"""Time the library beside others' code: `python -m tools.speed [NAME ...]`.

The tables of the page Speed are written into `book/speed.md`; the words around them are written by
hand. With `--quick` each benchmark takes seconds and no page is written.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from tools import ROOT
from tools.results import TABLE, table

PAGE, GPU = ROOT / "book/speed.md", ROOT / "book/results/gpu.json"
BENCHMARKS = ROOT / "benchmarks"


def page(text: str) -> str:
    """The page with the tables that the stored files give, each between two marks."""
    return TABLE.sub(lambda match: f"{match[1]}\n\n{_measured(match[1])}\n", text)


def _measured(name: str) -> str:
    """A benchmark on the CPU and, if it was measured there, on a GPU; "gpu" is `make gpu-lane`."""
    if name == "gpu":
        return _gpu(_read(GPU)) if GPU.exists() else "Not measured yet.\n"
    kinds = [BENCHMARKS / "results" / f"{name}{kind}.json" for kind in ("", "_cuda")]
    return "\n".join(_section(_read(path)) for path in kinds if path.exists())


def write_page() -> None:
    """Write the tables into the page."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    """Run the benchmarks that are named, or all but `pages`, which needs a book and a browser."""
    options = [argument for argument in arguments if argument.startswith("-")]
    known = sorted(path.stem for path in BENCHMARKS.glob("[!_]*.py"))
    names = [argument for argument in arguments if argument not in options]
    for name in names or (name for name in known if name != "pages"):
        command = [sys.executable, "-m", f"benchmarks.{name}", *options]
        if code := subprocess.run(command, cwd=ROOT).returncode:
            sys.exit(code)
    if "--quick" not in options:
        write_page()


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def _section(stored: dict[str, Any]) -> str:
    """A file: the machine, its roofline, and a table of the rows."""
    machine, roofline = stored["machine"], stored["roofline"]
    rates = ", ".join(
        f"{name} {rate / 1e9:,.1f} {'GB/s' if name == 'copy' else 'GFLOP/s'}"
        for name, rate in roofline.items()
    )
    cells, missing = [], {}
    held = "kept" if "kept" in stored["rows"][0] else "peak"
    for case, same in groupby(stored["rows"], key=lambda row: row["case"]):
        rows = list(same)
        for row in rows:
            if "why" in row:
                missing.setdefault(row["why"], []).append(case)
                continue
            low, middle, high = (1000 * row[key] for key in ("low", "seconds", "high"))
            share = f"{100 * row['bound'] / row['seconds']:.0f} %" if row["bound"] else ""
            memory = f"{row[held] / 2**20:,.1f}" if held in row else ""
            ratio = f"{row['seconds'] / rows[0]['seconds']:.2f}"
            time = f"{middle:,.1f} ({low:,.1f}–{high:,.1f})"
            cells.append([case if row is rows[0] else "", row["name"], time, ratio, share, memory])
    head = ["case", "", "ms", "times the first", "of the roofline", f"{held}, MiB"]
    if not any(row[-1] for row in cells):
        head, cells = head[:-1], [row[:-1] for row in cells]
    about = f"{machine['device']}; {machine['processor']}; {stored['time']}. Roofline: {rates}."
    left_out = "".join(
        f"\n{len(cases)} cases were not measured, such as *{cases[0]}*, because {why}.\n"
        for why, cases in missing.items()
    )
    return f"{about}\n\n{table(head, cells)}{left_out}"


def _gpu(stored: dict[str, Any]) -> str:
    """What `make gpu-lane` found, part by part."""
    rows = [
        [name, "passed" if part["passed"] else "failed", f"{part['seconds']:.0f}"]
        for name, part in stored["parts"].items()
    ]
    machine = f"{stored['device']}; torch {stored['torch']}.\n"
    return f"{machine}\n{table(['part', '', 'seconds'], rows)}"


if __name__ == "__main__":
    main(sys.argv[1:])
