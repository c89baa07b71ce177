"""Drawing a whole sentence of an exact length: the number of clauses, their lengths, connectives.

Between main clauses is `, and`, between noun phrases `and`, so that they cannot be confused.
"""

from course_lib.data.mini_world.clauses import Clauses
from course_lib.data.mini_world.meaning import Sentence
from course_lib.data.mini_world.phrases import Misfit

SHORTEST, LONGEST = 3, 16
"""Words in a clause of a sentence with several clauses."""

_COST = {"and": 2, "then": 2, "but": 2, "while": 1}
"""Words of a connective with its comma; `then` is a word of its clause."""


def draw(clauses: Clauses, length: int) -> Sentence:
    """Draw a sentence of exactly `length` English words, the full stop included.

    Raises:
        Misfit: this draw cannot be finished; draw again.
    """
    words = length - 1
    count = _clause_count(clauses, words)
    connectives = _connectives(clauses, count)
    sizes = _sizes(clauses, words - sum(map(_COST.__getitem__, connectives)), count)
    drawn = [clauses.clause(sizes[0], "main")]
    for connective, size in zip(connectives, sizes[1:], strict=True):
        kind = "while" if connective == "while" else "main"
        drawn.append(clauses.clause(size, kind, then=connective == "then"))
    names = ["and" if connective == "then" else connective for connective in connectives]
    return Sentence(tuple(drawn), ("", *names))


def _clause_count(clauses: Clauses, words: int) -> int:
    """Draw a number of clauses, so that a clause has five to thirteen words on average."""
    if words < 9:
        return 1
    return max(1, round(words / (5 + 8 * clauses.phrases.chance())))


def _connectives(clauses: Clauses, count: int) -> list[str]:
    """Draw the connectives, no `while` after `while`."""
    connectives: list[str] = []
    for _ in range(count - 1):
        options = ["and", "and", "then", "but", "while"]
        if connectives and connectives[-1] == "while":
            options.remove("while")
        connectives.append(clauses.phrases.pick(options))
    return connectives


def _sizes(clauses: Clauses, words: int, count: int) -> list[int]:
    """Divide the words among the clauses, unevenly, each within its bounds."""
    low = SHORTEST if count > 1 else 2
    if not low * count <= words <= LONGEST * count:
        raise Misfit
    sizes = [words // count + (i < words % count) for i in range(count)]
    for i in range(count - 1):
        least = max(low - sizes[i], sizes[i + 1] - LONGEST, -3)
        most = min(LONGEST - sizes[i], sizes[i + 1] - low, 3)
        move = clauses.phrases.number(least, most)
        sizes[i] += move
        sizes[i + 1] -= move
    return sizes
