"""The English side: a sentence tree to words, each with the marks that it expresses."""

from collections.abc import Iterator
from typing import NamedTuple

from course_lib.data.mini_world.lexicon.vocabulary import Adverb
from course_lib.data.mini_world.meaning import (
    Clause,
    Mark,
    NounPhrase,
    Pair,
    Phrase,
    PrepositionalPhrase,
    Sentence,
    is_plural,
)

Words = Iterator[tuple[str, object, str]]
"""Words in order, each with the node and the part of it that it expresses."""


class EnglishLine(NamedTuple):
    """English words in order, and the position of every mark."""

    words: tuple[str, ...]
    positions: dict[Mark, int]


def realise(sentence: Sentence) -> EnglishLine:
    """Return the line of a sentence; `and` and `but` have a comma before them, `while` has none."""
    words: list[str] = []
    positions: dict[Mark, int] = {}
    for word, node, part in _sentence(sentence):
        if word:
            words.append(word)
        positions[node, part] = len(words) - 1
    return EnglishLine(tuple(words), positions)


def _sentence(sentence: Sentence) -> Words:
    for connective, clause in zip(sentence.connectives, sentence.clauses, strict=True):
        if connective in ("and", "but"):
            yield ",", clause, "comma"
        if connective:
            yield connective, clause, "connective"
        yield from _clause(clause, clause.subject)
    yield ".", sentence, "stop"


def _clause(clause: Clause, agrees_with: Phrase) -> Words:
    """Return (time) subject verb (recipient) object manner companion place (time)."""
    yield from _part(clause, "time", clause.time_at("front"))
    yield from _part(clause, "subject", clause.subject)
    yield from _verb_group(clause, is_plural(agrees_with))
    for name in ("recipient", "object", "manner", "companion", "place"):
        yield from _part(clause, name, getattr(clause, name))
    yield from _part(clause, "time", clause.time_at("end"))


def _part(clause: Clause, name: str, part: Phrase | PrepositionalPhrase | Adverb | None) -> Words:
    """Return the words of a part, if it is there; those of an adverb are marked name0, name1."""
    if isinstance(part, Adverb):
        for i, word in enumerate(part.english):
            yield word, clause, f"{name}{i}"
    elif isinstance(part, PrepositionalPhrase):
        yield part.preposition.english, part, "preposition"
        yield from _noun_phrase(part.phrase)
    elif isinstance(part, Pair):
        yield from _noun_phrase(part.first)
        yield "and", part, "and"
        yield from _noun_phrase(part.second)
    elif part is not None:
        yield from _noun_phrase(part)


def _noun_phrase(phrase: NounPhrase) -> Words:
    """Return determiner, adjectives, noun, attribute, relative clause."""
    noun = phrase.noun.english[phrase.plural]
    if phrase.determiner is not None:
        word = phrase.determiner.english[phrase.plural]
        next_word = phrase.adjectives[0].english if phrase.adjectives else noun
        # No word of the vocabulary misleads about its first sound (hour, university).
        if word == "a" and next_word[0] in "aeiou":
            word = "an"
        yield word, phrase, "determiner"
    for adjective in phrase.adjectives:
        yield adjective.english, phrase, adjective.english
    yield noun, phrase, "noun"
    yield from _part(None, "", phrase.attribute)
    if phrase.relative is not None:
        personal = phrase.relative.gap == "subject" and "person" in phrase.noun.classes
        yield "who" if personal else "that", phrase.relative, "relative"
        # A clause without a subject of its own agrees with its head.
        yield from _clause(phrase.relative, phrase.relative.subject or phrase)
        yield "", phrase.relative, "last"  # marks the word before


def _verb_group(clause: Clause, plural: bool) -> Words:
    """Return the finite verb and what is next to it: `has not seen`, `does not see`."""
    base, third, participle = clause.verb.english
    if clause.perfect:
        yield "have" if plural else "has", clause, "auxiliary"
    elif clause.negated:
        yield "do" if plural else "does", clause, "do"
    if clause.negated:
        yield "not", clause, "not"
    yield from _part(clause, "time", clause.time_at("middle"))
    finite = base if plural or clause.negated else third
    yield participle if clause.perfect else finite, clause, "verb"
    if clause.verb.particle:
        yield clause.verb.particle, clause, "particle"
