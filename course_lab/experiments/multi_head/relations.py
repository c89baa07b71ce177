"""Which words of a mini-world sentence belong together, by the grammar that wrote it.

The grammar knows of each English word what it expresses. So it says without any parser which noun
is the subject of a verb, which its object, and which noun a determiner or an adjective goes with.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from course_lib.data.mini_world.clauses import draw_sentence
from course_lib.data.mini_world.combinations import world
from course_lib.data.mini_world.english import EnglishLine, realise
from course_lib.data.mini_world.grammar import split_of
from course_lib.data.mini_world.meaning import Sentence, every_clause, noun_phrases, parts

KINDS = (
    "verb to subject",
    "verb to object",
    "subject to verb",
    "object to verb",
    "determiner to noun",
    "adjective to noun",
)


class Relation(NamedTuple):
    """A word and those that it belongs to, by their positions in the sentence.

    "verb to subject" is asked of the finite verb, which shows the number of its subject: `sees`,
    or the `has` of `has seen` and the `does` of `does not see`. It has two partners if `and` is
    between two nouns.
    """

    kind: str
    word: int
    partners: frozenset[int]


class Parsed(NamedTuple):
    """A sentence and its relations, by the position of the word."""

    words: tuple[str, ...]
    relations: tuple[Relation, ...]


def sample_parsed(
    split: str, count: int, *, seed: int = 0, min_words: int, max_words: int
) -> list[Parsed]:
    """Draw different English sentences of the tiny vocabulary, with their relations.

    The arguments are those of `grammar.sample`, the splits too: a hash of a sentence's words says
    in which of train, valid and test it is. All lengths are as likely.
    """
    random = Random(f"{seed} {split} relations")
    drawn: dict[tuple[str, ...], Parsed] = {}
    while len(drawn) < count:
        length = min_words + int(random.random() * (max_words - min_words + 1))
        sentence = None
        while sentence is None:
            sentence = draw_sentence(world("tiny"), random, length)
        line = realise(sentence)
        if split_of(" ".join(line.words)) == split and line.words not in drawn:
            relations = sorted(
                _relations(sentence, line), key=lambda r: (r.word, KINDS.index(r.kind))
            )
            drawn[line.words] = Parsed(line.words, tuple(relations))
    return list(drawn.values())


def _relations(sentence: Sentence, line: EnglishLine) -> Iterator[Relation]:
    positions = line.positions
    for clause, head in every_clause(sentence):
        verb = positions[clause, "verb"]
        # `has not seen`: the auxiliary is finite; `does not see`: do is.
        finite = positions.get((clause, "auxiliary"), positions.get((clause, "do"), verb))
        for part, word in (("subject", finite), ("object", verb)):
            phrase = head if clause.gap == part else getattr(clause, part)
            nouns = frozenset(positions[each, "noun"] for each in parts(phrase))
            if nouns:
                yield Relation(f"verb to {part}", word, nouns)
            for noun in nouns:
                yield Relation(f"{part} to verb", noun, frozenset((verb,)))
        for phrase in noun_phrases(clause):
            noun = frozenset((positions[phrase, "noun"],))
            if phrase.determiner is not None:
                yield Relation("determiner to noun", positions[phrase, "determiner"], noun)
            for adjective in phrase.adjectives:
                yield Relation("adjective to noun", positions[phrase, adjective.english], noun)
