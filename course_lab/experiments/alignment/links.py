"""Word links for chapter 3: by IBM Model 1 and by counting, judged against gold links.

The mini-world's links are measured live in the chapter. Those of the Hansards need a file that not
every reader has, so that

    python -m course_lab.experiments alignment/hansards

stores them, and the chapter shows what is stored, checked against a new measurement wherever the
file is at hand.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, NamedTuple

from course_lab.experiments.alignment.counting import (
    TIES,
    Counts,
    WordPair,
    both_ways,
    link_best,
    one_to_one,
)
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored
from course_lib.alignment.error_rate import LinkMetrics, link_metrics
from course_lib.alignment.ibm1 import IBMModel1
from course_lib.data.corpora import hansards
from course_lib.data.corpora.download import at_hand
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import AlignedPair, Link, sides

ITERATIONS = 10
STORED = Path(__file__).with_name("hansards.json")
OF_MODELS = ("Model 1", "Model 1 turned", "Model 1, intersection", "Model 1, union")
Links = Sequence[AbstractSet[Link]]
Models = tuple[IBMModel1, IBMModel1]


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


def without_marks(pairs: Iterable[AlignedPair], marks: Collection[str]) -> list[AlignedPair]:
    """The same pairs as if `marks` had never stood in them; links with a mark are gone."""
    return [_without(pair, marks) for pair in pairs]


def _without(pair: AlignedPair, marks: Collection[str]) -> AlignedPair:
    kept = [
        [at for at, word in enumerate(side) if word not in marks]
        for side in (pair.source, pair.target)
    ]
    j_now, i_now = ({at: now for now, at in enumerate(places)} for places in kept)
    sure, possible = (
        frozenset((j_now[j], i_now[i]) for j, i in links if j in j_now and i in i_now)
        for links in (pair.sure, pair.possible)
    )
    source, target = (
        tuple(side[at] for at in places)
        for side, places in zip((pair.source, pair.target), kept, strict=True)
    )
    return AlignedPair(source, target, sure, possible)


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
    return _by_models(_fit(train, iterations, null), judged, ties)


def _fit(train: Sequence[WordPair], iterations: int, null: bool) -> Models:
    """The model that writes the target, and the one that writes the source."""
    turned = [(target, source) for source, target in train]
    return (
        IBMModel1.fit(train, iterations, null=null),
        IBMModel1.fit(turned, iterations, null=null),
    )


def _by_models(models: Models, judged: Sequence[WordPair], ties: str) -> dict[str, list[set[Link]]]:
    forward, backward = models
    there = [forward.align(s, t, ties) for s, t in judged]
    back = [{(j, i) for i, j in backward.align(t, s, ties)} for s, t in judged]
    return {
        "source to target": there,
        "target to source": back,
        "intersection": [a & b for a, b in zip(there, back, strict=True)],
        "union": [a | b for a, b in zip(there, back, strict=True)],
    }


def judge(links: Links, gold: Sequence[AlignedPair]) -> LinkMetrics:
    """Precision, recall and error rate against the gold links of the same pairs."""
    return link_metrics(links, [pair.sure for pair in gold], [pair.possible for pair in gold])


def all_ways(
    train: Sequence[WordPair], judged: Sequence[WordPair], rules: Sequence[str] = TIES
) -> dict[str, dict[str, Links]]:
    """For each rule for ties the links of each pair: ways without a model, then Model 1's.

    Counts know no direction, but the choice has one: "Dice" takes the best source word for each
    target word, "Dice turned" the best target word for each source word, "Dice, intersection" keeps
    what both say, and "Dice, one to one" lets each word have one partner at most. "Model 1" is
    `both_directions`' source to target, "Model 1 turned" the other.
    """
    counts, models = Counts.of(train), _fit(train, ITERATIONS, null=True)
    links: dict[str, dict[str, Links]] = {}
    for ties in rules:
        there, back = both_ways(counts.dice, judged, ties)
        links[ties] = {
            "diagonal": [link_best(lambda e, f: 1.0, *pair) for pair in judged],
            "count": [link_best(counts.together, *pair, ties) for pair in judged],
            "Dice": there,
            "Dice turned": back,
            "Dice, intersection": [a & b for a, b in zip(there, back, strict=True)],
            "Dice, one to one": [one_to_one(counts.dice, *pair, ties) for pair in judged],
            **dict(zip(OF_MODELS, _by_models(models, judged, ties).values(), strict=True)),
        }
    return links


def scores(
    links_by_rule: Mapping[str, Mapping[str, Links]], gold: Sequence[AlignedPair]
) -> dict[str, dict[str, LinkMetrics]]:
    """`judge` for each rule and way of `all_ways`."""
    return {
        rule: {name: judge(links, gold) for name, links in ways.items()}
        for rule, ways in links_by_rule.items()
    }


class HansardsRun(NamedTuple):
    """One measurement: every way of linking under one rule for ties."""

    ties: str


def _measured(run: HansardsRun) -> dict[str, Any]:
    """The models see the 447 pairs in lower case, without their links, and nothing else."""
    gold = hansards.load()
    pairs = words(gold, lower=True)
    ways = scores(all_ways(pairs, pairs, (run.ties,)), gold)[run.ties]
    rounded = {name: [round(value, 4) for value in score] for name, score in ways.items()}
    return {**run._asdict(), "pairs": len(gold), "iterations": ITERATIONS, "scores": rounded}


def measure_hansards() -> list[dict[str, Any]]:
    """What the stored file holds: a record for each rule for ties.

    Raises:
        CourseError: the data cannot be had.
    """
    return [_measured(HansardsRun(ties)) for ties in TIES]


def hansards_scores() -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The stored measurement and, where the data is at hand, one made now (otherwise None).

    Each says how many "pairs" and "iterations", and in "scores" for each rule for ties and each
    way precision, recall and error rate.
    """
    stored = load_stored(STORED)
    return _by_rule(stored), _by_rule(measure_hansards()) if at_hand("hansards") else None


def _by_rule(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    sizes = {name: records[0][name] for name in ("pairs", "iterations")}
    return {**sizes, "scores": {record["ties"]: record["scores"] for record in records}}


EXPERIMENTS = [
    Experiment(
        "Alignment error rates on the Hansards.",
        STORED,
        lambda: list(map(HansardsRun, TIES)),
        _measured,
        key=("ties",),
        data="hansards",
    )
]
