"""What a reader types into a live cell, checked at once and answered in words."""

from collections.abc import Collection
from difflib import get_close_matches

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
