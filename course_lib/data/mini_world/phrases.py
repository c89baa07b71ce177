"""Drawing noun phrases and prepositional phrases of an exact number of English words."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import TypeVar

from course_lib.data.mini_world.combinations import Combinations
from course_lib.data.mini_world.lexicon.vocabulary import (
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    Adjective,
    Noun,
    Place,
    Verb,
)
from course_lib.data.mini_world.meaning import NounPhrase, Pair, PrepositionalPhrase

T = TypeVar("T")


class Misfit(Exception):
    """A draw that cannot be finished; the caller draws again."""


class Chance:
    """Draws from a source of random numbers, the same in every Python version."""

    def __init__(self, random: Random) -> None:
        # Only random() is promised to give the same numbers in every version.
        self.random = random.random

    def pick(self, options: Sequence[T]) -> T:
        """Draw one of the options, all equally likely; raise Misfit if there is none."""
        if not options:
            raise Misfit
        return options[int(self.random() * len(options))]

    def happens(self, probability: float) -> bool:
        """Draw whether something happens that has this probability."""
        return self.random() < probability

    def number(self, low: int, high: int) -> int:
        """Draw a whole number from low to high, both included."""
        return low + int(self.random() * (high - low + 1))


@cache
def names_fit(nouns: tuple[Noun, ...]) -> bool:
    """Return whether Anna or Paul may replace one of these nouns."""
    return any("youngster" in noun.classes for noun in nouns)


class Phrases(Chance):
    """Draws phrases of the permitted words; no noun or verb is used twice within one sentence.

    In the methods, `nouns` are the candidates, `size` is the number of English words, and `rule`
    says which determiners the context permits: a key of `world.articles`.
    """

    def __init__(self, world: Combinations, random: Random) -> None:
        super().__init__(random)
        self.world = world
        self.used: set[Noun | Verb] = set()

    def fresh(self, options: Sequence[T]) -> T:
        """Draw a noun or verb that the sentence has not used yet."""
        for _ in range(8):
            option = self.pick(options)
            if option not in self.used:
                self.used.add(option)
                return option
        raise Misfit

    def adjectives(self, noun: Noun, count: int) -> tuple[Adjective, ...]:
        """Draw up to two adjectives of different groups, in the order of the table."""
        suited = self.world.adjectives[noun]
        drawn = [self.pick(suited) for _ in range(min(count, 2))]
        if count > 2 or len({adjective.group for adjective in drawn}) < len(drawn):
            raise Misfit
        return tuple(sorted(drawn, key=suited.index))

    def light(
        self, nouns: tuple[Noun, ...], size: int, rule: str, plural: bool | None = None
    ) -> NounPhrase:
        """Draw a phrase of determiner, up to two adjectives and noun: one to four words."""
        noun = self.fresh(nouns)
        singular, plurals, mass = self.world.articles[rule]
        if plural is None:
            plural = size == 1 or self.happens(0.12 if rule == "place" else 0.3)
        plural = plural and not noun.is_mass
        articles = mass if noun.is_mass else plurals if plural else singular
        determiner = self.pick(articles)
        if size == 1 and determiner is not None:
            if None not in articles:
                raise Misfit
            determiner = None
        if size > 3 and determiner is None:
            determiner = DETERMINERS["the"]
        if determiner in (DETERMINERS["my"], DETERMINERS["our"]) and not noun.takes_my:
            determiner = DETERMINERS["the"]
        count = size - 1 - (determiner is not None)
        return NounPhrase(noun, determiner, plural, self.adjectives(noun, count))

    def phrase(self, nouns: tuple[Noun, ...], size: int, rule: str, pronouns: bool) -> NounPhrase:
        """Draw a light phrase; for one word a name or pronoun, if a child can be meant."""
        if size > 1 or rule == "new" or not names_fit(nouns):
            return self.light(nouns, size, rule)
        if pronouns and self.happens(0.5):
            noun = self.pick(PRONOUNS)
            return NounPhrase(noun, plural=not noun.english[0])
        return NounPhrase(self.fresh(self.world.lexicon.names))

    def pair(self, nouns: tuple[Noun, ...], size: int) -> Pair:
        """Draw two light phrases of one kind with `and` between them, both known or both new."""
        kind = self.pick(nouns).classes
        nouns = tuple(noun for noun in nouns if noun.classes & kind)
        rule = "known" if self.happens(0.6) else "new"
        first = self.number(max(1, size - 5), min(4, size - 2))
        return Pair(*(self.phrase(nouns, n, rule, False) for n in (first, size - 1 - first)))

    def with_attribute(self, nouns: tuple[Noun, ...], size: int, rule: str) -> NounPhrase:
        """Draw `the woman with the red hat`: people and what they carry, five to eight words."""
        people = tuple(noun for noun in nouns if "person" in noun.classes)
        inner = self.number(max(2, size - 5), min(3, size - 3))
        head = self.light(people, size - 1 - inner, rule)
        rule = "new" if self.happens(0.5) else "known"
        thing = self.light(self.world.worn, inner, rule, head.plural)
        head.attribute = PrepositionalPhrase(PREPOSITIONS["with"], thing)
        return head

    def located(self, nouns: tuple[Noun, ...], size: int, rule: str) -> NounPhrase:
        """Draw `the dog in the garden`: five to eight words."""
        inner = self.number(max(2, size - 5), min(4, size - 3))
        head = self.light(nouns, size - 1 - inner, rule)
        head.attribute = self.place(self.world.lexicon.places["scene"], inner + 1)
        return head

    def place(self, places: Sequence[Place], size: int) -> PrepositionalPhrase:
        """Draw `in the garden`, from three words; from six, `under the table in the kitchen`."""
        preposition, noun = self.pick(places)
        head_size = size - 1 if size < 6 else 2 if size == 6 else 3
        head = self.light((noun,), head_size, "place")
        if size >= 6:
            around = self.world.lexicon.places.get(self.pick(noun.settings), ())
            head.attribute = self.place(around, size - 1 - head_size)
        return PrepositionalPhrase(preposition, head)
