"""Multi30k (Elliott, Frank, Sima'an & Specia 2016): 29,000 image captions, English and German."""

import gzip
from pathlib import Path

from course_lib.data.corpora.download import fetch
from course_lib.errors import CourseError

SPLITS = ("train", "val", "test_2016_flickr", "test_2017_flickr")
LANGUAGES = ("de", "en")


def load(
    split: str, source: str = "de", target: str = "en", *, progress: bool = True
) -> list[tuple[str, str]]:
    """The sentence pairs of one split, as plain text in their published order.

    The same language on both sides gives the pairs of an autoencoder.

    Args:
        split: one of `SPLITS`: 29,000, 1,014, 1,000 and 1,000 pairs.
        source: one of `LANGUAGES`.
        target: one of `LANGUAGES`.
        progress: show a bar while downloading.

    Raises:
        CourseError: no such split or language, or the data cannot be downloaded or found.
    """
    _check("split", split, SPLITS)
    _check("language", source, LANGUAGES)
    _check("language", target, LANGUAGES)
    names = [f"{split}.{language}.gz" for language in (source, target)]
    paths = fetch("multi30k", names, progress=progress)
    sides = [_lines(paths[name]) for name in names]
    return list(zip(*sides, strict=True))


def _check(what: str, got: str, known: tuple[str, ...]) -> None:
    if got not in known:
        raise CourseError(f"want a {what} of Multi30k, one of {', '.join(known)}; got {got!r}")


def _lines(path: Path) -> list[str]:
    text = gzip.decompress(path.read_bytes()).decode("utf-8")
    # Not splitlines(): only a newline separates sentences, other breaks may stand inside one.
    return [line.strip() for line in text.removesuffix("\n").split("\n")]
