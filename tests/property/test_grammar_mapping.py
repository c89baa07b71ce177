"""One English sentence has one German translation and back, and the links hold everywhere.

Random sentences of a large world hardly ever meet twice, so the question is put to worlds of a few
words, in which most short sentences are drawn again and again, from different meanings too.
"""

from dataclasses import replace
from random import Random

import pytest

from course_lib.data.mini_world.clauses import draw_sentence
from course_lib.data.mini_world.combinations import Combinations
from course_lib.data.mini_world.grammar import aligned_pair, sample
from course_lib.data.mini_world.lexicon.reader import load

FULL = load("full")


def cat_and_mouse():
    """A world of three nouns, feminine and neuter, that may see and hear each other."""
    chosen = {noun for noun in FULL.nouns if noun.lemma in ("cat", "mouse", "horse")}

    def few(nouns):
        return tuple(noun for noun in nouns if noun in chosen)

    verbs = tuple(
        replace(verb, subjects=few(verb.subjects), objects=few(verb.objects), places=(), manners=())
        for verb in FULL.verbs
        if verb.english[0] in ("see", "hear", "sleep")
    )
    few_words = {
        "names": (),
        "adjectives": (),
        "adverbs": {"time": (), "place": ()},
        "places": {"scene": ()},
    }
    return Combinations(replace(FULL, nouns=few(FULL.nouns), verbs=verbs, **few_words), True)


def handful(seed):
    """A world of about twenty words."""
    random = Random(seed)

    def some(group, count):
        return random.sample([noun for noun in FULL.nouns if group in noun.classes], count)

    chosen = {noun for noun in FULL.nouns if noun.lemma in ("girl", "boy", "hat", "house")}
    chosen |= {*some("person", 3), *some("animal", 2), *some("thing", 2), *some("place", 2)}

    def few(nouns):
        return tuple(noun for noun in nouns if noun in chosen)

    def reachable(places):
        return tuple((word, noun) for word, noun in places if noun in chosen)

    verbs = [
        replace(
            verb,
            subjects=few(verb.subjects),
            objects=few(verb.objects),
            recipients=few(verb.recipients),
            places=reachable(verb.places),
            manners=verb.manners[:1],
            companions=tuple((word, few(ns)) for word, ns in verb.companions if few(ns)),
        )
        for verb in FULL.verbs
        if few(verb.subjects) and bool(few(verb.objects)) == bool(verb.objects)
    ]
    idle = [
        verb
        for verb in verbs
        if not verb.objects and (verb.places or "needs-place" not in verb.marks)
    ]
    lexicon = replace(
        FULL,
        nouns=few(FULL.nouns),
        names=FULL.names[:1],
        verbs=(*random.sample(idle, 2), *random.sample([v for v in verbs if v.objects], 4)),
        adjectives=tuple(random.sample(FULL.adjectives, 4)),
        adverbs={
            "time": random.sample(FULL.adverbs["time"], 2),
            "place": FULL.adverbs["place"][:1],
        },
        places={kind: reachable(places) for kind, places in FULL.places.items()},
    )
    return Combinations(lexicon, True)


def drawn(world, seed, count):
    random = Random(seed)
    for _ in range(count):
        if sentence := draw_sentence(world, random, 3 + int(random.random() * 9)):
            yield aligned_pair(sentence)


def test_english_determines_german_and_german_english():
    german, english, repeats = {}, {}, 0
    for seed in range(4):
        for pair in drawn(handful(seed), seed, 800):
            repeats += pair.source in german
            assert german.setdefault(pair.source, pair.target) == pair.target
            assert english.setdefault(pair.target, pair.source) == pair.source
    assert repeats > 300


def test_who_sees_whom_in_a_relative_clause_is_plain_in_german_too():
    # Die Katze , die die Maus sieht: the cat that sees the mouse, or that the mouse sees?
    english, relatives = {}, 0
    for pair in drawn(cat_and_mouse(), 0, 1000):
        relatives += "that the" in " ".join(pair.source)
        assert english.setdefault(pair.target, pair.source) == pair.source
    assert relatives > 15


@pytest.fixture(scope="module")
def pairs():
    return [
        pair
        for split, size in (("train", "full"), ("train", "tiny"), ("compositional", "full"))
        for pair in sample(split, 100, seed=2, min_words=4, vocabulary=size)
    ]


def test_every_word_of_both_sides_has_a_link(pairs):
    for pair in pairs:
        assert {i for i, _ in pair.possible} == set(range(len(pair.source)))
        assert {j for _, j in pair.possible} == set(range(len(pair.target)))


def test_every_german_word_but_the_added_commas_has_a_sure_link(pairs):
    for pair in pairs:
        unsure = set(range(len(pair.target))) - {j for _, j in pair.sure}
        assert {pair.target[j] for j in unsure} <= {","}


def test_a_sure_link_joins_translations(pairs):
    """Each pair of surely linked words is a pair of the lexicon; names link to themselves."""
    nouns = {
        (english, form)
        for noun in (*FULL.nouns, *FULL.names)
        for number, english in enumerate(noun.english)
        for form in (row[number] for row in noun.german)
    }
    english_nouns = {english for english, _ in nouns}
    checked = 0
    for pair in pairs:
        for i, j in pair.sure:
            if pair.source[i] in english_nouns:
                assert (pair.source[i], pair.target[j]) in nouns
                checked += 1
    assert checked > 1000


def test_commas_of_the_source_are_commas_of_the_target(pairs):
    for pair in pairs:
        for i, j in pair.sure:
            assert (pair.source[i] == ",") == (pair.target[j] == ",")
            assert (pair.source[i] == ".") == (pair.target[j] == ".")
