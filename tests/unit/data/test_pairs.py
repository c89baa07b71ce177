"""A pair is two sentences: text is split at white space, and nothing else is taken for words."""

import pytest

from course_lib.data.batch import encode_pairs
from course_lib.data.pairs import AlignedPair, sides, words_of
from course_lib.data.tokens.tokenizer import WordVocabulary


def test_text_and_lists_become_the_same_pair():
    pair = AlignedPair("das Haus", ["the", "house"], frozenset({(1, 1)}), frozenset({(1, 1)}))
    assert pair.source == ("das", "Haus")
    assert pair.target == ("the", "house")
    assert pair == AlignedPair(("das", "Haus"), ("the", "house"), pair.sure, pair.possible)
    assert len({pair, pair.turned().turned()}) == 1
    assert words_of("das\xa0Haus .\n") == ("das", "Haus", ".")


@pytest.mark.parametrize("pair", ["ab", ("a", "b", "c"), 7, ["one"]])
def test_what_is_no_pair_is_refused(pair):
    with pytest.raises(TypeError):
        sides(pair)
    words = WordVocabulary(["a", "b"])
    with pytest.raises(TypeError):
        encode_pairs([pair], words, words)
