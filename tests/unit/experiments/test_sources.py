"""Every claim names who makes it, in words that are short enough to be a quotation."""

from course_lab.claims import CLAIMS
from course_lab.sources import SAID, SOURCES


def test_every_claim_is_quoted_from_a_source_and_no_source_is_left_over() -> None:
    assert set(SAID) == set(CLAIMS)
    assert all(SAID.values())
    assert {name for said in SAID.values() for name in said} == set(SOURCES)
    assert len({source.title for source in SOURCES.values()}) == len(SOURCES)


def test_a_quotation_is_a_few_words_and_an_author_comes_with_an_address() -> None:
    for said in SAID.values():
        assert all(2 <= len(words.split()) <= 16 for words in said.values()), said
    for source in SOURCES.values():
        assert bool(source.author) == bool(source.link), source.title
        assert not source.link or source.link.startswith("https://"), source.title
