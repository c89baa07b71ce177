"""Word links for chapter 3: by counting and by IBM Model 1, judged against gold links.

The mini-world's links are measured live in the chapter. Those of the Hansards need a file that not
every reader has, so that

    python -m course_lib.experiments.alignment.links

stores them, and the chapter shows what is stored, checked against a new measurement wherever the
file is at hand.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_lib.alignment.error_rate import LinkScore, score_links
from course_lib.alignment.ibm1 import IBMModel1
from course_lib.atomic import atomic_write
from course_lib.data.corpora import hansards
from course_lib.data.corpora.download import at_hand
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import AlignedPair, Link, sides
from course_lib.experiments.lab.stored import load_stored

ITERATIONS = 10
STORED = Path(__file__).with_name("hansards.json")
WordPair = tuple[Sequence[str], Sequence[str]]


def mini_world(split: str, count: int, seed: int) -> list[AlignedPair]:
    """Pairs of 4 to 30 English words, in the mini-world's full vocabulary."""
    return grammar.sample(split, count, seed=seed, min_words=4, max_words=30)


def words(pairs: Iterable[AlignedPair], *, lower: bool = False) -> list[WordPair]:
    """Source and target words alone, in lower case if asked."""
    if lower:
        return [
            (tuple(w.lower() for w in pair.source), tuple(w.lower() for w in pair.target))
            for pair in pairs
        ]
    return [sides(pair) for pair in pairs]


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
    score: Callable[[str, str], float], source: Sequence[str], target: Sequence[str]
) -> set[Link]:
    """Links each target word to the source word of the highest score.

    Ties go to the source word whose relative position is nearest, as with
    `IBMModel1.align(ties="diagonal")`. A target word whose best score is 0 gets no link.
    """
    links = set()
    for i, f in enumerate(target):
        place = (i + 0.5) / len(target)
        scores = [score(e, f) for e in source]
        best = max(scores, default=0.0)
        tied = [j for j in range(len(source)) if scores[j] == best > 0]
        if tied:
            links.add((min(tied, key=lambda j: abs((j + 0.5) / len(source) - place)), i))
    return links


def both_directions(
    train: Sequence[WordPair],
    judged: Sequence[WordPair],
    *,
    iterations: int = ITERATIONS,
    null: bool = True,
    ties: str = "diagonal",
) -> dict[str, list[set[Link]]]:
    """Links by two models, one a direction, and by what they agree on.

    Args:
        train: pairs that both models are fitted to.
        judged: pairs to link.
        iterations: of EM.
        null: whether the models have the NULL word.
        ties: as for `IBMModel1.align`.

    Returns:
        for each of `judged` the links (source, target) of "source to target", "target to source",
        "intersection" and "union". The first is the model that writes the target.
    """
    forward = IBMModel1.fit(train, iterations, null=null)
    backward = IBMModel1.fit([(t, s) for s, t in train], iterations, null=null)
    there = [forward.align(s, t, ties) for s, t in judged]
    back = [{(j, i) for i, j in backward.align(t, s, ties)} for s, t in judged]
    return {
        "source to target": there,
        "target to source": back,
        "intersection": [a & b for a, b in zip(there, back, strict=True)],
        "union": [a | b for a, b in zip(there, back, strict=True)],
    }


def judge(links: Sequence[AbstractSet[Link]], gold: Sequence[AlignedPair]) -> LinkScore:
    """Precision, recall and error rate against the gold links of the same pairs."""
    return score_links(links, [pair.sure for pair in gold], [pair.possible for pair in gold])


def compare(
    train: Sequence[WordPair], judged: Sequence[WordPair], gold: Sequence[AlignedPair]
) -> dict[str, LinkScore]:
    """Ways to link without a model, then Model 1 in all its ways.

    Counts know no direction, but the choice has one: "Dice" takes the best source word for each
    target word, "Dice turned" the best target word for each source word, and "Dice intersection"
    keeps what both say.
    """
    counts = Counts.of(train)
    there = [link_best(counts.dice, *pair) for pair in judged]
    turned = [link_best(lambda f, e: counts.dice(e, f), t, s) for s, t in judged]
    back = [{(j, i) for i, j in links} for links in turned]
    ways: dict[str, Sequence[AbstractSet[Link]]] = {
        "diagonal": [link_best(lambda e, f: 1.0, *pair) for pair in judged],
        "count": [link_best(counts.together, *pair) for pair in judged],
        "Dice": there,
        "Dice turned": back,
        "Dice intersection": [a & b for a, b in zip(there, back, strict=True)],
        **both_directions(train, judged),
    }
    return {name: judge(links, gold) for name, links in ways.items()}


def measure_hansards() -> dict[str, Any]:
    """What the stored file holds: every way of linking, and the error rate of each rule for ties.

    The models see the 447 pairs in lower case, without their links, and nothing else.

    Raises:
        CourseError: the data cannot be had.
    """
    gold = hansards.load(progress=False)
    pairs = words(gold, lower=True)
    scores = {name: list(score) for name, score in compare(pairs, pairs, gold).items()}
    ties = {
        rule: judge(both_directions(pairs, pairs, ties=rule)["source to target"], gold).error_rate
        for rule in ("diagonal", "first", "last")
    }
    return {"pairs": len(gold), "iterations": ITERATIONS, "scores": scores, "ties": ties}


def hansards_scores() -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The stored measurement and, where the data is at hand, one made now (otherwise None)."""
    return load_stored(STORED), measure_hansards() if at_hand("hansards") else None


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures the Hansards and stores the result."""
    parser = argparse.ArgumentParser(description="Alignment error rates on the Hansards.")
    parser.add_argument("--file", type=Path, default=STORED, help="where they go")
    path = parser.parse_args(arguments).file
    measured = measure_hansards()
    for scores in measured["scores"].values():
        scores[:] = [round(value, 4) for value in scores]
    measured["ties"] = {rule: round(value, 4) for rule, value in measured["ties"].items()}
    atomic_write(path, json.dumps(measured, indent=1) + "\n")
    for name, scores in measured["scores"].items():
        print(f"{name:17}" + "".join(f"{value:8.3f}" for value in scores))


if __name__ == "__main__":
    main()
