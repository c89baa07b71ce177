"""The sentences that documents of the mini-world are made of, each in one split.

A *frame* is a sentence of the grammar with a blank for who and a blank for where:

    often the <who> reads a letter in the <where> .

Every place fits, and the king, and somebody else. Beside frames there are sentences with the king
and no place, and sentences with neither.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from course_lib.data.mini_world.combinations import Combinations, stable_hash, world
from course_lib.data.mini_world.english import realise
from course_lib.data.mini_world.grammar import split_of
from course_lib.data.mini_world.meaning import (
    NounPhrase,
    PrepositionalPhrase,
    Sentence,
    is_definite,
)
from course_lib.data.mini_world.sentence import try_draw

KING = "king"
PLACES = ("garden", "house", "kitchen")
SPLITS = ("train", "valid", "test")

_WHO, _WHERE = "<who>", "<where>"
_FRAME_WORDS, _OTHER_WORDS = range(7, 11), range(4, 10)
"""Words of a frame, and of the other sentences, the full stop among them."""
_FRAME_DRAWS, _OTHER_DRAWS = 40_000, 8_000
"""Draws of the grammar behind the pools; few of them are frames."""
_FRAME_SPLITS = ("train",) * 6 + ("valid",) * 2 + ("test",) * 2
_KINGS, _ROOMS = {KING, "kings"}, {place + end for place in PLACES for end in ("", "s")}


@dataclass(frozen=True, slots=True)
class Frame:
    """A sentence with two blanks.

    Attributes:
        words: the sentence, a blank for who and one for where among its words.
        people: who may stand in it, the king left out.
    """

    words: tuple[str, ...]
    people: tuple[str, ...]

    def filled(self, who: str, where: str) -> tuple[str, ...]:
        """Return the sentence with its blanks filled."""
        return tuple({_WHO: who, _WHERE: where}.get(word, word) for word in self.words)

    @property
    def blanks(self) -> tuple[int, int]:
        """Return the positions of the two blanks, who and where."""
        return self.words.index(_WHO), self.words.index(_WHERE)


@dataclass(frozen=True, slots=True)
class Pools:
    """The sentences of a split: no other split has any of them.

    Attributes:
        frames: for sentences that place somebody.
        mentions: sentences with the king and without a place.
        others: sentences with neither.
    """

    frames: tuple[Frame, ...]
    mentions: tuple[tuple[str, ...], ...]
    others: tuple[tuple[str, ...], ...]


@cache
def pools() -> dict[str, Pools]:
    """Return the sentences of all splits; a hash of a sentence's words decides its split."""
    words = world("tiny", False)
    drawn = {split: ({}, {}, {}) for split in SPLITS}
    for sentence in _sentences(words, "frames", _FRAME_WORDS, _FRAME_DRAWS):
        if frame := _frame(sentence, words):
            bucket = stable_hash(" ".join(frame.words), len(_FRAME_SPLITS))
            drawn[_FRAME_SPLITS[bucket]][0][frame.words] = frame
    for sentence in _sentences(words, "others", _OTHER_WORDS, _OTHER_DRAWS):
        line = realise(sentence).words
        if not _ROOMS & set(line):
            _, mentions, others = drawn[split_of(" ".join(line))]
            (mentions if _KINGS & set(line) else others)[line] = None
    return {
        split: Pools(tuple(frames.values()), tuple(mentions), tuple(others))
        for split, (frames, mentions, others) in drawn.items()
    }


def _sentences(words: Combinations, seed: str, lengths: range, count: int) -> Iterator[Sentence]:
    """Draw sentences of the grammar `count` times; draws that cannot be finished are left out."""
    random = Random(seed)
    for _ in range(count):
        length = lengths[int(random.random() * len(lengths))]
        if sentence := try_draw(words, random, length):
            yield sentence


def _frame(sentence: Sentence, words: Combinations) -> Frame | None:
    """Make a frame of a sentence, blanks for its place and subject; None if it cannot be one.

    A frame has one clause, which says of one person, without a negation, what happens in the one
    place that it names. The king and every place must fit in it.
    """
    clause = sentence.clauses[0]
    who, place = clause.subject, clause.place
    if len(sentence.clauses) > 1 or clause.negated or not isinstance(place, PrepositionalPhrase):
        return None
    where = place.phrase
    if not (_plain(who) and _plain(where) and where.noun.lemma in PLACES):
        return None
    if place.preposition.english != "in":
        return None

    def suit(phrase: NounPhrase, nouns) -> list:
        """Return the nouns that go with the adjectives of a phrase."""
        return [n for n in nouns if set(phrase.adjectives) <= set(words.adjectives[n])]

    line = realise(sentence)
    blanks = {line.positions[who, "noun"]: _WHO, line.positions[where, "noun"]: _WHERE}
    frame = tuple(blanks.get(i, word) for i, word in enumerate(line.words))
    inside = [noun for preposition, noun in clause.verb.places if preposition.english == "in"]
    rooms = {noun.lemma for noun in suit(where, inside)}
    persons = [noun for noun in clause.verb.subjects if "person" in noun.classes]
    people = [n.lemma for n in suit(who, persons) if not set(n.english) & set(frame)]
    if set(frame) & (_KINGS | _ROOMS) or not rooms.issuperset(PLACES):
        return None
    if not {who.noun.lemma, KING} <= set(people) or len(people) < 2:
        return None
    return Frame(frame, tuple(name for name in people if name != KING))


def _plain(phrase: object) -> bool:
    """Return whether it is one known noun in the singular, with adjectives at most."""
    return (
        isinstance(phrase, NounPhrase)
        and phrase.noun.kind == "noun"
        and is_definite(phrase)
        and not (phrase.plural or phrase.attribute or phrase.relative)
    )
