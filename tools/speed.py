"""Time the library beside others' code, write the page Speed: `python -m tools.speed [NAME ...]`.

With `--quick` each benchmark takes seconds and no page is written.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from tools import ROOT
from tools.results import table

PAGE, GPU = ROOT / "book/speed.md", ROOT / "book/results/gpu.json"
BENCHMARKS = ROOT / "benchmarks"
_INTRODUCTION = """\
This page compares the speed of the library with that of other code. `make bench` measures
everything again. The programs of a case take turns in one run. Each time is the median, with the
shortest and the longest in brackets. *Times the first* divides it by the time of the first row.

The roofline of a machine is the speed of its large products and of its copies, measured in the
same run. *Of the roofline* is the time needed at full speed, for the counted operations or for the
bytes that must be read, divided by the time taken. The speed of a virtual machine changes from
minute to minute, so a share can be above 100 %.
"""
_SECTIONS = {
    "transformer": "Transformer: training, cache and beams",
    "recurrent": "The recurrent attention decoder",
    "alignment": "IBM Model 1",
    "at_scale": "Attention over long texts, forward and backward",
    "linear": "The next token after a long text: a cache or a linear state",
}


def page() -> str:
    """The whole page in MyST."""
    parts = ["# Speed\n", _summary(), _INTRODUCTION]
    for name, title in _SECTIONS.items():
        kinds = [BENCHMARKS / "results" / f"{name}{kind}.json" for kind in ("", "_cuda")]
        parts += [f"## {title}\n", *(_section(_read(path)) for path in kinds if path.exists())]
    if GPU.exists():
        parts += ["## On a GPU\n", _gpu(_read(GPU))]
    return "\n".join(parts)


def _summary() -> str:
    """What the tables show, in a few lines."""
    steps = _ratios("transformer", "training step", "library")
    (cache,) = _ratios("transformer", "decoding 128 tokens for 16 sentences, one", "without")
    (decoder,) = _ratios("recurrent", "Bahdanau", "library")
    (model_1,) = _ratios("alignment", "Model 1", "library")
    *_, blockwise = _ratios("at_scale", "one head", "blockwise")
    *_, memory = _ratios("at_scale", "one head", "blockwise", "peak")
    softmax = ("linear", "a token", "softmax with the cache")
    *_, later = _ratios(*softmax)
    *_, larger = _ratios(*softmax, "kept")
    return f"""\
- A training step of the library's Transformer takes {min(steps):.2f} to {max(steps):.2f} times as
  long as one of `torch.nn.Transformer`.
- Decoding 128 tokens without the key-value cache takes {cache:.1f} times as long as with it.
- Bahdanau's decoder takes {decoder:.2f} times as long as a decoder with all its work in the loop.
- IBM Model 1 is {1 / model_1:.0f} times as fast as nltk's.
- On the longest text, blockwise attention takes {blockwise:.2f} times as long as `attend` and needs
  1/{1 / memory:.0f} of its memory.
- After the longest text, softmax with its cache takes {later:.0f} times as long for a token as a
  linear state, and keeps {larger:,.0f} times as many bytes.
"""


def _ratios(file: str, case: str, row: str, field: str = "seconds") -> list[float]:
    """A row's number divided by the first row's, in each case that begins so."""
    found = []
    rows = _read(BENCHMARKS / "results" / f"{file}.json")["rows"]
    for name, same in groupby(rows, key=lambda one: one["case"]):
        numbers = {one["name"]: one[field] for one in same if "why" not in one}
        if name.startswith(case) and numbers:
            found.append(numbers[row] / next(iter(numbers.values())))
    return found


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
        PAGE.write_text(page(), encoding="utf-8")


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
        [name, "passed" if part["passed"] else "failed", f"{part['seconds']:.0f}", part["note"]]
        for name, part in stored["parts"].items()
    ]
    machine = f"{stored['device']}; Python {stored['python']}, torch {stored['torch']}.\n"
    return f"{machine}\n{table(['part', '', 'seconds', 'what it says'], rows)}"


if __name__ == "__main__":
    main(sys.argv[1:])
