"""The combinations that training never shows: chosen by hash, found wherever they hide."""

import pytest

from course_lib.data.mini_world.combinations import has_held_out, is_held_out, stable_hash
from course_lib.data.mini_world.grammar import sample
from course_lib.data.mini_world.lexicon.reader import load
from course_lib.data.mini_world.lexicon.vocabulary import DETERMINERS, PREPOSITIONS
from course_lib.data.mini_world.meaning import (
    Clause,
    NounPhrase,
    Pair,
    PrepositionalPhrase,
    Sentence,
)

FULL = load("full")
NOUNS = {noun.lemma: noun for noun in (*FULL.nouns, *FULL.names)}
VERBS = {verb.english[0]: verb for verb in FULL.verbs}
ADJECTIVES = {adjective.english: adjective for adjective in FULL.adjectives}
FORMS = {form: noun.lemma for noun in FULL.nouns for form in noun.english if form}
ARTICLES = {form for d in DETERMINERS.values() for form in d.english} | {"an"}


def test_the_hash_is_the_same_on_every_machine():
    assert [stable_hash(text, 1000) for text in ("", "dog", "Hund")] == [876, 335, 279]
    assert is_held_out("young", "cat")
    assert is_held_out("see", "woman")
    assert not is_held_out("old", "cat")
    assert not is_held_out("see", "man")


def np(noun, *adjectives, **parts):
    return NounPhrase(
        NOUNS[noun],
        DETERMINERS["the"],
        adjectives=tuple(ADJECTIVES[a] for a in adjectives),
        **parts,
    )


def holds(subject, verb, thing=None, **parts):
    return has_held_out(Sentence((Clause(VERBS[verb], subject, thing, **parts),), ("",)))


def test_an_object_is_a_combination_and_a_subject_is_not():
    assert holds(np("man"), "see", np("woman"))
    assert not holds(np("woman"), "see", np("man"))
    assert holds(np("man"), "see", Pair(np("girl"), np("woman")))


def test_the_head_of_an_object_relative_is_an_object():
    see = Clause(VERBS["see"], np("man"), gap="object")
    assert holds(np("woman", relative=see), "sleep")
    assert not holds(np("girl", relative=see), "sleep")
    seen = Clause(VERBS["see"], None, np("man"), gap="subject")
    assert not holds(np("woman", relative=seen), "sleep")


@pytest.mark.parametrize("word", ["young", "old"])
def test_an_adjective_is_found_wherever_its_noun_stands(word):
    cat, man = np("cat", word), np("man")
    place = PrepositionalPhrase(PREPOSITIONS["beside"], cat)
    inside = Clause(VERBS["hear"], None, cat, gap="subject")
    found = {
        holds(cat, "sleep"),
        holds(Pair(man, cat), "sleep"),
        holds(man, "hear", cat),
        holds(man, "sleep", place=place),
        holds(man, "sleep", companion=place),
        holds(np("man", attribute=place), "sleep"),
        holds(np("man", relative=inside), "sleep"),
        holds(man, "show", np("book"), recipient=cat),
    }
    assert found == {word == "young"}


def neighbours(pair):
    """Combinations that stand side by side in the English words: old cat, sees the (old) cat."""
    words = pair.source
    giving = {form for verb in FULL.verbs if verb.recipients for form in verb.english}
    forms = {form: v.english[0] for v in FULL.verbs for form in v.english if form not in giving}
    for i, word in enumerate(words):
        j = i + 1 + (word in forms and words[i + 1] == "for")
        while word in forms and j < len(words) and words[j] in ARTICLES:
            j += 1
        while j < len(words) and words[j] in ADJECTIVES:
            j += 1
        if j < len(words) and words[j] in FORMS and (word in forms or word in ADJECTIVES):
            yield forms.get(word, word), FORMS[words[j]]


@pytest.mark.parametrize("split", ["train", "valid", "test"])
@pytest.mark.parametrize("size", ["full", "tiny"])
def test_no_held_out_combination_stands_in_the_other_splits(split, size):
    pairs = sample(split, 200 if split == "train" else 40, seed=8, min_words=9, vocabulary=size)
    found = {two for pair in pairs for two in neighbours(pair)}
    assert len(found) > 15
    assert not any(is_held_out(*two) for two in found)


@pytest.mark.parametrize("size", ["full", "tiny"])
def test_every_compositional_sentence_holds_a_new_combination_of_old_words(size):
    pairs = sample("compositional", 60, seed=8, min_words=4, max_words=12, vocabulary=size)
    lemmas = {form: verb.english[0] for verb in FULL.verbs for form in verb.english}
    for pair in pairs:
        heads = [lemmas.get(w, w) for w in pair.source if w in lemmas or w in ADJECTIVES]
        nouns = [FORMS[word] for word in pair.source if word in FORMS]
        assert any(is_held_out(head, noun) for head in heads for noun in nouns)
    beside = [any(is_held_out(*two) for two in neighbours(pair)) for pair in pairs]
    assert sum(beside) > 0.75 * len(pairs)
