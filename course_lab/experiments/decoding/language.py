"""A piece of the mini-world's German that is small enough to list: every sentence of it.

Who does what to whom: article or number, perhaps an adjective, noun; verb; the same once more; full
stop. `ein alter Mann sieht die Katzen .` (an old man sees the cats.) So it can be said of any line
of words whether it is German of this kind, and a language model of it can be judged by what it
writes. What goes with what is the lexicon's: nobody reads a dog.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

from course_lib.data.mini_world.combinations import goes_with
from course_lib.data.mini_world.german_forms import ACCUSATIVE, NOMINATIVE, PLURAL
from course_lib.data.mini_world.lexicon.reader import load
from course_lib.data.mini_world.lexicon.vocabulary import Noun

Words = tuple[str, ...]


@cache
def every_sentence() -> tuple[Words, ...]:
    """All of them, sorted."""
    sentences: set[Words] = set()
    for verb in load("tiny").verbs:
        objects = [words for noun in verb.objects for words, _ in _phrases(noun, ACCUSATIVE)]
        subjects = [told for noun in verb.subjects for told in _phrases(noun, NOMINATIVE)]
        for (subject, plural), known in product(subjects, objects):
            sentences.add((*subject, verb.german[plural], *known, "."))
    return tuple(sorted(sentences))


@cache
def as_set() -> frozenset[Words]:
    """The same, to ask whether a line of words is among them."""
    return frozenset(every_sentence())


def drawn(count: int, seed: int) -> list[Words]:
    """So many different sentences, any of them as likely as any other."""
    return Random(seed).sample(every_sentence(), count)


def _phrases(noun: Noun, case: int) -> Iterator[tuple[Words, bool]]:
    """Each way to speak of a noun, with one adjective at most, and whether it is plural."""
    lexicon = load("tiny")
    fitting = [adjective for adjective in lexicon.adjectives if goes_with(adjective, noun)]
    for determiner, plural in product(lexicon.determiners.values(), (False, True)):
        if not determiner.english[plural] or (plural and noun.is_mass):
            continue
        column = PLURAL if plural else noun.gender
        article, head = determiner.german[case][column], noun.german[case][plural]
        yield (article, head), plural
        for adjective in fitting:
            form = getattr(adjective, determiner.declension)[case][column]
            yield (article, form, head), plural
