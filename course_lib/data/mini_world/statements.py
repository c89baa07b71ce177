"""Statements about what somebody does: the words that inference pairs are made of.

A choice from the mini-world's lexicon. Left out is what would make a label a matter of opinion:
nouns of which one is a kind of another (man, king), verbs of which one implies another (watch,
see) or that say the same from both sides (meet). What *is* a kind of what is said once, in
`KINDS`, and nowhere else.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from course_lib.data.mini_world import german_forms as german
from course_lib.data.mini_world.combinations import goes_with
from course_lib.data.mini_world.lexicon.reader import load
from course_lib.data.mini_world.lexicon.vocabulary import (
    DETERMINERS,
    NEGATIVE,
    Adjective,
    Determiner,
    Noun,
    Verb,
)
from course_lib.data.mini_world.meaning import Clause, NounPhrase, PrepositionalPhrase
from course_lib.data.mini_world.phrases import Misfit, names_fit

T = TypeVar("T")

_KINDS = """
person people Mensch m Menschen weak: boy girl teacher doctor baker farmer pirate clown witch
animal animals Tier n Tiere: dog cat horse bear monkey rabbit fox wolf elephant frog goat
fruit fruits Frucht f Früchte: apple pear cherry
vehicle vehicles Fahrzeug n Fahrzeuge: car bicycle boat
toy toys Spielzeug n Spielzeuge: ball doll
"""
_OTHER_NOUNS = "book letter hat bag key lamp ring table chair"
_VERBS = (
    "sleep dance wait sing sneeze swim work find hear read eat buy carry paint help thank follow "
    "trust draw wash hide steal need rescue love repair"
)
_ADJECTIVES = "friendly clever small big old young new red blue hungry tired heavy"

NO = Determiner(("no", "no"), NEGATIVE, "mixed")
QUANTIFIERS: dict[str, Determiner] = {
    **{name: DETERMINERS[name] for name in ("a", "two", "three", "every")},
    "no": NO,
}
"""The determiners of a subject by name."""


def _kinds() -> tuple[tuple[Noun, ...], dict[Noun, Noun]]:
    """Return the nouns, and for each noun of a kind the noun that names the kind."""
    known = {noun.lemma: noun for noun in load("full").nouns}
    nouns, kind_of = [known[word] for word in _OTHER_NOUNS.split()], {}
    for line in _KINDS.strip().splitlines():
        head, _, words = line.partition(":")
        singular, plural, word, gender, many, *marks = head.split()
        kind = Noun(
            english=(singular, plural),
            german=german.noun_forms(word, many, "weak" in marks),
            gender=german.GENDERS[gender],
            classes=frozenset((singular,)),
        )
        for name in words.split():
            nouns.append(known[name])
            kind_of[known[name]] = kind
    return tuple(nouns), kind_of


NOUNS, KINDS = _kinds()
NAMES: tuple[Noun, ...] = load("full").names
VERBS = tuple(v for v in load("full").verbs if v.english[0] in _VERBS.split())
ADJECTIVES = tuple(a for a in load("full").adjectives if a.english in _ADJECTIVES.split())
_TIMES = tuple(
    time for time in load("full").times if {"present", "negative", "front", "end"} <= time.marks
)
_SUITING = {
    noun: tuple(a for a in ADJECTIVES if goes_with(a, noun)) for noun in (*NOUNS, *KINDS.values())
}
_SUBJECTS, _OBJECTS = (
    {verb: tuple(n for n in NOUNS if n in getattr(verb, part)) for verb in VERBS}
    for part in ("subjects", "objects")
)


class Statements:
    """Draws statements, and words that fit in the place of another word.

    Args:
        random: the source of all chance.
    """

    def __init__(self, random: Random) -> None:
        # Only random() is promised to give the same numbers in every Python version.
        self.chance = random.random

    def pick(self, options: Sequence[T]) -> T:
        """Draw one of the options, all equally likely; raise Misfit if there is none."""
        if not options:
            raise Misfit
        return options[int(self.chance() * len(options))]

    def other(self, options: Sequence[T], than: T) -> T:
        """Draw one of the options that is not this one."""
        return self.pick([option for option in options if option is not than])

    def clause(self) -> Clause:
        """Draw a statement with most of the parts that its verb can take."""
        verb = self.pick(VERBS)
        clause = Clause(verb)
        clause.subject = self._phrase(_SUBJECTS[verb], 0.4)
        if verb.objects:
            clause.object = self._phrase(_OBJECTS[verb], 0.5)
            if clause.object.noun is clause.subject.noun:
                raise Misfit
        if not verb.stative and self.chance() < 0.6:
            clause.time = self.pick(_TIMES)
            clause.time_position = "front" if self.chance() < 0.5 else "end"
        if verb.manners and self.chance() < 0.4:
            clause.manner = self.pick(verb.manners)
        if verb.places and self.chance() < 0.4:
            preposition, noun = self.pick(verb.places)
            the = NounPhrase(noun, DETERMINERS["the"])
            clause.place = PrepositionalPhrase(preposition, the)
        return clause

    def _phrase(self, nouns: Sequence[Noun], named: float) -> NounPhrase:
        """Draw `a small dog` or, with probability `named`, `Anna`."""
        if names_fit(nouns) and self.chance() < named:
            return NounPhrase(self.pick(NAMES))
        noun = self.pick(nouns)
        phrase = NounPhrase(noun, DETERMINERS["a"])
        if self.chance() < 0.7:
            phrase.adjectives = (self.pick(_SUITING[noun]),)
        return phrase

    def adjectives(self, noun: Noun) -> tuple[Adjective, ...]:
        """Return the adjectives that suit a noun."""
        return _SUITING[noun]

    def nouns_like(self, clause: Clause, part: str) -> list[Noun]:
        """Return nouns that could replace that of the "subject" or the "object"."""
        phrase = getattr(clause, part)
        if phrase.noun.kind == "name":
            return list(NAMES)
        nouns = (_SUBJECTS if part == "subject" else _OBJECTS)[clause.verb]
        return [noun for noun in nouns if set(phrase.adjectives) <= set(_SUITING[noun])]

    def verbs_like(self, clause: Clause) -> list[Verb]:
        """Return verbs that could replace the clause's own, with all its other parts."""
        return [
            verb
            for verb in VERBS
            if bool(verb.objects) == bool(clause.object)
            and not verb.stative
            and _fits(clause.subject, _SUBJECTS[verb])
            and (clause.object is None or _fits(clause.object, _OBJECTS[verb]))
            and (clause.manner is None or clause.manner in verb.manners)
            and (clause.place is None or bool(verb.places))
        ]


def _fits(phrase: NounPhrase, nouns: Sequence[Noun]) -> bool:
    return names_fit(nouns) if phrase.noun.kind == "name" else phrase.noun in nouns


def quantified(clause: Clause, quantifier: str) -> Clause:
    """Make `two dogs sleep` of `a dog sleeps`; `no` negates the verb of a name."""
    if clause.subject.noun.kind == "name":
        return replace(clause, negated=quantifier == "no")
    subject = replace(
        clause.subject,
        determiner=QUANTIFIERS[quantifier],
        plural=quantifier in ("two", "three"),
    )
    return replace(clause, subject=subject)
