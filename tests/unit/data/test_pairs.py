"""A pair is two sentences: text is split at white space, and nothing else is taken for words."""

from course_lib.data.pairs import AlignedPair, words_of


def test_text_and_lists_become_the_same_pair():
    pair = AlignedPair("das Haus", ["the", "house"], frozenset({(1, 1)}), frozenset({(1, 1)}))
    assert pair.source == ("das", "Haus")
    assert pair.target == ("the", "house")
    assert pair == AlignedPair(("das", "Haus"), ("the", "house"), pair.sure, pair.possible)
    assert len({pair, pair.turned().turned()}) == 1
    assert words_of("das\xa0Haus .\n") == ("das", "Haus", ".")
