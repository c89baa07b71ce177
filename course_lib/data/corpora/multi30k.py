"""Multi30k (Elliott, Frank, Sima'an & Specia 2016): 29,000 image captions, English and German."""

import gzip
from pathlib import Path

from course_lib.data.corpora.download import fetch

SPLITS = ("train", "val", "test_2016_flickr", "test_2017_flickr")


def load(split: str, source: str = "de", target: str = "en") -> list[tuple[str, str]]:
    """Load the sentence pairs of one split, as plain text in their published order.

    Args:
        split: one of `SPLITS`: 29,000, 1,014, 1,000 and 1,000 pairs.
        source: "de" or "en".
        target: "de" or "en".

    KeyError for no such split or language.
    """
    names = [f"{split}.{language}.gz" for language in (source, target)]
    paths = fetch("multi30k", names)
    sides = [_lines(paths[name]) for name in names]
    return list(zip(*sides, strict=True))


def _lines(path: Path) -> list[str]:
    text = gzip.decompress(path.read_bytes()).decode("utf-8")
    # Not splitlines(): only a newline separates sentences; a sentence may contain other breaks.
    return [line.strip() for line in text.removesuffix("\n").split("\n")]
