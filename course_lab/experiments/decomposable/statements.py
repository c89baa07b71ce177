"""Statements about what somebody does: the words that inference pairs are made of.

A choice from the mini-world's lexicon. Left out is what would make a label a matter of opinion:
nouns of which one is a kind of another (man, king), verbs of which one implies another (watch,
see) or that say the same from both sides (meet). What *is* a kind of what is said once, in
`KINDS`, and nowhere else.
"""

from collections.abc import Sequence
from dataclasses import replace

from course_lib.data.mini_world import german_forms as german
from course_lib.data.mini_world.combinations import goes_with
from course_lib.data.mini_world.lexicon.reader import load
from course_lib.data.mini_world.lexicon.vocabulary import DETERMINERS, NO, Noun, Verb
from course_lib.data.mini_world.meaning import Clause, NounPhrase, PrepositionalPhrase
from course_lib.data.mini_world.phrases import Chance, Misfit, names_fit

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

QUANTIFIERS = {name: DETERMINERS[name] for name in ("a", "two", "three", "every")} | {"no": NO}
"""The determiners of a subject by name."""


def _kinds() -> tuple[tuple[Noun, ...], dict[Noun, Noun]]:
    """Return the nouns, and for each noun of a kind the noun that names the kind."""
    lexicon = {noun.lemma: noun for noun in load("full").nouns}
    nouns, kind_of = [lexicon[word] for word in _OTHER_NOUNS.split()], {}
    for line in _KINDS.strip().splitlines():
        head, _, words = line.partition(":")
        singular, plural, word, gender, many, *marks = head.split()
        forms = german.noun_forms(word, many, "weak" in marks)
        kind = Noun((singular, plural), forms, german.GENDERS[gender], frozenset((singular,)))
        members = [lexicon[name] for name in words.split()]
        nouns += members
        kind_of |= dict.fromkeys(members, kind)
    return tuple(nouns), kind_of


NOUNS, KINDS = _kinds()
NAMES: tuple[Noun, ...] = load("full").names
VERBS = tuple(v for v in load("full").verbs if v.english[0] in _VERBS.split())
ADJECTIVES = tuple(a for a in load("full").adjectives if a.english in _ADJECTIVES.split())
SUITING = {
    noun: tuple(a for a in ADJECTIVES if goes_with(a, noun)) for noun in (*NOUNS, *KINDS.values())
}
"""The adjectives that suit a noun."""
_MARKS = {"present", "negative", "front", "end"}
_TIMES = tuple(time for time in load("full").adverbs["time"] if time.marks >= _MARKS)
_CANDIDATES = {
    part: {verb: tuple(n for n in NOUNS if n in getattr(verb, f"{part}s")) for verb in VERBS}
    for part in ("subject", "object")
}


def is_named(phrase: NounPhrase | None) -> bool:
    """Return whether a phrase is Anna, Paul or another of the names."""
    return phrase is not None and phrase.noun.kind == "name"


def draw_statement(chance: Chance) -> Clause:
    """Draw a statement with most of the parts that its verb can take."""
    verb = chance.pick(VERBS)
    clause = Clause(verb, subject=_draw_phrase(chance, _CANDIDATES["subject"][verb], 0.4))
    if verb.objects:
        clause.object = _draw_phrase(chance, _CANDIDATES["object"][verb], 0.5)
        if clause.object.noun is clause.subject.noun:
            raise Misfit
    if "stative" not in verb.marks and chance.happens(0.6):
        clause.time = chance.pick(_TIMES)
        clause.time_position = "front" if chance.happens(0.5) else "end"
    if verb.manners and chance.happens(0.4):
        clause.manner = chance.pick(verb.manners)
    if verb.places and chance.happens(0.4):
        preposition, noun = chance.pick(verb.places)
        clause.place = PrepositionalPhrase(preposition, NounPhrase(noun, DETERMINERS["the"]))
    return clause


def _draw_phrase(chance: Chance, nouns: tuple[Noun, ...], named: float) -> NounPhrase:
    """Draw `a small dog` or, with probability `named`, `Anna`."""
    if names_fit(nouns) and chance.happens(named):
        return NounPhrase(chance.pick(NAMES))
    noun = chance.pick(nouns)
    adjectives = (chance.pick(SUITING[noun]),) if chance.happens(0.7) else ()
    return NounPhrase(noun, DETERMINERS["a"], adjectives=adjectives)


def nouns_like(clause: Clause, part: str) -> Sequence[Noun]:
    """Return nouns that could replace that of the "subject" or the "object"."""
    phrase = getattr(clause, part)
    if is_named(phrase):
        return NAMES
    nouns = _CANDIDATES[part][clause.verb]
    return [noun for noun in nouns if set(phrase.adjectives) <= set(SUITING[noun])]


def verbs_like(clause: Clause) -> list[Verb]:
    """Return verbs that could replace the clause's own, with all its other parts."""

    def fits(part: str, verb: Verb) -> bool:
        phrase, nouns = getattr(clause, part), _CANDIDATES[part][verb]
        return phrase is None or (names_fit(nouns) if is_named(phrase) else phrase.noun in nouns)

    return [
        verb
        for verb in VERBS
        if bool(verb.objects) == bool(clause.object)
        and "stative" not in verb.marks
        and fits("subject", verb)
        and fits("object", verb)
        and (clause.manner is None or clause.manner in verb.manners)
        and (clause.place is None or verb.places)
    ]


def quantified(clause: Clause, quantifier: str) -> Clause:
    """Make `two dogs sleep` of `a dog sleeps`; `no` negates the verb of a name."""
    if is_named(clause.subject):
        return replace(clause, negated=quantifier == "no")
    plural = quantifier in ("two", "three")
    determiner = QUANTIFIERS[quantifier]
    return replace(clause, subject=replace(clause.subject, determiner=determiner, plural=plural))
