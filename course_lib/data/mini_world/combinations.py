"""Which words may meet: the combinations that training shows, and those that it never does.

An adjective with a noun and a verb with an object make a combination. About a tenth of them,
picked by a hash of the two words, are held out: no sentence of train, valid or test has one, each
sentence of the compositional split has at least one. The words themselves are all in training.
"""

from functools import cache
from hashlib import blake2b

from course_lib.data.mini_world.lexicon.reader import load
from course_lib.data.mini_world.lexicon.vocabulary import Adjective, Lexicon, Noun, Verb
from course_lib.data.mini_world.meaning import (
    Clause,
    NounPhrase,
    Pair,
    Phrase,
    PrepositionalPhrase,
    Sentence,
)


def stable_hash(text: str, buckets: int) -> int:
    """Return a bucket for a text, the same on every machine and in every run."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") % buckets


@cache
def is_held_out(word: str, noun: str) -> bool:
    """Return whether the combination of an adjective or verb with a noun is kept from training."""
    return stable_hash(f"{word} + {noun}", 10) == 0


def goes_with(adjective: Adjective, noun: Noun) -> bool:
    """Return whether an adjective lists the noun or a class of it, and the noun allows it."""
    if adjective.english in noun.unsuited or adjective.group in noun.unsuited:
        return False
    return noun.lemma in adjective.nouns or bool(noun.classes & adjective.nouns)


class Combinations:
    """A lexicon with its permitted combinations looked up once.

    Args:
        lexicon: the words.
        held_out: whether the held-out combinations are permitted.
    """

    def __init__(self, lexicon: Lexicon, held_out: bool) -> None:
        self.lexicon = lexicon

        def permitted(word: str, noun: Noun) -> bool:
            return held_out or not is_held_out(word, noun.lemma)

        nouns = self.lexicon.nouns
        self.adjectives: dict[Noun, tuple[Adjective, ...]] = {
            noun: tuple(
                a
                for a in self.lexicon.adjectives
                if goes_with(a, noun) and permitted(a.english, noun)
            )
            for noun in nouns
        }
        self.objects: dict[Verb, tuple[Noun, ...]] = {
            verb: tuple(n for n in verb.objects if permitted(verb.english[0], n))
            for verb in self.lexicon.verbs
        }
        self.verbs_by_subject: dict[Noun, tuple[Verb, ...]] = {
            noun: tuple(v for v in self.lexicon.verbs if noun in v.subjects) for noun in nouns
        }
        self.verbs_by_object: dict[Noun, tuple[Verb, ...]] = {
            noun: tuple(v for v in self.lexicon.verbs if noun in self.objects[v]) for noun in nouns
        }
        self.worn = tuple(n for n in nouns if "worn" in n.classes)


@cache
def world(size: str, held_out: bool) -> Combinations:
    """Return the combinations of a vocabulary size, built once."""
    return Combinations(load(size), held_out)


def _noun_phrases(phrase: Phrase | None) -> list[NounPhrase]:
    if phrase is None:
        return []
    return [phrase.first, phrase.second] if isinstance(phrase, Pair) else [phrase]


def has_held_out(sentence: Sentence) -> bool:
    """Return whether a sentence holds a combination that training never shows."""
    return any(_clause_has(clause, None) for clause in sentence.clauses)


def _clause_has(clause: Clause, head: NounPhrase | None) -> bool:
    objects = [head] if clause.gap == "object" else _noun_phrases(clause.object)
    nouns = [phrase.noun for phrase in objects if phrase.noun.kind == "noun"]
    if any(is_held_out(clause.verb.english[0], noun.lemma) for noun in nouns):
        return True
    phrases = _noun_phrases(clause.subject) + _noun_phrases(clause.object)
    phrases += _noun_phrases(clause.recipient)
    phrases += [
        p.phrase for p in (clause.companion, clause.place) if isinstance(p, PrepositionalPhrase)
    ]
    return any(_phrase_has(phrase) for phrase in phrases)


def _phrase_has(phrase: NounPhrase) -> bool:
    if any(is_held_out(a.english, phrase.noun.lemma) for a in phrase.adjectives):
        return True
    if phrase.attribute is not None and _phrase_has(phrase.attribute.phrase):
        return True
    return phrase.relative is not None and _clause_has(phrase.relative, phrase)
