"""Relations of the mini-world's sentences: read off by hand, and held against their words."""

import pytest

from course_lab.experiments.multi_head.relations import sample_parsed
from course_lib.data.mini_world.grammar import split_of

PARSED = {
    " ".join(each.words): each for each in sample_parsed("test", 400, min_words=4, max_words=12)
}


def told(text: str) -> set[tuple[str, str, str]]:
    """The relations of a sentence of the sample, in words."""
    words, relations = PARSED[text]
    return {
        (r.kind, words[r.word], " ".join(words[p] for p in sorted(r.partners))) for r in relations
    }


def first(*needed: str) -> str:
    return next(text for text in PARSED if all(word in text.split() for word in needed))


@pytest.mark.parametrize(
    ("finite", "content"), [("has", ("seen", "slept")), ("does", ("sleep", "see", "wait"))]
)
def test_the_finite_verb_is_asked_for_the_subject(finite, content):
    for text, (words, relations) in PARSED.items():
        for r in relations:
            if r.kind == "verb to subject":
                assert words[r.word] not in ("slept", "seen", "heard", "visited"), text
            if r.kind == "subject to verb":
                assert all(words[p] not in ("has", "have", "do", "does") for p in r.partners), text
    text = first(finite)
    assert any(word == finite for kind, word, _ in told(text) if kind == "verb to subject")


def test_the_noun_before_who_is_subject_inside_the_relative_clause():
    for text, (words, relations) in PARSED.items():
        for place in (i for i, word in enumerate(words) if word == "who"):
            inside = [
                r
                for r in relations
                if r.kind == "verb to subject" and r.word in (place + 1, place + 2)
            ]
            # `often` may stand between.
            assert any(max(r.partners) < place for r in inside), text


def test_two_nouns_joined_by_and_are_both_subjects():
    pairs = [
        (words, r)
        for words, relations in PARSED.values()
        for r in relations
        if len(r.partners) == 2
    ]
    assert pairs
    for words, r in pairs:
        low, high = sorted(r.partners)
        assert "and" in words[low:high]


def test_sentences_are_of_their_split_differ_and_begin_alike():
    again = sample_parsed("test", 50, min_words=4, max_words=12)
    assert again == list(PARSED.values())[:50]
    assert all(split_of(text) == "test" for text in PARSED)
    assert len(PARSED) == 400
