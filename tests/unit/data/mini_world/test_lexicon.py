"""The word lists: complete, consistent, and without forms that would make translation ambiguous."""

from collections import defaultdict
from itertools import chain
from pathlib import Path

import pytest

from course_lib.data.mini_world import german_forms as german
from course_lib.data.mini_world.combinations import is_held_out, world
from course_lib.data.mini_world.lexicon import reader
from course_lib.data.mini_world.lexicon.reader import load
from course_lib.data.mini_world.lexicon.vocabulary import DETERMINERS, PREPOSITIONS, PRONOUNS

FULL, TINY = load("full"), load("tiny")


def english_words(lexicon):
    """(lemma, form) for every English word."""
    for noun in (*lexicon.nouns, *lexicon.names, *PRONOUNS):
        yield from (("noun " + noun.lemma, form) for form in noun.english if form)
    for verb in lexicon.verbs:
        yield from (("verb " + verb.english[0], form) for form in verb.english)
    yield from (("adjective " + a.english, a.english) for a in lexicon.adjectives)
    for adverb in chain(*lexicon.adverbs.values()):
        if len(adverb.english) == 1:
            yield "adverb " + adverb.english[0], adverb.english[0]
    for name, determiner in DETERMINERS.items():
        yield from (("determiner " + name, form) for form in set(determiner.english) if form)
    yield from (("preposition " + name, name) for name in PREPOSITIONS)


def test_no_english_form_belongs_to_two_words():
    owners = defaultdict(set)
    for lemma, form in english_words(FULL):
        owners[form].add(lemma)
    assert {form: who for form, who in owners.items() if len(who) > 1} == {}


def test_each_german_lemma_translates_one_english_one():
    # tall (people) and big (everything else) are both groß: no noun takes both.
    for words in (
        [noun.german[0][0] for noun in FULL.nouns],
        [verb.german[1] for verb in FULL.verbs],
        [preposition.german for preposition in PREPOSITIONS.values()],
        [a.weak[0][0] for a in FULL.adjectives if a.english != "tall"],
        [" ".join(a.german) for a in chain(*FULL.adverbs.values())],
    ):
        assert len(words) == len(set(words))
    adjectives = world("full", True).adjectives
    sizes = {noun: {a.english for a in suited} for noun, suited in adjectives.items()}
    assert [n.lemma for n, suited in sizes.items() if {"tall", "big"} <= suited] == []


def test_every_class_or_noun_that_is_selected_exists():
    known = {noun.lemma for noun in FULL.nouns}.union(*(noun.classes for noun in FULL.nouns))
    folder = Path(reader.__file__).parent
    selected = set()
    for line in (folder / "verbs.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            frame, _, marks = line.split("|", 2)[2].partition("|")
            selected |= set(frame.replace(">", " ").split())
            for mark in marks.split():
                if mark.split(":")[0] in PREPOSITIONS:
                    selected |= set(mark.split(":")[1].split(","))
    for line in (folder / "adjectives.txt").read_text("utf-8").splitlines():
        if "|" in line and not line.startswith("#"):
            selected |= set(line.split("|")[1].split())
    assert selected - known == set()


@pytest.mark.parametrize("lexicon", [FULL, TINY])
def test_every_verb_has_what_it_needs(lexicon):
    frames = {v.english[0]: v for v in FULL.verbs}
    for verb in lexicon.verbs:
        full = frames[verb.english[0]]
        assert verb.subjects
        assert bool(verb.objects) == bool(full.objects)
        assert bool(verb.recipients) == bool(full.recipients)
        assert verb.places or "needs-place" not in verb.marks


def test_attributes_and_companions_share_no_noun():
    # `sees the girl with the hat` must not also mean: with the help of the hat.
    worn = {noun for noun in FULL.nouns if "worn" in noun.classes}
    companions = {
        n for v in FULL.verbs for p, ns in v.companions if p.english == "with" for n in ns
    }
    assert worn & companions == set()


@pytest.mark.parametrize("size", ["full", "tiny"])
def test_every_word_meets_partners_in_training(size):
    seen = world(size, False)
    for verb in seen.lexicon.verbs:
        assert seen.objects[verb] or not verb.objects
    taken = {a for suited in seen.adjectives.values() for a in suited}
    assert taken == set(seen.lexicon.adjectives)


def test_about_a_tenth_of_the_combinations_is_held_out():
    everything = world("full", True)
    pairs = [(a.english, n.lemma) for n, suited in everything.adjectives.items() for a in suited]
    pairs += [(v.english[0], n.lemma) for v, objects in everything.objects.items() for n in objects]
    share = sum(is_held_out(*pair) for pair in pairs) / len(pairs)
    assert 0.07 < share < 0.13


def test_a_or_an_follows_the_sound():
    # Words whose first letter misleads about the sound are kept out of the vocabulary.
    misleading = ("hour", "honest", "heir", "uni", "use", "one", "eu", "u-")
    words = [n.lemma for n in FULL.nouns] + [a.english for a in FULL.adjectives]
    assert [word for word in words if word.startswith(misleading)] == []


def test_noun_forms_take_the_dative_n_and_the_weak_endings():
    assert german.noun_forms("Hund", "Hunde", False)[german.DATIVE] == ("Hund", "Hunden")
    assert german.noun_forms("Auto", "Autos", False)[german.DATIVE] == ("Auto", "Autos")
    assert german.noun_forms("Frau", "Frauen", False)[german.DATIVE] == ("Frau", "Frauen")
    weak = german.noun_forms("Junge", "Jungen", True)
    assert weak == (("Junge", "Jungen"), ("Jungen", "Jungen"), ("Jungen", "Jungen"))
    assert german.noun_forms("Milch", None, False)[german.DATIVE] == ("Milch", "")
