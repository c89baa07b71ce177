"""SNLI (Bowman et al. 2015): 570,000 English sentence pairs, labelled by crowd workers.

The official archive is 94 MB. Each pair is one line of JSON. Where annotators did not agree on a
label, it is "-"; those pairs are left out, as is usual.
"""

import json
import zipfile
from pathlib import Path

from course_lib.data.corpora.download import fetch
from course_lib.data.inference_pairs import InferencePair

SPLITS = ("train", "dev", "test")
"""549,367, 9,842 and 9,824 pairs with a label."""


def load(split: str) -> list[InferencePair]:
    """Load the labelled pairs of one split as text, in their published order."""
    (archive,) = fetch("snli").values()
    return read_pairs(archive, split)


def read_pairs(archive: Path, split: str) -> list[InferencePair]:
    """Read the labelled pairs of one split from the archive."""
    with zipfile.ZipFile(archive) as files, files.open(f"snli_1.0/snli_1.0_{split}.jsonl") as lines:
        return [
            InferencePair(entry["sentence1"], entry["sentence2"], entry["gold_label"])
            for entry in map(json.loads, lines)
            if entry["gold_label"] != "-"
        ]
