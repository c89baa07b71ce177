"""The experiment of chapter 10: a Transformer and Bahdanau's model on one budget.

Chapter 4's mini-world, its sentences shorter. Both have about as many parameters and see the same
pairs in the same order, for as many updates; each has a twin that trains for longer. They are
judged by sentences as long as those of training, by longer ones, by combinations of words that
training never shows, and by how well their attention finds the grammar's links. The command
stores what the book draws; first that by which the rates are chosen:

    python -m course_lab.experiments transformer/peers_tuning
    python -m course_lab.experiments transformer/peers
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from course_lab.experiments.lab import world as shared
from course_lab.experiments.lab.bins import counts_of, together, with_counts
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lib.alignment.error_rate import alignment_error_rate
from course_lib.alignment.ibm1 import IBMModel1
from course_lib.data.batch import Batches, encode_pairs
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import AlignedPair, Link, sides
from course_lib.device import cpu_generator
from course_lib.evaluation.alignment import attention_error_rate
from course_lib.evaluation.length import Bin
from course_lib.evaluation.teacher_forcing import forced_attention, teacher_forced
from course_lib.models.bahdanau import Bahdanau, BahdanauConfig
from course_lib.models.protocol import EncoderDecoder
from course_lib.models.transformer import Transformer, TransformerConfig
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit

SHORTEST, LONGEST, BEYOND = 4, 14, 22
"""English words of the shortest and the longest training sentence, and of the longest judged."""
EDGES = (4, 8, 12, LONGEST + 1, 19, BEYOND + 1)
SEEDS = (0, 1, 2, 3, 4)
RATES = (1.25e-3, 2.5e-3, 5e-3, 1e-2, 2e-2, 4e-2)
STEPS, WARMUP, TOKENS = 300, 30, 800
LONGER = 4
"""How many times as many updates a twin has."""
LINKED = 200
"""So many test pairs for alignment error rates."""
SHIFTS = (-1, 0, 1)
STORED = Path(__file__).with_name("peers.json")
TUNING = Path(__file__).with_name("peers_tuning.json")
TRANSFORMER = {"width": 64, "heads": 4, "feed_forward": 128, "layers": 2}
BAHDANAU = {"embedding": 48, "hidden": 72, "alignment": 48}
MODELS = {"transformer": (Transformer, TransformerConfig), "bahdanau": (Bahdanau, BahdanauConfig)}


@dataclass(frozen=True)
class PeerVariant:
    """One model of a comparison.

    Attributes:
        model: a key of `MODELS`.
        settings: of its configuration, besides the vocabularies.
        learning_rate: better on the validation pairs than its two neighbours in `RATES`.
        times: how many times `STEPS` it is trained.
        warmup: updates over which the learning rate rises.
    """

    model: str
    settings: dict[str, Any] = field(hash=False)
    learning_rate: float
    times: int = 1
    warmup: int = WARMUP


VARIANTS = {
    "Transformer": PeerVariant("transformer", TRANSFORMER, 5e-3),
    "Bahdanau": PeerVariant("bahdanau", BAHDANAU, 2e-2),
    "Transformer, longer": PeerVariant("transformer", TRANSFORMER, 5e-3, LONGER),
    "Bahdanau, longer": PeerVariant("bahdanau", BAHDANAU, 1e-2, LONGER),
}
MODELS_SHOWN = ("Transformer", "Bahdanau")
TWINS = ("Transformer, longer", "Bahdanau, longer")
"""Longer runs, whose rates are compared with their neighbours like all others."""


@dataclass(frozen=True)
class PeerWorld(shared.World):
    """The sentences of the experiment.

    Attributes:
        beyond: pairs with more words than any of training.
        compositional: pairs as long as in training, each with a combination of words that training
            never shows.
    """

    beyond: list[AlignedPair]
    compositional: list[AlignedPair]


@cache
def make_world(train: int = 8000, held_out: int = 400) -> PeerWorld:
    """English to German in the tiny mini-world."""
    plain = shared.make_world(train, held_out, min_words=SHORTEST, max_words=LONGEST)

    def sample(split: str, low: int, high: int) -> list[AlignedPair]:
        return grammar.sample(
            split, held_out, seed=1, min_words=low, max_words=high, vocabulary="tiny"
        )

    return PeerWorld(
        plain.train,
        plain.valid,
        plain.test,
        plain.tokenizers,
        sample("test", LONGEST + 1, BEYOND),
        sample("compositional", SHORTEST, LONGEST),
    )


def make_model(variant: PeerVariant, world: shared.World, seed: int) -> EncoderDecoder:
    """A variant's model, its first weights drawn from the seed."""
    model, config = MODELS[variant.model]
    sizes = shared.vocabulary_sizes(world.tokenizers)
    return model(config(**variant.settings, **sizes), cpu_generator(seed))


