"""Film reviews, polarity dataset 2.0 (Pang & Lee 2004): 1,000 against and 1,000 for.

The corpus numbers the reviews of each kind from cv000 to cv999. Its ten folds are these numbers by
the hundred: fold 3 is cv300 to cv399 of both kinds. A review is one text, already split into words,
with one sentence on each line.
"""

import re
import zipfile
from pathlib import Path
from typing import IO

from course_lib.data.corpora.download import fetch
from course_lib.data.document import Document

FOLDS = 10
POLARITIES = ("neg", "pos")
"""The labels, by their number: against the film, for it."""

_MEMBER = re.compile(r"movie_reviews/(neg|pos)/cv(\d)\d\d_\d+\.txt")


def load() -> list[list[Document]]:
    """Load the ten folds of 200 reviews, in the order of polarity and number."""
    return read_folds(fetch("reviews")["movie_reviews.zip"])


def read_folds(archive: Path | IO[bytes]) -> list[list[Document]]:
    """Read the folds from an archive, a path or an open file."""
    folds: list[list[Document]] = [[] for _ in range(FOLDS)]
    with zipfile.ZipFile(archive) as files:
        for name in sorted(files.namelist()):
            if match := _MEMBER.fullmatch(name):
                polarity, hundred = match.groups()
                lines = map(str.split, files.read(name).decode("latin-1").split("\n"))
                sentences = tuple(tuple(words) for words in lines if words)
                folds[int(hundred)].append(Document(sentences, POLARITIES.index(polarity)))
    return folds


def split(folds: list[list[Document]], test: int) -> tuple[list[Document], list[Document]]:
    """Return the documents of all folds but one, for training, and those of that one, for testing.

    Raises:
        IndexError: there is no such fold.
    """
    rest = [document for n, fold in enumerate(folds) if n != test for document in fold]
    return rest, folds[test]
