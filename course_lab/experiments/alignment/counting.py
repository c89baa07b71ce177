"""Word links for chapter 3 without a model: scores of two words, and ways to choose by them.

Which of several equal scores is taken is no matter of the score. `ties` says it, in the words of
`IBMModel1.align`: "diagonal" takes the source word whose relative position is nearest to the target
word's, "first" the first, "last" the last.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from course_lib.data.pairs import Link

WordPair = tuple[Sequence[str], Sequence[str]]
Score = Callable[[str, str], float]
TIES = ("diagonal", "first", "last")


@dataclass(frozen=True)
class Counts:
    """In how many sentence pairs words stand, alone and together. A word counts once a pair."""

    source: Counter[str]
    target: Counter[str]
    both: Counter[tuple[str, str]]

    @classmethod
    def of(cls, pairs: Iterable[WordPair]) -> "Counts":
        """Counts all pairs."""
        counts = cls(Counter(), Counter(), Counter())
        for source, target in pairs:
            counts.source.update(set(source))
            counts.target.update(set(target))
            counts.both.update((e, f) for e in set(source) for f in set(target))
        return counts

    def together(self, e: str, f: str) -> int:
        """The number of pairs with e in the source and f in the target."""
        return self.both[e, f]

    def dice(self, e: str, f: str) -> float:
        """2 n(e, f) / (n(e) + n(f)), from 0 (never together) to 1 (never apart)."""
        together = self.both[e, f]
        return 2 * together / (self.source[e] + self.target[f]) if together else 0.0


def link_best(
    score: Score, source: Sequence[str], target: Sequence[str], ties: str = "diagonal"
) -> set[Link]:
    """Links each target word to the source word of the highest score.

    A target word whose best score is 0 gets no link.

    Raises:
        ValueError: another word for `ties`.
    """
    sizes = len(source), len(target)
    links = set()
    for i, f in enumerate(target):
        scores = [score(e, f) for e in source]
        best = max(scores, default=0.0)
        tied = [(j, i) for j, value in enumerate(scores) if value == best > 0]
        if tied:
            links.add(min(tied, key=lambda link: _rank(link, sizes, ties)))
    return links


def both_ways(
    score: Score, pairs: Iterable[WordPair], ties: str = "diagonal"
) -> tuple[list[set[Link]], list[set[Link]]]:
    """`link_best` for each pair, then the same where each source word chooses a target word."""
    there, back = [], []
    for source, target in pairs:
        there.append(link_best(score, source, target, ties))
        turned = link_best(lambda f, e: score(e, f), target, source, ties)
        back.append({(j, i) for i, j in turned})
    return there, back


def one_to_one(
    score: Score, source: Sequence[str], target: Sequence[str], ties: str = "diagonal"
) -> set[Link]:
    """Links the two words of the highest score, strikes both out, and goes on with the others.

    The competitive linking of Melamed (2000), with any score. Words whose score is 0 are never
    linked.

    Raises:
        ValueError: another word for `ties`.
    """
    sizes = len(source), len(target)
    offers = [
        (-score(source[j], target[i]), _rank((j, i), sizes, ties), (j, i))
        for j, i in product(range(sizes[0]), range(sizes[1]))
    ]
    links: set[Link] = set()
    taken: tuple[set[int], set[int]] = set(), set()
    for value, _, (j, i) in sorted(offers):
        if value < 0 and j not in taken[0] and i not in taken[1]:
            links.add((j, i))
            taken[0].add(j)
            taken[1].add(i)
    return links


def _rank(link: Link, sizes: tuple[int, int], ties: str) -> tuple[float | int, ...]:
    """The smallest rank among links of one score wins."""
    j, i = link
    if ties == "diagonal":
        return abs((j + 0.5) / sizes[0] - (i + 0.5) / sizes[1]), j, i
    if ties not in TIES:
        raise ValueError(f"wanted ties 'diagonal', 'first' or 'last', got {ties!r}")
    return (j, i) if ties == "first" else (-j, -i)
