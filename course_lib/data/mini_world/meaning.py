"""What a sentence of the mini-world says, before it is said in any language.

A sentence is a tree of the nodes below. `english` and `german` each walk the same tree and name,
with every word, the (node, part) it expresses; words of the two languages that name the same
(node, part) are linked. So the gold alignment needs no aligner. Nodes compare by identity and are
never changed once made; `dataclasses.replace` makes a variant.
"""

from collections.abc import Iterator
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

Mark = tuple[object, str]
"""A node of the meaning and the part of it that a word expresses."""


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
    """Two noun phrases with `and`; neither has a relative clause or an attribute."""

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

    def time_at(self, position: str) -> Adverb | None:
        """Return the time if English puts it at this position."""
        return self.time if self.time_position == position else None


@dataclass(eq=False, slots=True)
class Sentence:
    """Clauses, each with the word before it: "", and, but, while."""

    clauses: tuple[Clause, ...]
    connectives: tuple[str, ...]


def parts(phrase: Phrase | None) -> tuple[NounPhrase, ...]:
    """Return the two noun phrases of a pair, the one itself, or nothing."""
    if phrase is None:
        return ()
    return (phrase.first, phrase.second) if isinstance(phrase, Pair) else (phrase,)


def every_clause(sentence: Sentence) -> Iterator[tuple[Clause, NounPhrase | None]]:
    """Return all clauses; a relative clause with its head, the noun phrase that has it."""
    clauses: list[tuple[Clause, NounPhrase | None]] = [(each, None) for each in sentence.clauses]
    for clause, head in clauses:  # which grows
        yield clause, head
        clauses += [(each.relative, each) for each in noun_phrases(clause) if each.relative]


def noun_phrases(clause: Clause) -> Iterator[NounPhrase]:
    """Return the noun phrases of a clause, without those in its relative clauses."""
    adverbials = (clause.companion, clause.place)
    inner = (a.phrase for a in adverbials if isinstance(a, PrepositionalPhrase))
    for phrase in (clause.subject, clause.recipient, clause.object, *inner):
        for part in parts(phrase):
            yield part
            while part.attribute is not None:
                part = part.attribute.phrase
                yield part


def is_plural(phrase: Phrase) -> bool:
    """Return whether a verb agrees with the phrase in the plural."""
    return isinstance(phrase, Pair) or phrase.plural


def is_definite(phrase: Phrase) -> bool:
    """Return whether a German object is before adverbs and `nicht` (Duden: known before new)."""
    return all(
        part.determiner.definite if part.determiner else part.noun.kind != "noun"
        for part in parts(phrase)
    )


def shows_case(phrase: Phrase) -> bool:
    """Return whether German tells nominative and accusative of the phrase apart.

    Only masculine singulars do (der, den); a pronoun counts too, for it is always a subject here.
    """
    return any(
        part.noun.kind == "pronoun"
        or (part.noun.kind == "noun" and part.noun.gender == MASCULINE and not part.plural)
        for part in parts(phrase)
    )
