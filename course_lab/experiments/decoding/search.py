"""Chapter 11: does a wider beam find a likelier sentence, and is that one a better translation?

One small Transformer, looked at three times while it trains: unsure, fairly sure and sure of what
it writes. Each time it is searched by beams of four widths, with length penalties, and exactly, so
that an error of the search can be told from an error of the model. The command stores what the
book draws; first that by which the rate is chosen:

    python -m course_lab.experiments decoding/search_tuning
    python -m course_lab.experiments decoding/search
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import World, batch_of, make_world, vocabulary_sizes
from course_lib.data.batch import Batch, Batches, encode_pairs
from course_lib.data.pairs import AlignedPair
from course_lib.decoding.beam import Hypothesis, beam_hypotheses
from course_lib.decoding.exact import most_probable
from course_lib.device import cpu_generator
from course_lib.evaluation.teacher_forcing import teacher_forced
from course_lib.models.transformer import Transformer, TransformerConfig
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit

MIN_WORDS, MAX_WORDS = 4, 8
STAGES = {"80 updates": 80, "140 updates": 60, "400 updates": 260}
"""When the model is looked at, and by how many updates that is later than the time before."""
VARIANT = "Transformer"
RATE_OF = {VARIANT: 1e-2}
"""Of it and its neighbours none has a loss on validation pairs, after the last stage, that is lower
by more than 0.001 nats."""
RATES = (5e-3, 1e-2, 2e-2)
SEEDS = (0, 1, 2, 3, 4)
BEAMS = (1, 2, 4, 8)
ALPHAS = (0.0, 0.6, 1.0, 2.0)
ALPHA_BEAMS = 4
"""Width of the beam under which length penalties are compared."""
SIZES = {"width": 48, "heads": 4, "feed_forward": 96, "layers": 1}
TOKENS, WARMUP = 500, 30
HELD_OUT = 150
SAME = 1e-3
"""Nats: two searches whose sentences differ by less have found sentences of one probability."""
STORED = Path(__file__).with_name("search.json")
TUNING = Path(__file__).with_name("search_tuning.json")


class Found(NamedTuple):
    """What a search wrote for each test sentence.

    Attributes:
        ids: the tokens, END not among them.
        log_probability: of them and END; minus infinity for a sentence that never ended.
    """

    ids: list[list[int]]
    log_probability: list[float]


@cache
def the_world() -> World:
    """3,000 training pairs of 4 to 8 English words; 150 each to choose by and to judge by."""
    return make_world(3_000, HELD_OUT, min_words=MIN_WORDS, max_words=MAX_WORDS)


def make_model(world: World, seed: int) -> Transformer:
    """The translator, its first weights drawn from the seed."""
    config = TransformerConfig(**SIZES, **vocabulary_sizes(world.tokenizers))
    return Transformer(config, cpu_generator(seed))


def train(model: Transformer, world: World, steps: int, learning_rate: float) -> None:
    """So many more updates on sentences of all lengths; the model ends in eval mode."""
    config = FitConfig(
        steps=steps,
        learning_rate=learning_rate,
        schedule="cosine",
        warmup=WARMUP,
        betas=(0.9, 0.98),
        clip_norm=1.0,
    )
    encoded = encode_pairs(world.train, *world.tokenizers)
    batches = Batches(encoded, tokens_per_batch=TOKENS, bucket_by="source")
    fit(model, batches, None, config, progress=False, device="cpu")
    model.eval()


def searched(
    model: Transformer, batch: Batch, *, beams: int, alpha: float = 0.0, longest: int
) -> Found:
    """The sentences that a beam finds; those of one beam are greedy search's."""
    ranked = beam_hypotheses(
        model, batch.source, batch.source_mask, beams=beams, alpha=alpha, max_length=longest
    )
    return found_of([hypotheses[0] for hypotheses in ranked])


def found_of(best: Sequence[Hypothesis | None]) -> Found:
    """Of one hypothesis a sentence; None is an empty sentence of no probability."""
    nothing = Hypothesis([], float("-inf"), float("-inf"), False, None)
    hypotheses = [h or nothing for h in best]
    return Found(
        [h.ids for h in hypotheses],
        [h.log_probability if h.finished else float("-inf") for h in hypotheses],
    )


