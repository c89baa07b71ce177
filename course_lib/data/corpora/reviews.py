"""Film reviews, polarity dataset 2.0 (Pang & Lee 2004): 1,000 against and 1,000 for.

The corpus numbers the reviews of each kind from cv000 to cv999. Its ten folds are these numbers by
the hundred: fold 3 is cv300 to cv399 of both kinds.
"""

import re
import zipfile
from pathlib import Path
from typing import IO

from course_lib.data.corpora.download import fetch

FOLDS = 10
POLARITIES = ("neg", "pos")
"""The labels, by their number: against the film, for it."""

_MEMBER = re.compile(r"movie_reviews/(neg|pos)/cv(\d)\d\d_\d+\.txt")

Review = tuple[tuple[tuple[str, ...], ...], int]
"""The words of each sentence, which is a line of the file, and the label."""


def load() -> list[list[Review]]:
    """Load the ten folds of 200 reviews, in the order of polarity and number."""
    return read_folds(fetch("reviews")["movie_reviews.zip"])


def read_folds(archive: Path | IO[bytes]) -> list[list[Review]]:
    """Read the folds from an archive, a path or an open file."""
    folds: list[list[Review]] = [[] for _ in range(FOLDS)]
    with zipfile.ZipFile(archive) as files:
        for name in sorted(files.namelist()):
            if match := _MEMBER.fullmatch(name):
                lines = map(str.split, files.read(name).decode("latin-1").split("\n"))
                sentences = tuple(tuple(words) for words in lines if words)
                folds[int(match[2])].append((sentences, POLARITIES.index(match[1])))
    return folds
