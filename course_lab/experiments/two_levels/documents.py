"""Documents with one deciding sentence: where is the king?

A document is a handful of sentences of the grammar, in any order:

    one deciding sentence    the king often sleeps in the kitchen .
    rivals                   often the woman waits in the garden .
    mentions                 Anna hears the king .
    others                   two dogs wait .

Its label is the place in the deciding sentence, the only one that says the king's place. Rivals
name a place and somebody else, mentions name the king and no place: neither word alone finds the
sentence that decides.

Nothing else can carry the label. Deciding sentences and rivals are made from the same *frames*,
sentences with a blank for who and a blank for where:

    often the <who> reads a letter in the <where> .

And documents come in families, one document for each place, which are the same word for word but
for the place in the deciding sentence. So over a sample whatever is counted in the rest of the
documents is the same for every label.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import NamedTuple

from course_lib.data.mini_world.clauses import draw_sentence
from course_lib.data.mini_world.combinations import Combinations, stable_hash, world
from course_lib.data.mini_world.english import realise
from course_lib.data.mini_world.grammar import split_of
from course_lib.data.mini_world.meaning import (
    NounPhrase,
    PrepositionalPhrase,
    Sentence,
    is_definite,
)
from course_lib.data.mini_world.phrases import Chance
from course_lib.errors import CourseError

KING = "king"
PLACES = ("garden", "house", "kitchen")
RIVALS, MENTIONS = 3, 1
SILENCE = len(PLACES)
"""The label of a document that does not say where the king is."""

_WHO, _WHERE = "<who>", "<where>"
_FRAME_WORDS, _OTHER_WORDS = range(7, 11), range(4, 10)
"""Words of a frame, and of the other sentences, the full stop among them."""
_FRAME_DRAWS, _OTHER_DRAWS = 40_000, 8_000
"""Draws of the grammar behind the pools; few of them are frames."""
_FRAME_SPLITS = ("train",) * 6 + ("valid",) * 2 + ("test",) * 2
_KINGS, _ROOMS = {KING, "kings"}, {place + end for place in PLACES for end in ("", "s")}


@dataclass(frozen=True, slots=True)
class Document:
    """The words of each sentence, and the number of the class, from 0."""

    sentences: tuple[tuple[str, ...], ...]
    label: int

    def without_sentence(self, index: int) -> "Document":
        """The document without one sentence."""
        return Document(self.sentences[:index] + self.sentences[index + 1 :], self.label)

    def without_word(self, sentence: int, index: int) -> "Document":
        """The document without one word; the word's sentence may be empty then."""
        words = self.sentences[sentence]
        kept = words[:index] + words[index + 1 :]
        lines = (*self.sentences[:sentence], kept, *self.sentences[sentence + 1 :])
        return Document(lines, self.label)


@dataclass(frozen=True, slots=True)
class DecidedDocument(Document):
    """A document that knows which sentence decides its label.

    Attributes:
        decider: the position of the deciding sentence; of a silent document, the position of the
            sentence that replaces it.
        deciding: the positions in it of the two words that decide together, who and where.
        family: documents of one family are the same but for the deciding words.
    """

    decider: int
    deciding: tuple[int, int]
    family: int

    @property
    def silent(self) -> bool:
        """Whether nothing says where the king is."""
        return self.label == SILENCE


class Frame(NamedTuple):
    """A sentence with a blank for who and one for where, and the people who may stand in it."""

    words: tuple[str, ...]
    people: tuple[str, ...]

    def filled(self, who: str, where: str) -> tuple[str, ...]:
        """The sentence with its blanks filled."""
        return tuple({_WHO: who, _WHERE: where}.get(word, word) for word in self.words)


class Pools(NamedTuple):
    """The sentences of a split: frames, some with the king and no place, some with neither."""

    frames: list[Frame]
    mentions: list[tuple[str, ...]]
    others: list[tuple[str, ...]]


