"""The experiment of chapter 6a: what a window costs, what it saves, and where it fails.

One model, Luong's with the dot score and without input feeding, so that all steps train at once.
It looks at every word of the source, or around its own step (local-m), or around a place that it
predicts (local-p), with windows of three sizes. Same pairs in the same order, same number of
updates, a learning rate for each of the three kinds chosen alike:

    python -m course_lab.experiments where_to_look/window_rates
    python -m course_lab.experiments where_to_look/window
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from course_lab.experiments.lab import world as shared
from course_lab.experiments.lab.bins import LengthCounts, counts_of, together, with_counts
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored
from course_lib.data.batch import Batches, encode_pairs
from course_lib.data.pairs import AlignedPair
from course_lib.device import cpu_generator
from course_lib.evaluation.length import exact_match_by_length
from course_lib.evaluation.translate import translate
from course_lib.models.luong import Luong, LuongConfig
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit

MIN_WORDS, MAX_WORDS = 4, 12
REACHES = (0, 2, 4, 40)
"""Edges of bins by `reach`: which sentences fit into a window of 1, of 3, and of neither."""
RADII = (1, 3, 8)
SEEDS = (0, 1, 2, 3, 4)
STEPS, TOKENS = 500, 600
STORED = Path(__file__).with_name("window.json")
STORED_RATES = Path(__file__).with_name("window_rates.json")
RATES_TRIED = (1e-2, 2e-2, 4e-2)
RATES: dict[str, float] = {"global": 2e-2, "local-m": 2e-2, "local-p": 2e-2}
"""For each kind the rate with the highest exact match on validation pairs; see `rates_table`."""
TUNED_AT = 3
"""The radius at which the local kinds were tuned."""


class WindowTrial(NamedTuple):
    """One training run.

    Attributes:
        attention: of `LuongConfig`.
        radius: D; 0 for global attention, which has none.
        times: how many times the usual number of updates; 4 for the twins.
        seed: of the first weights.
        rate: learning rate.
    """

    attention: str
    radius: int
    times: int
    seed: int
    rate: float


KINDS = (
    ("global", 0, 1),
    *(("local-m", radius, 1) for radius in RADII),
    *(("local-p", radius, 1) for radius in RADII[1:]),
    ("global", 0, 4),
    ("local-m", 3, 4),
    ("local-p", 3, 4),
)
"""Attention, radius and how many times the updates. The last three are twins that train longer."""


def reach(pair: AlignedPair) -> int:
    """The radius that local-m needs for this pair: how far a gold link lies from the diagonal.

    Target word t looks around source position t, so a link (s, t) needs a radius of |s - t|.
    """
    return max((abs(s - t) for s, t in pair.sure), default=0)


def outside(pairs: Sequence[AlignedPair], radius: int) -> float:
    """Share of all gold links that the window of local-m does not hold; no training is needed."""
    away = [abs(s - t) for pair in pairs for s, t in pair.sure]
    return sum(distance > radius for distance in away) / len(away)


class Cost(NamedTuple):
    """What one decoder step does, in exact numbers.

    Attributes:
        scores: keys that are scored.
        attention: products of numbers in scores, context and, for local-p, the position.
        rest: products in LSTM, attentional state and the words' logits.
    """

    scores: int
    attention: int
    rest: int


def step_cost(config: LuongConfig, source: int) -> Cost:
    """The cost of one step of a one-layer model with the dot score, for a source of S positions."""
    hidden = config.hidden
    scores = source if config.attention == "global" else min(2 * config.radius + 1, source)
    place = hidden * hidden + hidden if config.attention == "local-p" else 0
    inputs = config.embedding + (hidden if config.input_feeding else 0)
    lstm = 4 * hidden * (inputs + hidden)
    rest = lstm + 2 * hidden * hidden + hidden * config.target_vocabulary
    return Cost(scores, 2 * scores * hidden + place, rest)


@cache
def the_world() -> shared.World:
    """English to German in the tiny mini-world, sentences of 4 to 12 words."""
    return shared.make_world(8000, 500, min_words=MIN_WORDS, max_words=MAX_WORDS, seed=3)


@cache
def _batches() -> Batches:
    world = the_world()
    encoded = encode_pairs(world.train, *world.tokenizers)
    return Batches(encoded, tokens_per_batch=TOKENS, bucket_by="source")


def config_of(attention: str, radius: int, score: str = "dot") -> LuongConfig:
    """The sizes of the experiment."""
    return LuongConfig(
        **shared.vocabulary_sizes(the_world().tokenizers),
        embedding=32,
        hidden=64,
        score=score,
        attention=attention,
        radius=radius or 1,
        input_feeding=False,
    )


def make_model(attention: str, radius: int, seed: int) -> Luong:
    """A model in these sizes, its first weights drawn from the seed."""
    return Luong(config_of(attention, radius), cpu_generator(seed))


def train(run: WindowTrial, steps: int | None = None) -> Luong:
    """Make the model and train it, for `steps` updates if given; it ends in eval mode."""
    return taught(make_model(run.attention, run.radius, run.seed), run, steps)


def taught(model: Luong, run: WindowTrial, steps: int | None = None) -> Luong:
    """The model, trained as long and as fast as a run says; it ends in eval mode."""
    config = FitConfig(
        steps=steps or STEPS * run.times,
        learning_rate=run.rate,
        schedule="cosine",
        warmup=20,
        betas=(0.9, 0.95),
        clip_norm=0.5,
    )
    if fit(model, _batches(), None, config, progress=False).interrupted:
        raise KeyboardInterrupt  # a half-trained model must not pass for a trained one
    return model.eval()


def by_reach(model: Luong, pairs: Sequence[AlignedPair]) -> list[LengthCounts]:
    """Exact matches of greedy translations, sentences sorted by `reach` into `REACHES`."""
    return exact_by(reach, REACHES, model, pairs)


def exact_by(
    trait: Callable[[AlignedPair], int],
    edges: Sequence[int],
    model: Luong,
    pairs: Sequence[AlignedPair],
) -> list[LengthCounts]:
    """Exact matches of greedy translations, sentences sorted by a whole number into bins."""
    tokenizers = the_world().tokenizers
    longest = max(len(pair.target) for pair in pairs)
    translations = translate(
        model, [pair.source for pair in pairs], *tokenizers, max_length=2 * longest
    )
    measured = exact_match_by_length(
        [trait(pair) for pair in pairs],
        [translation.target.words for translation in translations],
        [pair.target for pair in pairs],
        edges,
    )
    return counts_of(measured)


def load_runs() -> dict[tuple[str, int, int], list[list[LengthCounts]]]:
    """Counts by reach, one entry a seed, for each of `KINDS`, as the command stored them."""
    runs: dict[tuple[str, int, int], list[list[LengthCounts]]] = {kind: [] for kind in KINDS}
    for record in map(with_counts, load_stored(STORED)):
        kind = record["attention"], record["radius"], record["times"]
        runs[kind].append(record["bins"])
    return runs


def rates_table() -> dict[str, dict[float, float]]:
    """Exact match on the validation pairs, by kind of attention and learning rate."""
    table: dict[str, dict[float, float]] = {name: {} for name in RATES}
    for record in map(with_counts, load_stored(STORED_RATES)):
        table[record["attention"]][record["rate"]] = together(record["bins"]).rate
    return table


def _compare_rates(run: WindowTrial) -> dict[str, Any]:
    return _record(run, the_world().valid)


def _final(run: WindowTrial) -> dict[str, Any]:
    return _record(run, the_world().test)


def _record(run: WindowTrial, pairs: Sequence[AlignedPair]) -> dict[str, Any]:
    return {**run._asdict(), "bins": by_reach(train(run), pairs)}


def _runs() -> list[WindowTrial]:
    runs = [WindowTrial(*kind, seed, RATES[kind[0]]) for seed in SEEDS for kind in KINDS]
    return sorted(runs, key=lambda run: run.times)  # those that train longer come last


def _runs_of_rates() -> list[WindowTrial]:
    radius = {"global": 0, "local-m": TUNED_AT, "local-p": TUNED_AT}
    return [WindowTrial(name, radius[name], 1, 0, rate) for rate in RATES_TRIED for name in RATES]


EXPERIMENTS = [
    Experiment(
        "Windows and global attention: chapter 6a's counts.",
        STORED,
        _runs,
        _final,
        key=("attention", "radius", "times", "seed"),
    ),
    Experiment(
        "Each learning rate of chapter 6a's models, on validation pairs.",
        STORED_RATES,
        _runs_of_rates,
        _compare_rates,
        key=("attention", "rate"),
    ),
]
