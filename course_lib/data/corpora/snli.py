"""SNLI (Bowman et al. 2015): 570,000 English sentence pairs, labelled by crowd workers.

The official archive is 94 MB. Each pair is one line of JSON. Where annotators did not agree on a
label, it is "-"; those pairs are left out, as is usual.
"""

import json
import zipfile
from pathlib import Path

from course_lib.data.corpora.archive import BROKEN, refused
from course_lib.data.corpora.download import fetch
from course_lib.data.inference_pairs import LABELS, InferencePair
from course_lib.errors import CourseError

SPLITS = ("train", "dev", "test")
"""549,367, 9,842 and 9,824 pairs with a label."""

_NO_LABEL = "-"
_FIELDS = ("sentence1", "sentence2", "gold_label")


def load(split: str, *, progress: bool = True) -> list[InferencePair]:
    """The labelled pairs of one split as text, in their published order.

    Args:
        split: one of `SPLITS`.
        progress: show a bar while downloading.

    Raises:
        CourseError: no such split, or the data cannot be downloaded or found.
    """
    if split not in SPLITS:
        raise CourseError(f"want a split of SNLI, one of {', '.join(SPLITS)}; got {split!r}")
    (archive,) = fetch("snli", progress=progress).values()
    return read_pairs(archive, split)


def read_pairs(archive: Path, split: str) -> list[InferencePair]:
    """The labelled pairs of one split in an archive of this format.

    Raises:
        CourseError: it is not such an archive, or one of its lines is not in SNLI's format.
    """
    member = f"snli_1.0/snli_1.0_{split}.jsonl"
    try:
        with zipfile.ZipFile(archive) as files, files.open(member) as lines:
            found = [
                _pair(line, f"{archive}, {member}, line {n}") for n, line in enumerate(lines, 1)
            ]
    except (*BROKEN, KeyError) as error:
        message = f"want an archive of SNLI with {member} in it; {archive} is none"
        raise refused(error, archive, message) from error
    return [pair for pair in found if pair is not None]


def _pair(line: bytes, place: str) -> InferencePair | None:
    try:
        entry = json.loads(line)
        *texts, label = (entry[name] for name in _FIELDS)
        if not all(isinstance(text, str) for text in (*texts, label)):
            raise TypeError("a field that is not text")
    except (ValueError, KeyError, TypeError) as error:
        raise CourseError(f"{place}: want JSON with gold_label, sentence1 and sentence2") from error
    if label == _NO_LABEL:
        return None
    if label not in LABELS:
        raise CourseError(f"{place}: want a label, one of {', '.join(LABELS)}; got {label!r}")
    return InferencePair(*texts, label)
