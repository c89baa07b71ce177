"""Chapter 11: what is drawn by chance, more of it right or more of it different?

A language model of the German of `language.py`, all of whose sentences are known, writes sentences
under different temperatures, with the tail of the probabilities cut away or not. The command
stores what the book draws; first that by which the rate is chosen:

    python -m course_lab.experiments decoding/sampling_tuning
    python -m course_lab.experiments decoding/sampling
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch

from course_lab.experiments.decoding.language import Words, as_set, drawn
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.tokens.tokenizer import START, WordVocabulary
from course_lib.decoding.sample import sample
from course_lib.device import cpu_generator
from course_lib.models.language_model import Continuing, LanguageModel, LanguageModelConfig
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import language_model_loss, measure

VARIANT = "language model"
RATE_OF = {VARIANT: 2e-2}
"""That with the lowest loss on sentences not trained on, of it and its neighbours."""
RATES = (1e-2, 2e-2, 4e-2)
SEEDS = (0, 1, 2, 3, 4)
STEPS, WARMUP = 150, 20
TRAIN, HELD_OUT, PER_BATCH = 2_000, 300, 48
SIZES = {"width": 48, "heads": 4, "feed_forward": 96, "layers": 1}
SAMPLES, LONGEST = 500, 12
WAYS: dict[str, dict[str, float]] = {
    **{f"temperature {t:g}": {"temperature": t} for t in (0.25, 0.5, 0.75, 1.0, 1.25)},
    **{f"top-k {k}": {"top_k": k} for k in (2, 5, 10, 20)},
    **{f"top-p {p:g}": {"top_p": p} for p in (0.5, 0.8, 0.9, 0.95)},
}
"""By name what `sample` is told; temperature 1 is the model as it is."""
STORED = Path(__file__).with_name("sampling.json")
TUNING = Path(__file__).with_name("sampling_tuning.json")


@cache
def vocabulary() -> WordVocabulary:
    """Every word of the training sentences."""
    return WordVocabulary.from_sentences(sentences()[0])


@cache
def sentences() -> tuple[list[Words], list[Words]]:
    """Sentences to train on, and others to choose the rate by."""
    both = drawn(TRAIN + HELD_OUT, 0)
    return both[:TRAIN], both[TRAIN:]


def batches(lines: Sequence[Words], **how: Any) -> Batches:
    """Of one language: the other side holds START alone."""
    encoded = [EncodedPair([START], vocabulary().encode(line).ids) for line in lines]
    return Batches(encoded, pairs_per_batch=PER_BATCH, **how)


def train(seed: int, learning_rate: float = RATE_OF[VARIANT], steps: int = STEPS) -> LanguageModel:
    """A language model, its first weights drawn from the seed; it ends in eval mode."""
    config = LanguageModelConfig(len(vocabulary()), **SIZES)
    model = LanguageModel(config, cpu_generator(seed))
    plan = FitConfig(
        steps=steps,
        learning_rate=learning_rate,
        schedule="cosine",
        warmup=WARMUP,
        betas=(0.9, 0.98),
        clip_norm=1.0,
    )
    feed = batches(sentences()[0])
    fit(model, feed, None, plan, progress=False, objective=language_model_loss, device="cpu")
    return model.eval()


def written(
    model: LanguageModel, count: int, generator: torch.Generator, **how: Any
) -> list[Words]:
    """So many sentences out of nothing; one that did not end holds what there was of it."""
    source = torch.full((count, 1), START)
    samples = sample(
        Continuing(model),
        source,
        torch.ones_like(source, dtype=torch.bool),
        generator=generator,
        max_length=LONGEST,
        **how,
    )
    return [tuple(vocabulary().decode(ids).split()) for ids in samples.ids]


def judged(lines: Sequence[Words]) -> dict[str, float]:
    """Shares of the lines: "right", sentences of the language; "different" from one another;
    "new", right, different and none of those trained on."""
    right = [line for line in lines if line in as_set()]
    new = set(right) - set(sentences()[0])
    shares = {"right": len(right), "different": len(set(lines)), "new": len(new)}
    return {name: round(count / len(lines), 4) for name, count in shares.items()}


def _nats(model: LanguageModel) -> float:
    feed = batches(sentences()[1], shuffle=False)
    total, tokens = measure(model, feed.sequential(), objective=language_model_loss)
    return round(total / tokens, 4)


def _tuned(run: Trial) -> dict[str, Any]:
    nats = _nats(train(run.seed, run.learning_rate))
    return {"variant": run.variant, "learning_rate": run.learning_rate, "nats": nats}


def _judged(run: Trial) -> dict[str, Any]:
    model = train(run.seed, run.learning_rate)
    ways = {
        name: judged(written(model, SAMPLES, cpu_generator(run.seed), **how))
        for name, how in WAYS.items()
    }
    return {"variant": run.variant, "seed": run.seed, "nats": _nats(model), "ways": ways}


def load_ways() -> dict[str, list[dict[str, float]]]:
    """What the command stored, by way of drawing: one record of shares a seed."""
    runs = load_stored(STORED)
    return {name: [run["ways"][name] for run in runs] for name in WAYS}


EXPERIMENTS = [
    Experiment(
        "Drawing sentences by chance: chapter 11's runs.",
        STORED,
        lambda: planned(RATE_OF, list(RATE_OF), SEEDS),
        _judged,
    ),
    tuning(
        "The learning rate of chapter 11's language model.",
        TUNING,
        RATE_OF,
        RATES,
        SEEDS[0],
        _tuned,
    ),
]
