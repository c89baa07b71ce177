"""What a reader types into a live cell, checked at once and answered in words."""

from collections.abc import Collection
from difflib import get_close_matches

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.data.tokens.tokenizer import SPECIALS, WordVocabulary
from course_lib.data.tokens.words import normal_text, split_words
from course_lib.errors import CourseError

_LONGEST = 60


def typed_words(
    sentence: str, vocabulary: WordVocabulary, also: Collection[str] = (), end: str = "."
) -> list[str]:
    """The words of a typed sentence; `end` is added where the reader left it out.

    Args:
        sentence: as it was typed.
        vocabulary: the words that the network knows.
        also: what may stand in the sentence beside them, such as the mark of a gap.
        end: the word that ends every sentence.

    Raises:
        CourseError: nothing was typed, too much was, or a word that the network never saw.
    """
    known = {vocabulary.decode([i]) for i in range(len(SPECIALS), len(vocabulary))} | {*also}
    _, words = split_words(normal_text(sentence, lowercase=False))
    words = words if words[-1] == end else [*words, end]
    if len(words) > _LONGEST:
        raise CourseError(f"want at most {_LONGEST} words; got {len(words)}")
    for word in words:
        if word not in known:
            near = get_close_matches(word, known, n=3, cutoff=0.5)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise CourseError(f"the network does not know the word {word!r}{hint}")
    return words


def typed_vectors(text: str, width: int | None = None) -> Float[Tensor, "N D"]:
    """The vectors of a text such as "1 0; 0 1; 2 2".

    Raises:
        CourseError: not numbers, or vectors of different widths, or not of the width wanted.
    """
    try:
        rows = [[float(x) for x in row.replace(",", " ").split()] for row in text.split(";")]
    except ValueError as error:
        raise CourseError(f"want numbers such as 1 0; 0 1; got {text!r} ({error})") from None
    widths = {len(row) for row in rows}
    if len(widths) != 1 or 0 in widths or (width is not None and widths != {width}):
        many = f"{width} numbers in each vector" if width else "as many numbers in each vector"
        raise CourseError(f"want {many}, vectors separated by semicolons; got {text!r}")
    vectors = torch.tensor(rows)
    if not vectors.isfinite().all():
        raise CourseError(f"want finite numbers; got {text!r}")
    return vectors
