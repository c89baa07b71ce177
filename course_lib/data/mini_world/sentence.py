"""Drawing a whole sentence of an exact length: how many clauses, how long, how joined.

Main clauses are joined by `, and`, noun phrases by `and`: no reader takes one for the other.
"""

from course_lib.data.mini_world.clauses import Clauses
from course_lib.data.mini_world.meaning import Sentence
from course_lib.data.mini_world.phrases import Misfit

SHORTEST, LONGEST = 3, 16
"""Words in a clause of a sentence with several clauses."""

_COST = {"and": 2, "then": 2, "but": 2, "while": 1}
"""Words that joining costs: the comma and the connective; `then` is a word of its clause."""


def draw(clauses: Clauses, length: int) -> Sentence:
    """A sentence of exactly `length` English words, the full stop included.

    Raises:
        Misfit: this draw came to no end; draw again.
    """
    words = length - 1
    count = _clause_count(clauses, words)
    joints = _joints(clauses, count)
    sizes = _sizes(clauses, words - sum(_COST[joint] for joint in joints), count)
    drawn = [clauses.clause(sizes[0], "main")]
    for joint, size in zip(joints, sizes[1:], strict=True):
        kind = "while" if joint == "while" else "main"
        drawn.append(clauses.clause(size, kind, then=joint == "then"))
    names = ["and" if joint == "then" else joint for joint in joints]
    return Sentence(tuple(drawn), ("", *names))


def _clause_count(clauses: Clauses, words: int) -> int:
    """So many that a clause has five to thirteen words on average."""
    if words < 9:
        return 1
    return max(1, round(words / (5 + 8 * clauses.phrases.chance())))


def _joints(clauses: Clauses, count: int) -> list[str]:
    """Connectives; no `while` after `while`."""
    joints: list[str] = []
    for _ in range(count - 1):
        options = ["and", "and", "then", "but", "while"]
        if joints and joints[-1] == "while":
            options.remove("while")
        joints.append(clauses.phrases.pick(options))
    return joints


def _sizes(clauses: Clauses, words: int, count: int) -> list[int]:
    """Splits the words over the clauses, unevenly, each within its bounds."""
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
