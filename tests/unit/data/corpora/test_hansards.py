"""Hansards: the file's own notation, read as its annotators meant it."""

import pytest

from course_lib.data.corpora.hansards import load, parse_pair


def test_a_line_is_read_with_positions_from_0_and_english_first():
    pair = parse_pair("the motion agreed to .   ||| motion adoptée .  ", "5-3 2-1 3p2 4p2")
    assert pair.source == ("the", "motion", "agreed", "to", ".")
    assert pair.target == ("motion", "adoptée", ".")
    assert pair.sure == {(4, 2), (1, 0)}
    assert pair.possible == {(4, 2), (1, 0), (2, 1), (3, 1)}


@pytest.mark.parametrize("links", ["1-2", "0-1"])
def test_a_link_outside_the_sentences_is_an_error(links):
    with pytest.raises(ValueError, match="want links within 1 and 1 words"):
        parse_pair("a ||| b", links)


def test_the_real_file_has_its_published_counts(course_data):
    pairs = load()
    assert len(pairs) == 447
    assert sum(len(pair.sure) for pair in pairs) == 4038
    assert sum(len(pair.possible) for pair in pairs) == 4038 + 13400


def test_the_source_is_english_and_equal_tokens_are_linked(course_data):
    """If source and target were swapped or counting began elsewhere, these would not hold."""
    pairs = load()
    assert sum("the" in pair.source for pair in pairs) > 200
    assert sum("the" in pair.target for pair in pairs) < 10
    sure = [(pair.source[i], pair.target[j]) for pair in pairs for i, j in pair.sure]
    full_stops = [target for source, target in sure if source == "."]
    assert full_stops.count(".") > 0.9 * len(full_stops)