def judged(model: Transformer, pairs: Sequence[AlignedPair], world: World) -> dict[str, Any]:
    """What each search finds on these pairs, as shares of the sentences.

    Returns:
        "beams": by width "exact" (as the grammar has it), "likeliest" (as probable as the most
        probable sentence of all, of those where exact search came to an end), "length" (words
        written over words of the true translations), "gained" and "lost" (right, where greedy
        search is wrong; wrong, where it is right); "alphas": by penalty "exact" and "length";
        "best": "exact" and "length" of the most probable sentences, and "known", the share of
        sentences for which exact search came to an end.
    """
    batch = batch_of(pairs, world.tokenizers)
    longest = 2 * max(len(pair.target) for pair in pairs)
    true = [world.tokenizers[1].encode(pair.target).ids for pair in pairs]
    source = (batch.source, batch.source_mask)
    best = found_of(most_probable(model, *source, max_length=longest))
    known = [i for i, p in enumerate(best.log_probability) if p > float("-inf")]
    beams = {n: searched(model, batch, beams=n, longest=longest) for n in BEAMS}
    alphas = {
        alpha: searched(model, batch, beams=ALPHA_BEAMS, alpha=alpha, longest=longest)
        for alpha in ALPHAS
    }

    def right(search: Found) -> list[bool]:
        return [ids == wanted for ids, wanted in zip(search.ids, true, strict=True)]

    def length(search: Found, rows: Sequence[int]) -> float:
        words = sum(len(search.ids[i]) for i in rows)
        return round(words / sum(len(true[i]) for i in rows), 4)

    greedy, everything = right(beams[1]), range(len(true))
    return {
        "beams": {
            str(n): {
                "exact": _share(right(search)),
                "likeliest": _share(
                    [search.log_probability[i] > best.log_probability[i] - SAME for i in known]
                ),
                "length": length(search, everything),
                "gained": _share([a and not b for a, b in zip(right(search), greedy, strict=True)]),
                "lost": _share([b and not a for a, b in zip(right(search), greedy, strict=True)]),
            }
            for n, search in beams.items()
        },
        "alphas": {
            str(alpha): {"exact": _share(right(search)), "length": length(search, everything)}
            for alpha, search in alphas.items()
        },
        "best": {
            "exact": _share([right(best)[i] for i in known]),
            "length": length(best, known),
            "known": round(len(known) / len(true), 4),
        },
    }


def _share(rows: Sequence[bool]) -> float:
    return round(sum(rows) / len(rows), 4)


def stages(
    seed: int, world: World, learning_rate: float = RATE_OF[VARIANT]
) -> Iterator[tuple[str, Transformer]]:
    """The model at each stage of its training: one and the same, so look before asking for more."""
    model = make_model(world, seed)
    for name, steps in STAGES.items():
        train(model, world, steps, learning_rate)
        yield name, model


def _nats(model: Transformer, pairs: Sequence[AlignedPair]) -> float:
    encoded = encode_pairs(pairs, *the_world().tokenizers)
    whole = Batches(encoded, pairs_per_batch=100, shuffle=False)
    return round(teacher_forced(model, whole).nats, 4)


def _tuned(run: Trial) -> dict[str, Any]:
    """The loss on the validation pairs; the test pairs are not looked at."""
    for _, model in stages(run.seed, the_world(), run.learning_rate):
        nats = _nats(model, the_world().valid)
    return {"variant": run.variant, "learning_rate": run.learning_rate, "nats": nats}


def _judged(run: Trial) -> dict[str, Any]:
    world = the_world()
    scores = {
        name: {"nats": _nats(model, world.test), **judged(model, world.test, world)}
        for name, model in stages(run.seed, world, run.learning_rate)
    }
    return {"variant": run.variant, "seed": run.seed, "stages": scores}


def load_stages() -> dict[str, list[dict[str, Any]]]:
    """What the command stored, by stage: one record a seed."""
    runs = load_stored(STORED)
    return {name: [run["stages"][name] for run in runs] for name in STAGES}


EXPERIMENTS = [
    Experiment(
        "Does a wider beam write better sentences: chapter 11's runs.",
        STORED,
        lambda: planned(RATE_OF, list(RATE_OF), SEEDS),
        _judged,
    ),
    tuning(
        "The learning rate of chapter 11's Transformer.",
        TUNING,
        RATE_OF,
        RATES,
        SEEDS[0],
        _tuned,
    ),
]
