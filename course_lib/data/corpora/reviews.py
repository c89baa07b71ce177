"""Film reviews, polarity dataset 2.0 (Pang & Lee 2004): 1,000 against and 1,000 for.

The corpus numbers the reviews of each kind from cv000 to cv999. Its ten folds are these numbers by
the hundred: fold 3 is cv300 to cv399 of both kinds. A review is one text, already split into words,
with one sentence on each line.
"""

import re
import zipfile

from course_lib.data.corpora.archive import BROKEN, refused
from course_lib.data.corpora.download import fetch
from course_lib.data.document import Document
from course_lib.errors import CourseError

FOLDS = 10
POLARITIES = ("neg", "pos")
"""The labels, by their number: against the film, for it."""

_MEMBER = re.compile(r"movie_reviews/(neg|pos)/cv(\d)\d\d_\d+\.txt")


def load(*, progress: bool = True) -> list[list[Document]]:
    """The ten folds of 200 reviews, in the order of kind and number.

    Raises:
        CourseError: the data cannot be downloaded or found.
    """
    return read_folds(fetch("reviews", progress=progress)["movie_reviews.zip"])


def read_folds(archive) -> list[list[Document]]:
    """The folds in an archive of that form, given by its path or as an open file.

    Raises:
        CourseError: it is not an archive, or there is no review in it.
    """
    folds: list[list[Document]] = [[] for _ in range(FOLDS)]
    try:
        with zipfile.ZipFile(archive) as opened:
            for name in sorted(opened.namelist()):
                if match := _MEMBER.fullmatch(name):
                    polarity, hundred = match.groups()
                    text = opened.read(name).decode("latin-1")
                    folds[int(hundred)].append(parse_review(text, POLARITIES.index(polarity)))
    except BROKEN as error:
        message = f"want an archive of film reviews; {archive} is none, or broken: {error}"
        raise refused(error, archive, message) from error
    if not any(folds):
        raise CourseError(
            f"want reviews such as movie_reviews/neg/cv000_*.txt in {archive}; got none"
        )
    return folds


def parse_review(text: str, label: int) -> Document:
    """One review: each line that holds a word is a sentence."""
    lines = (tuple(line.split()) for line in text.split("\n"))
    return Document(tuple(line for line in lines if line), label)


def split(folds: list[list[Document]], test: int) -> tuple[list[Document], list[Document]]:
    """All folds but one for training, and that one for testing.

    Raises:
        ValueError: there is no such fold.
    """
    if not 0 <= test < len(folds):
        raise ValueError(f"want a fold from 0 to {len(folds) - 1}; got {test}")
    rest = [document for n, fold in enumerate(folds) if n != test for document in fold]
    return rest, folds[test]
