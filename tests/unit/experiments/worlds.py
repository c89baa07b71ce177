"""A model checker for the mini-world's statements, which knows nothing of how they were made.

It reads the words of a sentence, enumerates small worlds, and says in which of them the sentence is
true. A world has some individuals; each noun and adjective is a set of them, each thing that
may be done (a verb with its adverbials) a relation between them. Anna is individual 0, the
first other name individual 1, and so on. That a dog is an animal, and that what happens quickly
happens, are the only laws.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from course_lab.experiments.decomposable.statements import KINDS
from course_lib.data.mini_world.lexicon.reader import load

LEXICON = load("full")
NAMES = [name.lemma for name in LEXICON.names]
ADJECTIVES = {adjective.english for adjective in LEXICON.adjectives}
NOUN_OF = {form: noun.lemma for noun in (*LEXICON.nouns, *KINDS.values()) for form in noun.english}
VERB_OF = {form: verb.english[0] for verb in LEXICON.verbs for form in verb.english[:2]}
KIND_OF = {noun.lemma: kind.lemma for noun, kind in KINDS.items()}
TIMES = {time.english for time in LEXICON.adverbs["time"]}
QUANTIFIERS = ("a", "an", "two", "three", "every", "no")


class Read(NamedTuple):
    """A sentence as its parts; a noun phrase is a name, or a set of nouns and adjectives."""

    quantifier: str
    subject: str | frozenset[str]
    verb: str
    adverbials: frozenset[str]
    object: str | frozenset[str] | None


def read(words: tuple[str, ...]) -> Read:
    rest = list(words)
    assert rest.pop() == "."
    adverbials = set()
    for size in (2, 1):
        if tuple(rest[:size]) in TIMES:
            adverbials.add(" ".join(rest[:size]))
            rest = rest[size:]
    quantifier = rest.pop(0) if rest[0] in QUANTIFIERS else ""
    subject = _phrase(rest)
    if rest[:2] in (["does", "not"], ["do", "not"]):
        assert not quantifier
        quantifier, rest = "not", rest[2:]
    verb, found = VERB_OF[rest.pop(0)], None
    if rest and (rest[0] in ("a", "an") or rest[0] in NAMES):
        if rest[0] not in NAMES:
            rest.pop(0)
        found = _phrase(rest)
    while rest:
        for size in (3, 2, 1):
            chunk = tuple(rest[:size])
            if chunk in TIMES or (size == 3 and rest[1:2] == ["the"]) or size == 1:
                adverbials.add(" ".join(chunk))
                rest = rest[size:]
                break
    return Read(
        "a" if quantifier == "an" else quantifier, subject, verb, frozenset(adverbials), found
    )


def _phrase(rest: list[str]) -> str | frozenset[str]:
    if rest[0] in NAMES:
        return rest.pop(0)
    found = set()
    while rest[0] in ADJECTIVES:
        found.add(rest.pop(0))
    return frozenset({*found, NOUN_OF[rest.pop(0)]})


def sets_of(*sentences: Read) -> list[str]:
    """The nouns and adjectives that a world has to decide, kinds among them."""
    words = {
        w for s in sentences for p in (s.subject, s.object) if isinstance(p, frozenset) for w in p
    }
    return sorted(words | {KIND_OF[word] for word in words if word in KIND_OF})


class Worlds(NamedTuple):
    """W worlds of n individuals: (W, n) for each set, (W, n, n) for each relation."""

    sets: dict[str, np.ndarray]
    relations: dict[tuple[str, frozenset[str]], np.ndarray]
    names: dict[str, int]


def every_world(one: Read, other: Read, individuals: int) -> Worlds:
    """All worlds of so many individuals that keep the laws, some of them more than once."""
    return _worlds(one, other, individuals, None, 0)


def some_worlds(one: Read, other: Read, individuals: int, count: int, seed: int = 0) -> Worlds:
    """Worlds drawn at random."""
    return _worlds(one, other, individuals, count, seed)


def bits(one: Read, other: Read, individuals: int) -> int:
    """The two's logarithm of the number of worlds, before the laws."""
    pairs = individuals * (individuals if one.object is not None or other.object is not None else 1)
    return individuals * len(sets_of(one, other)) + pairs * len(_acts(one, other))