def batches(world: shared.World) -> Batches:
    """The training batches, the same for every model and seed."""
    encoded = encode_pairs(world.train, *world.tokenizers)
    return Batches(encoded, tokens_per_batch=TOKENS, bucket_by="source")


def fit_config(
    variant: PeerVariant, rate: float | None = None, times: int | None = None
) -> FitConfig:
    """How a variant is trained: a linear rise of the learning rate, then a fall to zero."""
    return FitConfig(
        steps=STEPS * (variant.times if times is None else times),
        learning_rate=variant.learning_rate if rate is None else rate,
        schedule="cosine",
        warmup=variant.warmup,
        betas=(0.9, 0.98),
        clip_norm=1.0,
    )


def train(
    variant: PeerVariant, seed: int, world: shared.World, *, rate: float | None = None
) -> EncoderDecoder:
    """Makes a variant's model and trains it; it ends in eval mode."""
    model = make_model(variant, world, seed)
    config = fit_config(variant, rate)
    if fit(model, batches(world), None, config, progress=False, device="cpu").interrupted:
        raise KeyboardInterrupt  # a half-trained model must not pass for a trained one
    return model.eval()


def length_curve(model: EncoderDecoder, world: PeerWorld) -> list[Bin]:
    """Exact match of greedy translations by source length, trained lengths and beyond."""
    return shared.length_bins(model, world.test + world.beyond, world.tokenizers, EDGES)


def exact_match(model: EncoderDecoder, pairs: Sequence[AlignedPair], world: shared.World) -> float:
    """The share of these pairs that greedy search translates word for word."""
    lengths = [len(pair.source) for pair in pairs]
    edges = (min(lengths), max(lengths) + 1)
    (longest,) = shared.length_bins(model, pairs, world.tokenizers, edges)
    return longest.exact


def head_maps(
    model: Transformer, pairs: Sequence[AlignedPair], world: shared.World
) -> dict[tuple[int, int], list[Float[Tensor, "_ _"]]]:
    """What each head of cross-attention looks at while the model reads the true translations.

    Returns:
        by (layer, head) for each pair a map (target words, source words and the end mark).
    """
    batch = shared.batch_of(pairs, world.tokenizers)
    with torch.inference_mode():
        looks = model.attention_maps(batch.source, batch.source_mask, batch.target_in)
    return {
        (n, h): [
            layer[i, h, : len(pair.target), : len(pair.source) + 1] for i, pair in enumerate(pairs)
        ]
        for n, layer in enumerate(looks.cross)
        for h in range(layer.shape[1])
    }


def head_error_rates(
    model: Transformer, pairs: Sequence[AlignedPair], world: shared.World
) -> dict[tuple[int, int], float]:
    """Alignment error rate of each head of cross-attention, by (layer, head)."""
    maps_by_head = head_maps(model, pairs, world)
    return {head: attention_error_rate(maps, pairs) for head, maps in maps_by_head.items()}


