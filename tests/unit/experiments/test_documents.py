"""Documents: one sentence decides, nothing else says a thing, and splits share no sentence."""

from collections import Counter
from itertools import combinations

import pytest

from course_lab.experiments.two_levels.documents import (
    KING,
    MENTIONS,
    PLACES,
    RIVALS,
    SILENCE,
    pools,
    sample,
)

SPLITS = ("train", "valid", "test")
FAMILIES = 20
KINGS = {KING, "kings"}
ROOMS = {place + end for place in PLACES for end in ("", "s")}


@pytest.fixture(scope="module", params=SPLITS)
def documents(request):
    return sample(request.param, FAMILIES, seed=5)


def rest(document) -> tuple:
    """Everything but the deciding sentence, with its place."""
    return (
        *document.sentences[: document.decider],
        None,
        *document.sentences[document.decider + 1 :],
    )


def test_the_deciding_sentence_alone_names_king_and_place_and_says_the_label(documents):
    for document in documents:
        both = [
            number
            for number, words in enumerate(document.sentences)
            if KINGS & set(words) and ROOMS & set(words)
        ]
        assert both == [document.decider]
        words = document.sentences[document.decider]
        who, where = document.deciding
        assert (words[who], words[where]) == (KING, PLACES[document.label])
        assert len((KINGS | ROOMS) & set(words)) == 2
        assert words[where - 2] != "not"
        assert "not" not in words


def test_rivals_and_mentions_are_as_many_as_promised(documents):
    for document in documents:
        others = rest(document)
        places = [sum(word in ROOMS for word in words) for words in others if words]
        kings = [bool(KINGS & set(words)) for words in others if words]
        assert (sum(places), sum(kings)) == (RIVALS, MENTIONS)
        assert max(places) == 1
        assert 6 <= len(document.sentences) <= 8


def test_whatever_is_counted_outside_the_deciding_word_is_the_same_for_every_label(documents):
    """The proof that distractors carry no signal: equal multisets, not a test of significance."""
    told = {label: Counter() for label in range(len(PLACES))}
    bags = {label: Counter() for label in range(len(PLACES))}
    for document in documents:
        words = list(document.sentences[document.decider])
        words[document.deciding[1]] = None
        told[document.label][rest(document), tuple(words)] += 1
        loose = Counter(word for line in rest(document) if line for word in line)
        bags[document.label][frozenset(loose.items())] += 1
    assert told[0] == told[1] == told[2]
    assert bags[0] == bags[1] == bags[2]
    assert sum(bags[0].values()) == FAMILIES


def test_a_familys_documents_differ_in_one_word(documents):
    for start in range(0, len(documents), len(PLACES)):
        family = documents[start : start + len(PLACES)]
        assert [document.label for document in family] == list(range(len(PLACES)))
        assert len({(d.family, d.decider, d.deciding) for d in family}) == 1
        for one, other in combinations(family, 2):
            pairs = zip(one.sentences, other.sentences, strict=True)
            changed = [
                (number, place)
                for number, (a, b) in enumerate(pairs)
                for place, (left, right) in enumerate(zip(a, b, strict=True))
                if left != right
            ]
            assert changed == [(one.decider, one.deciding[1])]


def test_no_sentence_and_no_frame_is_in_two_splits():
    lines = {
        split: {words for d in sample(split, 60, seed=2) for words in d.sentences}
        for split in SPLITS
    }
    frames = {split: {frame.words for frame in pools()[split].frames} for split in SPLITS}
    for one, other in combinations(SPLITS, 2):
        assert not lines[one] & lines[other]
        assert not frames[one] & frames[other]
    assert min(map(len, frames.values())) >= 40


def test_a_seed_gives_the_same_documents_and_more_of_them_begin_alike():
    assert sample("valid", 9, seed=3) == sample("valid", 20, seed=3)[:27]
    assert sample("valid", 9, seed=3) != sample("valid", 9, seed=4)


def test_a_silent_document_has_somebody_else_in_the_kings_sentence():
    drawn = sample("test", 20, seed=4, silent=True)
    assert [d for d in drawn if not d.silent] == sample("test", 20, seed=4)
    for start in range(0, len(drawn), 4):
        *told, silent = drawn[start : start + 4]
        assert (silent.label, silent.silent) == (SILENCE, True)
        assert rest(silent) == rest(told[0])
        who, where = silent.deciding
        words = silent.sentences[silent.decider]
        assert words[where] in PLACES
        assert not any(KINGS & set(line) and ROOMS & set(line) for line in silent.sentences)
        blank = [list(d.sentences[d.decider]) for d in (told[0], silent)]
        for line in blank:
            line[who] = line[where] = None
        assert blank[0] == blank[1]
