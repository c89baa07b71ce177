"""Attention beside IBM Model 1, by alignment error rate: both directions, five seeds (chapter 4).

Both aligners learn from the same training pairs, and are held against the same gold links.

    python -m course_lab.experiments bahdanau/soft_alignment
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyping import Float
from torch import Tensor

from course_lab.experiments.bahdanau import bottleneck
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored
from course_lib.alignment.error_rate import alignment_error_rate
from course_lib.alignment.ibm1 import IBMModel1
from course_lib.data.pairs import AlignedPair, sides
from course_lib.evaluation.alignment import attention_error_rate
from course_lib.evaluation.teacher_forcing import forced_attention

STORED = Path(__file__).with_name("soft_alignment.json")
DIRECTIONS = {"English to German": False, "German to English": True}
"""Name of a direction -> whether the pairs are turned."""
ITERATIONS = 10
SHIFTS = (-1, 0, 1)
SEEDS = (0, 1, 2, 3, 4)


class DirectedTrial(NamedTuple):
    """One training run of the attention model in one direction."""

    direction: str
    seed: int


def attention_rates(
    maps: Sequence[Float[Tensor, "_ _"]], pairs: Sequence[AlignedPair]
) -> dict[int, float]:
    """The error rate of attention maps, by how many rows off they are read.

    See `forced_attention` for the maps and `links_from_weights` for the rows.
    """
    return {shift: attention_error_rate(maps, pairs, shift=shift) for shift in SHIFTS}


def model1_rates(world: bottleneck.LessonWorld, pairs: Sequence[AlignedPair]) -> dict[str, float]:
    """The error rate of IBM Model 1, trained on the world's training pairs, by rule for ties.

    Of equally probable source words "diagonal" links the nearest one, "first" the first; see
    `IBMModel1.align`.
    """
    model = IBMModel1.fit([sides(pair) for pair in world.train], iterations=ITERATIONS)
    sure, possible = [pair.sure for pair in pairs], [pair.possible for pair in pairs]
    posteriors = [model.posterior(pair.source, pair.target) for pair in pairs]
    rates = {}
    for ties in ("diagonal", "first"):
        links = [model.links(posterior, ties) for posterior in posteriors]
        rates[ties] = alignment_error_rate(links, sure, possible)
    return rates


def load_rates() -> dict[str, list[dict[str, Any]]]:
    """What the command stored: for each direction one record a seed.

    `attention` holds error rates by the number of rows off, `model1` is one error rate.
    """
    by_direction: dict[str, list[dict[str, Any]]] = {name: [] for name in DIRECTIONS}
    for record in load_stored(STORED):
        by_shift = dict(zip(SHIFTS, record["attention"], strict=True))
        by_direction[record["direction"]].append({**record, "attention": by_shift})
    return by_direction


def _record(run: DirectedTrial) -> dict[str, Any]:
    world = bottleneck.make_world(turned=DIRECTIONS[run.direction])
    model = bottleneck.train(
        bottleneck.TrainingTrial("bahdanau", run.seed, bottleneck.RATES["bahdanau"], world)
    )
    rates = attention_rates(forced_attention(model, world.test, *world.tokenizers), world.test)
    return {
        "direction": run.direction,
        "seed": run.seed,
        "attention": [round(rates[shift], 4) for shift in SHIFTS],
        "model1": round(model1_rates(world, world.test)["diagonal"], 4),
    }


EXPERIMENTS = [
    Experiment(
        "Alignment error rates of chapter 4's attention.",
        STORED,
        lambda: [DirectedTrial(direction, seed) for seed in SEEDS for direction in DIRECTIONS],
        _record,
        key=("direction", "seed"),
    )
]
