"""The English side: a sentence tree to words, each marked with the (node, part) it expresses."""

from course_lib.data.mini_world.english_forms import indefinite_article
from course_lib.data.mini_world.lexicon.vocabulary import Adverb
from course_lib.data.mini_world.meaning import (
    Clause,
    NounPhrase,
    Pair,
    Phrase,
    PrepositionalPhrase,
    Sentence,
    is_plural,
)

Mark = tuple[object, str]
"""A node of the meaning and the part of it that a word expresses."""


class EnglishLine:
    """English words in order, and the position of every mark."""

    __slots__ = ("positions", "words")

    def __init__(self) -> None:
        self.words: list[str] = []
        self.positions: dict[Mark, int] = {}

    def put(self, word: str, node: object, part: str) -> None:
        """Add a word that expresses a part of a node."""
        self.positions[node, part] = len(self.words)
        self.words.append(word)

    def put_adverb(self, adverb: Adverb, clause: Clause, part: str) -> None:
        """Add an adverbial, its words marked part0, part1, ..."""
        for i, word in enumerate(adverb.english):
            self.put(word, clause, f"{part}{i}")


def noun_phrase(line: EnglishLine, phrase: Phrase) -> None:
    """Add determiner, adjectives, noun, attribute, relative clause; or two phrases with `and`."""
    if isinstance(phrase, Pair):
        noun_phrase(line, phrase.first)
        line.put("and", phrase, "and")
        noun_phrase(line, phrase.second)
        return
    noun = phrase.noun.english[phrase.plural]
    if phrase.determiner is not None:
        word = phrase.determiner.english[phrase.plural]
        if word == "a":
            word = indefinite_article(phrase.adjectives[0].english if phrase.adjectives else noun)
        line.put(word, phrase, "determiner")
    for adjective in phrase.adjectives:
        line.put(adjective.english, phrase, adjective.english)
    line.put(noun, phrase, "noun")
    if phrase.attribute is not None:
        prepositional_phrase(line, phrase.attribute)
    if phrase.relative is not None:
        relative_clause(line, phrase.relative, phrase)


def prepositional_phrase(line: EnglishLine, phrase: PrepositionalPhrase) -> None:
    """Add a preposition and its noun phrase."""
    line.put(phrase.preposition.english, phrase, "preposition")
    noun_phrase(line, phrase.phrase)


def relative_clause(line: EnglishLine, clause: Clause, head: NounPhrase) -> None:
    """Add a restrictive relative clause: `who` for a person as subject, else `that`; no commas."""
    personal = clause.gap == "subject" and "person" in head.noun.classes
    line.put("who" if personal else "that", clause, "relative")
    clause_words(line, clause, head.plural)
    line.positions[clause, "last"] = len(line.words) - 1


def _verb_group(line: EnglishLine, clause: Clause, plural: bool) -> None:
    """Add the finite verb and what is next to it: `has not seen`, `does not see`, `often sees`."""
    middle = clause.time is not None and clause.time_position == "middle"
    base, third, participle = clause.verb.english
    if clause.perfect:
        line.put("have" if plural else "has", clause, "auxiliary")
    elif clause.negated:
        line.put("do" if plural else "does", clause, "do")
    if clause.negated:
        line.put("not", clause, "not")
    if middle:
        line.put_adverb(clause.time, clause, "time")
    if clause.perfect:
        line.put(participle, clause, "verb")
    else:
        line.put(base if plural or clause.negated else third, clause, "verb")
    if clause.verb.particle:
        line.put(clause.verb.particle, clause, "particle")


def clause_words(line: EnglishLine, clause: Clause, head_plural: bool = False) -> None:
    """Add (time) subject verb (recipient) object manner companion place (time).

    A relative clause with a subject gap takes its number from the head.
    """
    if clause.time is not None and clause.time_position == "front":
        line.put_adverb(clause.time, clause, "time")
    if clause.subject is not None:
        noun_phrase(line, clause.subject)
    plural = head_plural if clause.subject is None else is_plural(clause.subject)
    _verb_group(line, clause, plural)
    if clause.recipient is not None:
        noun_phrase(line, clause.recipient)
    if clause.object is not None:
        noun_phrase(line, clause.object)
    if clause.manner is not None:
        line.put_adverb(clause.manner, clause, "manner")
    if clause.companion is not None:
        prepositional_phrase(line, clause.companion)
    if isinstance(clause.place, Adverb):
        line.put_adverb(clause.place, clause, "place")
    elif clause.place is not None:
        prepositional_phrase(line, clause.place)
    if clause.time is not None and clause.time_position == "end":
        line.put_adverb(clause.time, clause, "time")


def realise(sentence: Sentence) -> EnglishLine:
    """Return the line of a sentence; `and` and `but` have a comma before them, `while` has none."""
    line = EnglishLine()
    for connective, clause in zip(sentence.connectives, sentence.clauses, strict=True):
        if connective in ("and", "but"):
            line.put(",", clause, "comma")
        if connective:
            line.put(connective, clause, "connective")
        clause_words(line, clause)
    line.put(".", sentence, "stop")
    return line