def error_rates(model: EncoderDecoder, world: PeerWorld) -> dict[str, Any]:
    """Alignment error rates of a model's attention on test pairs.

    Returns:
        "rows": of the map that `step` gives (the mean of the last layer's heads), read one row too
        early, as it is, and one too late; of a Transformer also "head", the rate of the head that
        is best on validation pairs, and "which", its layer and place, both from 0.
    """
    test = world.test[:LINKED]
    maps = forced_attention(model, test, *world.tokenizers)
    rows = [round(attention_error_rate(maps, test, shift=shift), 4) for shift in SHIFTS]
    if not isinstance(model, Transformer):
        return {"rows": rows}
    valid = head_error_rates(model, world.valid[:LINKED], world)
    best = min(valid, key=valid.get)
    rate = head_error_rates(model, test, world)[best]
    return {"rows": rows, "head": round(rate, 4), "which": list(best)}


def floors(world: PeerWorld) -> dict[str, float]:
    """Alignment error rates on the same test pairs of two aligners that read no attention.

    Returns:
        "the diagonal", which links each word to the one at the same relative place, and "IBM
        Model 1" (chapter 3) after five iterations on the training pairs.
    """
    test = world.test[:LINKED]
    sure, possible = [pair.sure for pair in test], [pair.possible for pair in test]
    model = IBMModel1.fit([sides(pair) for pair in world.train], iterations=5)
    links_by_name = {
        "the diagonal": [_diagonal(len(pair.source), len(pair.target)) for pair in test],
        "IBM Model 1": [model.align(*sides(pair)) for pair in test],
    }
    return {
        name: alignment_error_rate(links, sure, possible) for name, links in links_by_name.items()
    }


def _diagonal(source: int, target: int) -> set[Link]:
    slope = (source - 1) / max(1, target - 1)
    return {(round(j * slope), j) for j in range(target)}


def _tune(run: Trial) -> dict[str, Any]:
    world = make_world()
    model = train(VARIANTS[run.variant], run.seed, world, rate=run.learning_rate)
    return {**run._asdict(), **validated(model, world)}


def validated(model: EncoderDecoder, world: shared.World) -> dict[str, float]:
    """What a setting is judged by: loss a token and exact match on the validation pairs."""
    encoded = encode_pairs(world.valid, *world.tokenizers)
    nats = teacher_forced(model, Batches(encoded, tokens_per_batch=4 * TOKENS)).nats
    return {"nats": round(nats, 4), "exact": round(exact_match(model, world.valid, world), 4)}


def _judge(run: Trial) -> dict[str, Any]:
    world = make_world()
    begun = time.process_time()
    model = train(VARIANTS[run.variant], run.seed, world)
    seconds = time.process_time() - begun
    return {
        "variant": run.variant,
        "seed": run.seed,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "seconds": round(seconds, 1),
        "bins": counts_of(length_curve(model, world)),
        "compositional": round(exact_match(model, world.compositional, world), 4),
        **error_rates(model, world),
    }


def load_records() -> dict[str, list[dict[str, Any]]]:
    """What the command stored: for each variant one record a seed.

    Besides the bins a record has the shares "trained" and "beyond" of all bins on either side.
    """
    by_variant: dict[str, list[dict[str, Any]]] = {name: [] for name in VARIANTS}
    for record in map(with_counts, load_stored(STORED)):
        inside = [counts for counts in record["bins"] if counts.high <= LONGEST]
        outside = [counts for counts in record["bins"] if counts.high > LONGEST]
        shares = {"trained": together(inside).rate, "beyond": together(outside).rate}
        by_variant[record["variant"]].append({**record, **shares})
    return by_variant


def load_tuning(path: Path = TUNING) -> dict[str, dict[float, float]]:
    """Validation loss by learning rate for each variant."""
    by_variant: dict[str, dict[float, float]] = {}
    for record in load_stored(path):
        by_variant.setdefault(record["variant"], {})[record["learning_rate"]] = record["nats"]
    return by_variant


_RATES_CHOSEN = {name: variant.learning_rate for name, variant in VARIANTS.items()}
EXPERIMENTS = [
    Experiment(
        "A Transformer and Bahdanau's model on one budget: chapter 10's runs.",
        STORED,
        lambda: planned(_RATES_CHOSEN, list(_RATES_CHOSEN), SEEDS),
        _judge,
    ),
    tuning(
        "The learning rates of chapter 10's models.",
        TUNING,
        _RATES_CHOSEN,
        RATES,
        SEEDS[0],
        _tune,
    ),
]
