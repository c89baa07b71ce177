"""The net of chapter 1's first screen: how it is made and kept, and what the page says of it."""

import pytest

from course_lab.experiments.recurrence import in_page

SINGULAR = ("has", "sleeps", "waits", "laughs", "sees", "hears", "finds", "visits", "does")
PLURAL = ("have", "sleep", "wait", "laugh", "see", "hear", "find", "visit", "do")


def share(begun: str, verbs) -> float:
    page = in_page.load()
    following = page.following(begun.split())
    return sum(following[page.words.index(verb)].item() for verb in verbs)


def test_each_next_word_has_a_probability_and_the_start_has_none():
    page = in_page.load()
    following = page.following(["the"])
    assert following.sum().item() == pytest.approx(1.0, abs=1e-5)
    assert following[0] == 0
    cold = page.following(["the"], temperature=0.1)
    assert cold.max() > following.max()
    assert cold.argmax() == following.argmax()


def test_the_verb_follows_the_last_noun_where_a_clause_stands_between():
    for subject in ("the dog that sees", "the girl who sees", "the cat that hears"):
        for other in ("the cats", "the kings", "two dogs"):
            assert share(f"{subject} {other}", PLURAL) > 3 * share(f"{subject} {other}", SINGULAR)
    for one, many in (("dog", "dogs"), ("girl", "girls"), ("king", "kings")):
        assert share(f"the {one}", SINGULAR) > 10 * share(f"the {one}", PLURAL)
        assert share(f"the {many}", PLURAL) > 10 * share(f"the {many}", SINGULAR)
