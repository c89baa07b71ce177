"""By which ways what a window hides reaches a decoder: chapter 6a shuts them one by one.

The models of `window.py` with one thing changed. A word to the left of the window has been read by
every annotation in it. A word to the right can come in by the decoder's first state, which is the
encoder's last, or by annotations that were read from the right as well:

    python -m course_lab.experiments where_to_look/other_ways
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch

from course_lab.experiments.lab.bins import with_counts
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.where_to_look import window
from course_lab.experiments.where_to_look.maps import positions
from course_lib.data.pairs import AlignedPair
from course_lib.device import cpu_generator
from course_lib.models.luong import Luong, LuongConfig, LuongMemory, LuongState
from course_lib.models.parts import initialise
from course_lib.recurrent.encoder import RecurrentEncoder

STORED = Path(__file__).with_name("other_ways.json")
SEEN, LEFT, RIGHT = 0, 1, 2
"""Where the words lie that a window misses: nowhere, to its left only, or also to its right."""


class LuongVariant(NamedTuple):
    """What is changed.

    Attributes:
        attention: of `LuongConfig`.
        radius: D.
        times: how many times the usual number of updates.
        score: of `LuongConfig`.
        two_way: annotations read from both ends, H/2 numbers from either.
        handed: the decoder begins in the encoder's last state; False: in zeros.
    """

    attention: str = "local-m"
    radius: int = 3
    times: int = 1
    score: str = "dot"
    two_way: bool = False
    handed: bool = True


VARIANTS = {
    "first state zero": LuongVariant(times=4, handed=False),
    "two-way": LuongVariant(radius=1, two_way=True),
    "two-way, first state zero": LuongVariant(radius=1, two_way=True, handed=False),
    "local-p, D = 3": LuongVariant("local-p"),
    "local-p, D = 3, four times": LuongVariant("local-p", times=4),
    "local-p, D = 8": LuongVariant("local-p", 8),
    "local-p, D = 3, general": LuongVariant("local-p", score="general"),
    "local-p, D = 8, general": LuongVariant("local-p", 8, score="general"),
}
FEW = (0, 1)
"""Seeds of the variants that only explain; the two-way encoders have all of `window.SEEDS`."""
LOOKED_AT = 100
"""Test pairs over which predicted places are counted."""
END = 0.05
"""A place is at an end of the source if it lies within this share of its length from it."""


def seeds_of(name: str) -> tuple[int, ...]:
    """The first weights with which a variant is trained."""
    return window.SEEDS if VARIANTS[name].two_way else FEW


class LuongTrial(NamedTuple):
    """One training run."""

    variant: str
    seed: int


class OtherWays(Luong):
    """Luong's model, its encoder reading both ways or its decoder beginning in zeros.

    Args:
        config: of Luong's model; one layer.
        two_way: of `LuongVariant`.
        handed: of `LuongVariant`.
        generator: for the first weights.
    """

    def __init__(
        self,
        config: LuongConfig,
        two_way: bool,
        handed: bool,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__(config, generator)
        self.two_way, self.handed = two_way, handed
        if two_way:
            sizes = config.embedding, config.hidden // 2
            self.encoder = RecurrentEncoder("lstm", *sizes, bidirectional=True)
            initialise(self, generator)

    def start(self, memory: LuongMemory) -> LuongState:
        """The encoder's last state, or zeros."""
        start = super().start(memory)
        if self.handed:
            return start
        zeros = torch.zeros_like(start.hidden)
        return LuongState(zeros, zeros, start.attentional, start.time)


def side(pair: AlignedPair, radius: int) -> int:
    """Where the words lie that a monotone window of this radius misses: see `SEEN`."""
    away = [s - t for s, t in pair.sure if abs(s - t) > radius]
    if not away:
        return SEEN
    return RIGHT if max(away) > 0 else LEFT


def make_model(variant: LuongVariant, seed: int) -> OtherWays:
    """A model of this variant; where the encoder reads one way, with the weights of `window.py`."""
    config = window.config_of(variant.attention, variant.radius, variant.score)
    return OtherWays(config, variant.two_way, variant.handed, cpu_generator(seed))


def judged(run: LuongTrial) -> dict[str, Any]:
    """Trains and counts exact matches on the test pairs, by `side`."""
    variant, world = VARIANTS[run.variant], window.the_world()
    rate = window.RATES[variant.attention]
    trial = window.WindowTrial(variant.attention, variant.radius, variant.times, run.seed, rate)
    model = window.taught(make_model(variant, run.seed), trial)
    bins = window.exact_by(
        lambda pair: side(pair, variant.radius), (SEEN, LEFT, RIGHT, RIGHT + 1), model, world.test
    )
    record = {**run._asdict(), "bins": bins}
    if variant.attention == "local-p":
        record["at_ends"], record["inside"] = places(model, world.test[:LOOKED_AT])
    return record


def places(model: Luong, pairs: Sequence[AlignedPair]) -> tuple[float, float]:
    """Where local-p looks while it reads true translations.

    Returns:
        the share of steps whose predicted place is at an `END` of the source, and the share of
        gold links that the window around the predicted place holds.
    """
    at_ends = steps = inside = links = 0
    for pair in pairs:
        size = len(pair.source) + 1  # with </s>
        centers = positions(model, pair).tolist()
        steps += len(centers)
        at_ends += sum(min(place, size - place) < END * size for place in centers)
        links += len(pair.sure)
        inside += sum(abs(s - centers[t]) <= model.config.radius for s, t in pair.sure)
    return round(at_ends / steps, 4), round(inside / links, 4)


def load_runs() -> dict[str, list[dict[str, Any]]]:
    """The records of each of `VARIANTS`, one a seed: "bins" are counts by `side`."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in VARIANTS}
    for record in map(with_counts, load_stored(STORED)):
        runs[record["variant"]].append(record)
    return runs


EXPERIMENTS = [
    Experiment(
        "The control models of chapter 6a.",
        STORED,
        lambda: [LuongTrial(name, seed) for name in VARIANTS for seed in seeds_of(name)],
        judged,
    ),
]
