"""IBM Model 1 beside nltk's and, where a program `fast_align` is on the path, beside that.

On the first captions of Multi30k, where their file is at hand, otherwise on the mini-world. nltk's
is Python, as ours is; `fast_align` is C++ and is timed with its start, its reading and its writing.
Without `-d` it is Model 1 as well. To have it: build https://github.com/clab/fast_align with cmake,
and put it on the path.
"""

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from nltk.translate import AlignedSent
from nltk.translate import IBMModel1 as NltkModel1

from benchmarks._timing import Row, compared, not_measured, run
from course_lib.alignment.ibm1 import IBMModel1
from course_lib.data.corpora import multi30k
from course_lib.data.corpora.download import at_hand
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import sides

ITERATIONS, PAIRS = 5, 500


def pairs_of(count: int) -> tuple[str, list]:
    """What it is called, and the pairs of sentences as words."""
    if at_hand("multi30k"):
        found = multi30k.load("train")[:count]
        return "captions", [(de.lower().split(), en.lower().split()) for de, en in found]
    return "mini-world sentences", [sides(pair) for pair in grammar.sample("train", count, seed=0)]


def measure(device: torch.device, quick: bool, limits: dict[str, float]) -> list[Row]:
    """One case; nothing of it runs on a GPU, and no matrix is multiplied."""
    told, pairs = pairs_of(PAIRS // 4 if quick else PAIRS)
    aligned = [AlignedSent(list(target), list(source)) for source, target in pairs]
    calls = {
        "nltk": lambda: NltkModel1(aligned, ITERATIONS),
        "library": lambda: IBMModel1.fit(pairs, ITERATIONS),
    }
    case = f"Model 1, {ITERATIONS} iterations over {len(pairs):,} {told}"
    with TemporaryDirectory() as folder:
        if program := shutil.which("fast_align"):
            file = Path(folder, "pairs")
            lines = (f"{' '.join(source)} ||| {' '.join(target)}\n" for source, target in pairs)
            file.write_text("".join(lines), encoding="utf-8")
            command = [program, "-i", str(file), "-I", str(ITERATIONS)]
            calls["fast_align"] = lambda: subprocess.run(command, check=True, capture_output=True)
        rows = compared(case, calls, device, repeats=2 if quick else 5)
    if len(calls) == 2:
        rows.append(not_measured("Model 1 by fast_align", "no program fast_align on the path"))
    return rows


if __name__ == "__main__":
    run("alignment", measure)