def _acts(*sentences: Read) -> list[tuple[str, frozenset[str]]]:
    return sorted(
        {(s.verb, s.adverbials) for s in sentences}, key=lambda act: (act[0], sorted(act[1]))
    )


def _worlds(one: Read, other: Read, n: int, count: int | None, seed: int) -> Worlds:
    words, acts = sets_of(one, other), _acts(one, other)
    patients = n if one.object is not None or other.object is not None else 1
    total = bits(one, other, n)
    if count is None:
        codes = np.arange(2**total)
        drawn = (codes[:, None] >> np.arange(total)) & 1 == 1
    else:
        random = np.random.default_rng(seed)
        # Some worlds are crowded and some nearly empty: `every` and `no` want both.
        dense = random.choice([0.15, 0.5, 0.85], size=(count, len(words) + len(acts)))
        width = np.array([n] * len(words) + [n * patients] * len(acts))
        drawn = random.random((count, total)) < np.repeat(dense, width, axis=1)
    sets = {w: drawn[:, i * n : (i + 1) * n] for i, w in enumerate(words)}
    start, size = n * len(words), n * patients
    relations = {
        act: drawn[:, start + i * size : start + (i + 1) * size].reshape(-1, n, patients)
        for i, act in enumerate(acts)
    }
    # Some worlds are drawn as if there were no laws; they get what the laws add, and so keep them.
    for word, kind in KIND_OF.items():
        if word in sets:
            sets[kind] = sets[kind] | sets[word]
    for (verb, few), (same, many) in product(acts, acts):
        if verb == same and few < many:
            relations[verb, few] = relations[verb, few] | relations[same, many]
    lawful = np.ones(len(drawn), dtype=bool)
    # Who speaks of small dogs speaks of some that there are.
    for sentence in (one, other):
        if isinstance(sentence.subject, frozenset):
            lawful &= _extension(sets, sentence.subject).any(1)
    named = sorted({p for s in (one, other) for p in (s.subject, s.object) if isinstance(p, str)})
    assert len(named) <= n
    return Worlds(
        {word: found[lawful] for word, found in sets.items()},
        {act: found[lawful] for act, found in relations.items()},
        {name: i for i, name in enumerate(named)},
    )


def _extension(sets: dict[str, np.ndarray], words: frozenset[str]) -> np.ndarray:
    return np.logical_and.reduce([sets[word] for word in words])


def true_in(sentence: Read, worlds: Worlds) -> np.ndarray:
    """In which of the worlds the sentence is true: (W,)."""
    relation = worlds.relations[sentence.verb, sentence.adverbials]
    if sentence.object is None:
        does = relation[:, :, 0]
    elif isinstance(sentence.object, str):
        does = relation[:, :, worlds.names[sentence.object]]
    else:
        does = (relation & _extension(worlds.sets, sentence.object)[:, None]).any(2)
    if isinstance(sentence.subject, str):
        found = does[:, worlds.names[sentence.subject]]
        return ~found if sentence.quantifier == "not" else found
    those = _extension(worlds.sets, sentence.subject)
    doing = (those & does).sum(1)
    least = {"a": 1, "two": 2, "three": 3}
    if sentence.quantifier in least:
        return doing >= least[sentence.quantifier]
    return doing == 0 if sentence.quantifier == "no" else doing == those.sum(1)


def label_in(one: Read, other: Read, worlds: Worlds) -> str | None:
    """What the worlds say of premise and hypothesis; None where the premise is true in none."""
    first, second = true_in(one, worlds), true_in(other, worlds)
    if not first.any():
        return None
    if not (first & ~second).any():
        return "entailment"
    return "neutral" if (first & second).any() else "contradiction"
