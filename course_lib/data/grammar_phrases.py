"""Drawing noun phrases and prepositional phrases of an exact number of English words."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from course_lib.data.grammar_meaning import NounPhrase, Pair, PrepositionalPhrase
from course_lib.data.grammar_world import World
from course_lib.data.lexicon import (
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    Adjective,
    Determiner,
    Noun,
    Place,
)

T = TypeVar("T")


class Misfit(Exception):
    """A draw that cannot be finished as wanted; the caller draws again."""


def _articles(text: str) -> tuple[Determiner | None, ...]:
    """Reads `the*3 a -`: determiners with weights, `-` for none."""
    articles: list[Determiner | None] = []
    for word in text.split():
        name, _, weight = word.partition("*")
        articles += [None if name == "-" else DETERMINERS[name]] * int(weight or 1)
    return tuple(articles)


_RULES = {
    "any": (
        "the*8 a*6 this*2 my*2 our every",
        "the*6 -*4 this two three four many some*2 all my our",
        "the*4 -*5 this",
    ),
    # every, all and many under negation, or in a pair, would leave the scope open.
    "scopeless": ("the*8 a*4 this*2 my*2 our", "the*5 -*3 this two three some my our", "the -"),
    "negated": ("the*5 a*5 this my our", "the*3 -*3 this my our", "the*2 -*3 this"),
    "known": ("the*8 this*2 my*2 our", "the*6 this*2 my our", "the"),
    "new": ("a", "-*3 two three some", "-"),
    "place": ("the*8 a*3 this*2 our my", "the*3 two three many", "the"),
}
RULES = {rule: tuple(_articles(text) for text in texts) for rule, texts in _RULES.items()}
"""Which determiners a context permits: for singular, plural and mass nouns."""


class Phrases:
    """Draws phrases; no content noun is used twice within one sentence.

    Args:
        world: the permitted words and combinations.
        random: the source of all chance.
    """

    def __init__(self, world: World, random: Random) -> None:
        self.world = world
        # Only random() is promised to give the same numbers in every Python version.
        self.chance = random.random
        self.used: set[Noun] = set()

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, all equally likely; none left is a misfit."""
        if not options:
            raise Misfit
        return options[int(self.chance() * len(options))]

    def number(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + int(self.chance() * (high - low + 1))

    def noun(self, nouns: Sequence[Noun]) -> Noun:
        """A noun that the sentence has not used yet."""
        for _ in range(8):
            noun = self.pick(nouns)
            if noun not in self.used:
                self.used.add(noun)
                return noun
        raise Misfit

    def adjectives(self, noun: Noun, count: int) -> tuple[Adjective, ...]:
        """Adjectives for a noun, from different groups, in the order of the groups."""
        if count == 0:
            return ()
        first = self.pick(self.world.adjectives[noun])
        if count == 1:
            return (first,)
        second = self.pick(self.world.adjectives[noun])
        if count > 2 or first.group == second.group:
            raise Misfit
        return (first, second) if first.group < second.group else (second, first)

    def light(self, nouns: Sequence[Noun], size: int, rule: str) -> NounPhrase:
        """Determiner, up to two adjectives, noun: one to four words.

        Args:
            nouns: the candidates.
            size: the number of English words.
            rule: which determiners the context permits, a key of RULES.
        """
        noun = self.noun(nouns)
        singular, plurals, mass = RULES[rule]
        plural = not noun.is_mass and (
            size == 1 or self.chance() < (0.15 if rule == "place" else 0.3)
        )
        articles = mass if noun.is_mass else plurals if plural else singular
        determiner = self.pick(articles)
        if size == 1 and determiner is not None:
            if None not in articles:
                raise Misfit
            determiner = None
        if size > 3 and determiner is None:
            determiner = DETERMINERS["the"]
        if determiner in (DETERMINERS["my"], DETERMINERS["our"]) and "mine" not in noun.marks:
            determiner = DETERMINERS["the"]
        count = size - 1 - (determiner is not None)
        return NounPhrase(noun, determiner, plural, self.adjectives(noun, count))

    def person(self, pronouns: bool) -> NounPhrase:
        """A name, or where permitted a pronoun."""
        if pronouns and self.chance() < 0.5:
            noun = self.pick(PRONOUNS)
            return NounPhrase(noun, plural=not noun.english[0])
        return NounPhrase(self.noun(self.world.lexicon.names))

    def phrase(self, nouns: Sequence[Noun], size: int, rule: str, pronouns: bool) -> NounPhrase:
        """A light phrase, or a name or pronoun if one word is wanted and children are meant."""
        if size == 1 and self.names_fit(nouns) and (rule == "known" or self.chance() < 0.6):
            return self.person(pronouns)
        return self.light(nouns, size, rule)

    @staticmethod
    def names_fit(nouns: Sequence[Noun]) -> bool:
        """Whether Anna or Paul may stand for one of these nouns."""
        return any("youngster" in noun.classes for noun in nouns)

    def pair(self, nouns: Sequence[Noun], size: int) -> Pair:
        """Two light phrases joined by `and`, both known or both new."""
        rule = "known" if self.chance() < 0.6 else "new"
        first = self.number(max(1, size - 1 - 4), min(4, size - 2))
        names = rule == "known"
        return Pair(
            self.phrase(nouns, first, rule, False) if names else self.light(nouns, first, rule),
            self.phrase(nouns, size - 1 - first, rule, False)
            if names
            else self.light(nouns, size - 1 - first, rule),
        )

    def with_attribute(self, nouns: Sequence[Noun], size: int, rule: str) -> NounPhrase:
        """`the woman with the red hat`: people and what they carry, five to eight words."""
        people = [noun for noun in nouns if "person" in noun.classes]
        inner = self.number(max(2, size - 5), min(3, size - 3))
        head = self.light(people, size - 1 - inner, rule)
        thing = self.light(self.world.worn, inner, "new" if self.chance() < 0.5 else "known")
        head.attribute = PrepositionalPhrase(PREPOSITIONS["with"], thing)
        return head

    def located(self, nouns: Sequence[Noun], size: int, rule: str) -> NounPhrase:
        """`the dog in the garden`: five to eight words."""
        inner = self.number(max(2, size - 5), min(4, size - 3))
        head = self.light(nouns, size - 1 - inner, rule)
        head.attribute = self.place(self.world.lexicon.places["scene"], inner + 1)
        return head

    def place(self, places: Sequence[Place], size: int) -> PrepositionalPhrase:
        """`in the garden`, from three words; from six, `under the table in the kitchen`."""
        preposition, noun = self.pick(places)
        nested = size >= 6
        head = self.light((noun,), 2 + (nested and size > 6) if nested else size - 1, "place")
        if nested:
            kinds = [mark[3:] for mark in noun.marks if mark.startswith("at:")]
            rest = size - 3 - (size > 6)
            head.attribute = self.place(self.world.lexicon.places.get(self.pick(kinds), ()), rest)
        return PrepositionalPhrase(preposition, head)
