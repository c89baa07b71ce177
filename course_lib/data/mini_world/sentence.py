"""Drawing a whole sentence of an exact length: the number of clauses, their lengths, connectives.

Between main clauses is `, and`, between noun phrases `and`, so that they cannot be confused.
"""

from random import Random

from course_lib.data.mini_world.clauses import Clauses
from course_lib.data.mini_world.combinations import Combinations
from course_lib.data.mini_world.meaning import Sentence
from course_lib.data.mini_world.phrases import Misfit, Phrases

SHORTEST, LONGEST = 3, 16
"""Words in a clause of a sentence with several clauses."""

_COST = {"and": 2, "then": 2, "but": 2, "while": 1}
"""Words of a connective with its comma; `then` is a word of its clause."""


def try_draw(world: Combinations, random: Random, length: int) -> Sentence | None:
    """Draw a sentence of exactly `length` English words; None if the draw cannot be finished."""
    try:
        return draw(Clauses(Phrases(world, random)), length)
    except Misfit:
        return None


def draw(clauses: Clauses, length: int) -> Sentence:
    """Draw a sentence of exactly `length` English words, the full stop included.

    Raises:
        Misfit: this draw cannot be finished; draw again.
    """
    words, phrases = length - 1, clauses.phrases
    # Five to thirteen words a clause on average.
    count = 1 if words < 9 else max(1, round(words / (5 + 8 * phrases.random())))
    connectives: list[str] = []
    for _ in range(count - 1):
        options = ["and", "and", "then", "but", "while"]
        connectives.append(phrases.pick(options[:4] if connectives[-1:] == ["while"] else options))
    sizes = _sizes(phrases, words - sum(_COST[each] for each in connectives), count)
    drawn = [clauses.clause(sizes[0], "main")]
    for connective, size in zip(connectives, sizes[1:], strict=True):
        kind = "while" if connective == "while" else "main"
        drawn.append(clauses.clause(size, kind, then=connective == "then"))
    names = ["and" if connective == "then" else connective for connective in connectives]
    return Sentence(tuple(drawn), ("", *names))


def _sizes(phrases: Phrases, words: int, count: int) -> list[int]:
    """Divide the words among the clauses, unevenly, each within its bounds."""
    low = SHORTEST if count > 1 else 2
    if not low * count <= words <= LONGEST * count:
        raise Misfit
    sizes = [words // count + (i < words % count) for i in range(count)]
    for i in range(count - 1):
        least = max(low - sizes[i], sizes[i + 1] - LONGEST, -3)
        most = min(LONGEST - sizes[i], sizes[i + 1] - low, 3)
        move = phrases.number(least, most)
        sizes[i] += move
        sizes[i + 1] -= move
    return sizes
