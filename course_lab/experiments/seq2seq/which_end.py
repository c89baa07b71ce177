"""Which end of a sentence profits when the source is read backwards (chapter 2).

Sutskever et al. 2014 (section 3.3) had expected the early words of the *target* to profit
and its late words to pay. The gain of each right word is sorted twice: by the place of the word in
the target, and by the place of its partner in the source. The models are the two orders of
`one_vector`, at the learning rates that were chosen there.

    python -m course_lab.experiments seq2seq/which_end
"""

from pathlib import Path
from typing import Any

from course_lab.experiments.lab.bins import counts_of
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import length_bins
from course_lab.experiments.seq2seq import one_vector
from course_lab.experiments.seq2seq.measures import Share, by_fifths
from course_lib.evaluation.teacher_forcing import teacher_forced

STORED = Path(__file__).with_name("which_end.json")
ORDERS = ("forwards", "backwards")
SIDES = ("source", "target")
SEEDS = (0, 1, 2, 3, 4)


def trials() -> list[Trial]:
    """Both orders with every seed."""
    return planned(one_vector.RATE_OF, ORDERS, SEEDS)


def judged(run: Trial, times: int = 1) -> dict[str, Any]:
    """What the stored file keeps of one model, on the test pairs.

    Args:
        run: order, seed and learning rate.
        times: so many times the updates of every lesson.
    """
    world = one_vector.the_world()
    model = one_vector.make_model(run.variant, world, run.seed)
    one_vector.train(model, world, run.learning_rate, times)
    fifths = by_fifths(model, world.test, world.tokenizers)
    bins = length_bins(model, world.test, world.tokenizers, one_vector.EDGES)
    return {
        "variant": run.variant,
        "seed": run.seed,
        "nats": round(teacher_forced(model, one_vector.whole(world, "test")).nats, 4),
        "bins": counts_of(bins),
        **{side: [list(share) for share in fifths[side]] for side in SIDES},
    }


def wrong(side: str, stored: Path | None = None) -> dict[str, list[list[float]]]:
    """The share of wrong words by order, for each seed and fifth.

    Args:
        side: by whose places the words are sorted, "source" or "target".
        stored: the file with the records, if not this module's own.
    """
    by_order: dict[str, list[list[float]]] = {order: [] for order in ORDERS}
    for entry in load_stored(stored or STORED):
        by_order[entry["variant"]].append([1 - Share(*share).rate for share in entry[side]])
    return by_order


def removed(side: str, stored: Path | None = None) -> list[list[float]]:
    """Which share of the wrong words is right once the source is read backwards, seed by seed.

    A gain in right words would say less: where nearly all were right before, none can be large.

    Args:
        side, stored: as for `wrong`.
    """
    rows = wrong(side, stored)
    pairs = zip(*(rows[order] for order in ORDERS), strict=True)
    return [[1 - b / f for f, b in zip(*pair, strict=True)] for pair in pairs]


EXPERIMENTS = [
    Experiment(
        "Which end profits: chapter 2's runs.",
        STORED,
        trials,
        judged,
    ),
]
