"""Which words of a mini-world sentence belong together, by the grammar that wrote it.

The grammar knows of each English word what it expresses. So it says without any parser which noun
is the subject of a verb, which its object, and which noun a determiner or an adjective goes with.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from course_lib.data.mini_world.clauses import Clauses
from course_lib.data.mini_world.combinations import world
from course_lib.data.mini_world.english import EnglishLine, realise
from course_lib.data.mini_world.grammar import split_of
from course_lib.data.mini_world.meaning import (
    Clause,
    NounPhrase,
    Pair,
    Phrase,
    PrepositionalPhrase,
    Sentence,
)
from course_lib.data.mini_world.phrases import Misfit, Phrases
from course_lib.data.mini_world.sentence import draw

KINDS = (
    "verb to subject",
    "verb to object",
    "subject to verb",
    "object to verb",
    "determiner to noun",
    "adjective to noun",
)


class Relation(NamedTuple):
    """A word and those that it belongs to.

    Attributes:
        kind: one of `KINDS`. "verb to subject" is asked of the finite verb, which shows the number
            of its subject: `sees`, or the `has` of `has seen` and the `does` of `does not see`.
        word: its position in the sentence.
        partners: positions of the words that it belongs to; two if `and` is between two nouns.
    """

    kind: str
    word: int
    partners: frozenset[int]


class Parsed(NamedTuple):
    """A sentence and its relations."""

    words: tuple[str, ...]
    relations: tuple[Relation, ...]


def sample_parsed(
    split: str, count: int, *, seed: int = 0, min_words: int, max_words: int, size: str = "tiny"
) -> list[Parsed]:
    """Draw different English sentences of the mini-world, with their relations.

    The splits are those of `grammar.sample`: a sentence is in one of them, by a hash of its words.

    Args:
        split: train, valid or test.
        count: how many.
        seed: the same seed gives the same sentences, on every machine.
        min_words: fewest words, the full stop among them.
        max_words: most words. All lengths are as likely.
        size: of the vocabulary.
    """
    random = Random(f"{seed} {split} relations")
    drawn: dict[str, Parsed] = {}
    for sentence in _sentences(random, min_words, max_words, size):
        if len(drawn) == count:
            break
        line = realise(sentence)
        text = " ".join(line.words)
        if split_of(text) == split:
            drawn.setdefault(text, Parsed(tuple(line.words), relations_of(sentence, line)))
    return list(drawn.values())


def relations_of(sentence: Sentence, line: EnglishLine) -> tuple[Relation, ...]:
    """Return all relations of a sentence, by the position of the word.

    Args:
        sentence: the meaning.
        line: its English words and their positions.
    """
    relations = [r for clause in sentence.clauses for r in _of_clause(clause, None, line)]
    return tuple(sorted(relations, key=lambda r: (r.word, KINDS.index(r.kind))))


def _sentences(random: Random, low: int, high: int, size: str) -> Iterator[Sentence]:
    words = world(size, False)
    while True:
        length = low + int(random.random() * (high - low + 1))
        while True:
            try:
                yield draw(Clauses(Phrases(words, random)), length)
                break
            except Misfit:
                continue


def _of_clause(clause: Clause, head: NounPhrase | None, line: EnglishLine) -> Iterator[Relation]:
    """Return the relations in a clause; `head` is the noun phrase of a relative clause."""
    positions = line.positions
    verb = positions[clause, "verb"]
    # `has not seen`: the auxiliary is finite; `does not see`: do is.
    finite = positions.get((clause, "auxiliary"), positions.get((clause, "do"), verb))
    for part, word in (("subject", finite), ("object", verb)):
        phrase = head if clause.gap == part else getattr(clause, part)
        if phrase is None:
            continue
        nouns = _nouns(phrase, line)
        yield Relation(f"verb to {part}", word, nouns)
        for noun in sorted(nouns):
            yield Relation(f"{part} to verb", noun, frozenset((verb,)))
    for phrase in (clause.subject, clause.recipient, clause.object):
        yield from _of_phrase(phrase, line)
    for adverbial in (clause.companion, clause.place):
        if isinstance(adverbial, PrepositionalPhrase):
            yield from _of_phrase(adverbial.phrase, line)


def _of_phrase(phrase: Phrase | None, line: EnglishLine) -> Iterator[Relation]:
    if phrase is None:
        return
    if isinstance(phrase, Pair):
        yield from _of_phrase(phrase.first, line)
        yield from _of_phrase(phrase.second, line)
        return
    noun = _nouns(phrase, line)
    if phrase.determiner is not None:
        yield Relation("determiner to noun", line.positions[phrase, "determiner"], noun)
    for adjective in phrase.adjectives:
        yield Relation("adjective to noun", line.positions[phrase, adjective.english], noun)
    if phrase.attribute is not None:
        yield from _of_phrase(phrase.attribute.phrase, line)
    if phrase.relative is not None:
        yield from _of_clause(phrase.relative, phrase, line)


def _nouns(phrase: Phrase, line: EnglishLine) -> frozenset[int]:
    parts = (phrase.first, phrase.second) if isinstance(phrase, Pair) else (phrase,)
    return frozenset(line.positions[part, "noun"] for part in parts)
