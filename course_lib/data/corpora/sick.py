"""SICK (Marelli et al. 2014): 9,927 English sentence pairs, labelled for SemEval-2014 task 1."""

from pathlib import Path

from course_lib.data.corpora.download import fetch
from course_lib.data.inference_pairs import LABELS, InferencePair
from course_lib.errors import CourseError

SPLITS = ("train", "trial", "test")
"""4,500, 500 and 4,927 pairs. Settings are chosen on the trial split."""

_FILES = {
    "train": "SICK_train.txt",
    "trial": "SICK_trial.txt",
    "test": "SICK_test_annotated.txt",
}
_HEAD = ["pair_ID", "sentence_A", "sentence_B", "relatedness_score", "entailment_judgment"]


def load(split: str, *, progress: bool = True) -> list[InferencePair]:
    """The pairs of one split as text, in their published order: A is the premise, B the hypothesis.

    Args:
        split: one of `SPLITS`.
        progress: show a bar while downloading.

    Raises:
        CourseError: no such split, or the data cannot be downloaded or found.
    """
    if split not in SPLITS:
        raise CourseError(f"want a split of SICK, one of {', '.join(SPLITS)}; got {split!r}")
    name = _FILES[split]
    return read_pairs(fetch("sick", [name], progress=progress)[name])


def read_pairs(path: Path) -> list[InferencePair]:
    """The pairs of a file of this format: columns separated by tabs, with a header line.

    Raises:
        CourseError: the file is of another format.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise CourseError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CourseError(
            f"want a file of SICK, text in UTF-8; {path} is no text in UTF-8"
        ) from error
    head, *lines = text.splitlines() or [""]
    if head.split("\t") != _HEAD:
        raise CourseError(f"want the columns {', '.join(_HEAD)}; {path} is no file of SICK")
    pairs = []
    for number, line in enumerate(lines, start=2):
        columns = line.split("\t")
        if len(columns) != len(_HEAD) or columns[4].lower() not in LABELS:
            raise CourseError(
                f"{path}, line {number}: want five columns and a label; got {line[:40]!r}"
            )
        pairs.append(InferencePair(columns[1], columns[2], columns[4].lower()))
    return pairs