def sample(
    split: str,
    families: int,
    *,
    seed: int = 0,
    sentences: tuple[int, int] = (6, 8),
    rivals: int = RIVALS,
    silent: bool = False,
) -> list[DecidedDocument]:
    """Draw families of documents, one document for each place, all different.

    Args:
        split: train, valid or test. No sentence of one is in another, and no frame.
        families: how many; each gives as many documents as there are places.
        seed: the same seed gives the same sample, on every machine.
        sentences: fewest and most sentences of a document, `rivals` + 2 or more.
        rivals: how many sentences place somebody else.
        silent: one document more in each family, in which somebody else stands in the king's
            sentence. So nothing says where the king is, and the label is `SILENCE`.

    Raises:
        KeyError: an unknown split.
        CourseError: there are not so many different families.
    """
    # By the sentences of its first document, which no other family has.
    drawn: dict[tuple, list[DecidedDocument]] = {}
    chance = Chance(Random(f"{seed} documents {split}"))
    for _ in range(20 * families):
        if len(drawn) == families:
            break
        family = _family(pools()[split], chance, sentences, rivals, len(drawn))
        drawn.setdefault(family[0].sentences, family)
    if len(drawn) < families:
        raise CourseError(f"wanted {families} different families, found only {len(drawn)}")
    count = len(PLACES) + silent
    return [document for family in drawn.values() for document in family[:count]]


def _family(
    pool: Pools, chance: Chance, size: tuple[int, int], rivals: int, number: int
) -> list[DecidedDocument]:
    """Draw one document for each place, and a silent one, which share their other sentences."""
    pick = chance.pick
    count = chance.number(*size)
    deciding = pick(pool.frames)
    lines = []
    for _ in range(rivals):
        frame = pick(pool.frames)
        lines.append(frame.filled(pick(frame.people), pick(PLACES)))
    lines += [pick(pool.mentions) for _ in range(MENTIONS)]
    lines += [pick(pool.others) for _ in range(count - 1 - len(lines))]
    for last in range(len(lines) - 1, 0, -1):  # Fisher-Yates
        other = chance.number(0, last)
        lines[last], lines[other] = lines[other], lines[last]
    decider = chance.number(0, count - 1)
    blanks = deciding.words.index(_WHO), deciding.words.index(_WHERE)
    answers = [*((KING, where) for where in PLACES), (pick(deciding.people), pick(PLACES))]
    family = []
    for label, answer in enumerate(answers):
        sentences = (*lines[:decider], deciding.filled(*answer), *lines[decider:])
        family.append(DecidedDocument(sentences, label, decider, blanks, number))
    return family


@cache
def pools() -> dict[str, Pools]:
    """Return the sentences of each split; a hash of a sentence's words decides its split."""
    words = world("tiny")
    pools = {split: Pools([], [], []) for split in ("train", "valid", "test")}
    frames = filter(None, (_frame(s, words) for s in _draw("frames", _FRAME_WORDS, _FRAME_DRAWS)))
    for frame in {frame.words: frame for frame in frames}.values():
        split = _FRAME_SPLITS[stable_hash(" ".join(frame.words), len(_FRAME_SPLITS))]
        pools[split].frames.append(frame)
    lines = (realise(s).words for s in _draw("others", _OTHER_WORDS, _OTHER_DRAWS))
    for line in dict.fromkeys(line for line in lines if not _ROOMS & set(line)):
        _, mentions, others = pools[split_of(" ".join(line))]
        (mentions if _KINGS & set(line) else others).append(line)
    return pools


def _draw(seed: str, lengths: range, count: int) -> Iterator[Sentence]:
    """Draw sentences of the grammar `count` times; draws that cannot be finished are left out."""
    random = Random(seed)
    for _ in range(count):
        length = lengths[int(random.random() * len(lengths))]
        if sentence := draw_sentence(world("tiny"), random, length):
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
    where, within = place.phrase, place.preposition.english == "in"
    if not (within and _plain(who) and _plain(where) and where.noun.lemma in PLACES):
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
