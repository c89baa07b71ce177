"""SICK (Marelli et al. 2014): 9,927 English sentence pairs, labelled for SemEval-2014 task 1."""

from pathlib import Path

from course_lib.data.corpora.download import fetch
from course_lib.data.inference_pairs import InferencePair

SPLITS = ("train", "trial", "test")
"""4,500, 500 and 4,927 pairs. Settings are chosen on the trial split."""


def load(split: str) -> list[InferencePair]:
    """Load the pairs of one split as text, in their published order.

    Sentence A is the premise, sentence B the hypothesis.
    """
    name = f"SICK_{split}_annotated.txt" if split == "test" else f"SICK_{split}.txt"
    return read_pairs(fetch("sick", [name])[name])


def read_pairs(path: Path) -> list[InferencePair]:
    """Read the pairs of one file: columns separated by tabs, below a header line."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    columns = [line.split("\t") for line in lines]
    return [InferencePair(a, b, label.lower()) for _, a, b, _, label in columns]
