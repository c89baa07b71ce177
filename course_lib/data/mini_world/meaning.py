"""What a sentence of the mini-world says, before it is said in any language.

A sentence is a tree of the nodes below. `english` and `german` each walk the same
tree and name, with every word, the (node, part) it expresses; words of the two languages that name
the same (node, part) are linked. So the gold alignment needs no aligner. Nodes compare by
identity and are never changed once made; `dataclasses.replace` makes a variant.
"""

from dataclasses import dataclass
from typing import Literal, Union

from course_lib.data.mini_world.german_forms import MASCULINE
from course_lib.data.mini_world.lexicon.vocabulary import (
    Adjective,
    Adverb,
    Determiner,
    Noun,
    Preposition,
    Verb,
)


@dataclass(eq=False, slots=True)
class NounPhrase:
    """A noun with what belongs to it: `the small dog in the garden`, `who sleeps`.

    A pronoun or a name is a noun phrase with neither determiner nor modifiers. No determiner with
    a noun: a bare plural or a mass noun.
    """

    noun: Noun
    determiner: Determiner | None = None
    plural: bool = False
    adjectives: tuple[Adjective, ...] = ()
    attribute: Union["PrepositionalPhrase", None] = None
    relative: Union["Clause", None] = None


@dataclass(eq=False, slots=True)
class Pair:
    """Two noun phrases joined by `and`; neither has a relative clause or an attribute."""

    first: NounPhrase
    second: NounPhrase


Phrase = NounPhrase | Pair


@dataclass(eq=False, slots=True)
class PrepositionalPhrase:
    """A preposition with its noun phrase."""

    preposition: Preposition
    phrase: NounPhrase


@dataclass(eq=False, slots=True)
class Clause:
    """Who does what to whom, when, how and where.

    Attributes:
        gap: which role the head noun of a relative clause plays in it; that role is None here.
        time_position: where English puts the time: front, middle (before the verb) or end.
        companion: the phrase with `with`, `for` or `from`.
        place: a prepositional phrase or an adverb (here).
    """

    verb: Verb
    subject: Phrase | None = None
    object: Phrase | None = None
    recipient: NounPhrase | None = None
    perfect: bool = False
    negated: bool = False
    gap: Literal["subject", "object"] | None = None
    time: Adverb | None = None
    time_position: Literal["front", "middle", "end"] = "end"
    manner: Adverb | None = None
    companion: PrepositionalPhrase | None = None
    place: PrepositionalPhrase | Adverb | None = None


@dataclass(eq=False, slots=True)
class Sentence:
    """Clauses with the words that join each to the one before: "", and, but, while."""

    clauses: tuple[Clause, ...]
    connectives: tuple[str, ...]


def is_plural(phrase: Phrase) -> bool:
    """Return whether a verb agrees with the phrase in the plural."""
    return isinstance(phrase, Pair) or phrase.plural


def is_definite(phrase: Phrase) -> bool:
    """Return whether a German object is before adverbs and `nicht` (Duden: known before new)."""
    if isinstance(phrase, Pair):
        return is_definite(phrase.first) and is_definite(phrase.second)
    if phrase.determiner is None:
        return phrase.noun.kind != "noun"
    return phrase.determiner.definite


def shows_case(phrase: Phrase) -> bool:
    """Return whether German tells nominative and accusative of the phrase apart.

    Only masculine singulars do (der, den); a pronoun counts too, for it is always a subject here.
    """
    if isinstance(phrase, Pair):
        return shows_case(phrase.first) or shows_case(phrase.second)
    masculine = phrase.noun.gender == MASCULINE and phrase.noun.kind == "noun"
    return phrase.noun.kind == "pronoun" or (masculine and not phrase.plural)
