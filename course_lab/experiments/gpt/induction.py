"""Chapter 14: a head that copies, found by where it looks and switched off by its mean.

A GPT of two layers reads lines in which a string of different symbols comes again and again. The
strings are drawn at random and have any of many lengths, so that nothing but the line itself says
what comes next. The commands, a few minutes:

    python -m course_lab.experiments gpt/induction
    python -m course_lab.experiments gpt/copier
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from course_lab.experiments.lab.experiment import Artifact, Experiment
from course_lab.experiments.lab.page_net import load_net, save_net
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import one_thread
from course_lib.data.batch_source import GeneratedBatches
from course_lib.data.characters import TextBatch
from course_lib.data.tokens.tokenizer import SPECIALS
from course_lib.device import cpu_generator
from course_lib.models.gpt import GPT, llama
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import language_model_loss

SYMBOLS, LENGTH = 20, 24
SHORTEST, LONGEST = 5, 12
"""Symbols of a string; the measured lines have the longest, which comes twice."""
SEEDS = (0, 1, 2)
STEPS, PER_BATCH, JUDGED = 1000, 48, 256
CONFIG = llama(len(SPECIALS) + SYMBOLS, width=48, heads=2, layers=2, kv_heads=2)
STORED = Path(__file__).with_name("induction.json")
COPIER = Path(__file__).with_name("copier.safetensors")
COPIES = 0.3
"""A head copies if it gives more than this to the place where a copy is found."""
Head = tuple[int, int]
"""Layer and head, from 0."""


class Copying(NamedTuple):
    """One training: its seed and its updates."""

    seed: int
    steps: int


def lines(
    count: int, generator: torch.Generator, repeats: int | None = None
) -> Int[Tensor, "B 25"]:
    """Lines of 25 symbols: a string of different ones, then the same string until the end.

    Args:
        count: B.
        generator: draws strings and their lengths.
        repeats: the length of all strings; by default each has its own.
    """
    texts = []
    for _ in range(count):
        size = repeats or int(torch.randint(SHORTEST, LONGEST + 1, (), generator=generator))
        string = len(SPECIALS) + torch.randperm(SYMBOLS, generator=generator)[:size]
        texts.append(string.repeat(LENGTH // size + 2)[: LENGTH + 1])
    return torch.stack(texts)


def _batch(generator: torch.Generator) -> TextBatch:
    drawn = lines(PER_BATCH, generator)
    there = torch.ones(PER_BATCH, LENGTH, dtype=torch.bool)
    return TextBatch(drawn[:, :-1], drawn[:, 1:], there, there.numel())


def train(seed: int, steps: int = STEPS) -> GPT:
    """The network, in eval mode."""
    model = GPT(CONFIG, cpu_generator(seed))
    plan = FitConfig(
        steps=steps, learning_rate=6e-3, schedule="cosine", warmup=50, betas=(0.9, 0.98)
    )
    feed = GeneratedBatches(_batch, batches=steps, seed=seed)
    with one_thread():
        fit(model, feed, None, plan, progress=False, objective=language_model_loss, device="cpu")
    return model.eval()


def halves(model: GPT, drawn: Int[Tensor, "B 25"]) -> tuple[float, float]:
    """Nats a symbol while the string is new, and when it comes again."""
    with torch.inference_mode():
        log_p = model(drawn[:, :-1]).log_softmax(-1)
    loss = -log_p.gather(-1, drawn[:, 1:, None])[..., 0].mean(0)
    # The first symbol of the second string is predicted by the last one of the first.
    return loss[: LONGEST - 1].mean().item(), loss[LONGEST:].mean().item()


def looks(
    model: GPT, drawn: Int[Tensor, "B 25"], back: int, first: int = LONGEST
) -> dict[Head, float]:
    """How much of its attention each head gives to the symbol so many places before, in the mean.

    Args:
        model: the network.
        drawn: lines, as `lines` draws them.
        back: 1 for the symbol before. A copy of 12 is found 11 places before: there is what came
            after the same symbol.
        first: the first place that counts.
    """
    with torch.inference_mode():
        maps = model.attention_maps(drawn[:, :-1])
    return {
        (layer, head): weights[:, head].diagonal(-back, 1, 2)[:, first - back :].mean().item()
        for layer, weights in enumerate(maps)
        for head in range(weights.shape[1])
    }


def mean_reads(model: GPT, drawn: Int[Tensor, "B T"]) -> list[Float[Tensor, " W"]]:
    """What all heads of each layer read, in the mean over lines and places: input of W^O."""
    kept: list[Tensor] = []
    handles = [
        layer.self_attention.output.register_forward_pre_hook(
            lambda _, inputs: kept.append(inputs[0].mean((0, 1)))
        )
        for layer in model.layers
    ]
    with torch.inference_mode():
        model(drawn)
    for handle in handles:
        handle.remove()
    return kept


@contextmanager
def without(model: GPT, heads: Collection[Head], means: list[Float[Tensor, " W"]]) -> Iterator[GPT]:
    """Inside, these heads read the same at every place: their mean, of `mean_reads`."""
    handles = []
    for layer, number in heads:
        attention = model.layers[layer].self_attention
        silence = _silence(attention.columns(number), means[layer])
        handles.append(attention.output.register_forward_pre_hook(silence))
    try:
        yield model
    finally:
        for handle in handles:
            handle.remove()


def _silence(columns: slice, mean: Tensor) -> Callable[..., tuple[Tensor]]:
    def hook(_: Any, inputs: tuple[Tensor]) -> tuple[Tensor]:
        read = inputs[0].clone()
        read[..., columns] = mean[columns]
        return (read,)

    return hook


def judged(model: GPT, seed: int) -> dict[str, Any]:
    """Where its heads look, and what the second half costs without each of them."""
    drawn = lines(JUDGED, cpu_generator(1000 + seed), LONGEST)
    means = mean_reads(model, drawn[:, :-1])
    copies = looks(model, drawn, LONGEST - 1)
    before = looks(model, drawn, 1)
    first, second = halves(model, drawn)
    cost = {}
    for head in copies:
        with without(model, [head], means):
            cost[head] = halves(model, drawn)
    copying = [head for head, look in copies.items() if look > COPIES]
    with without(model, copying, means):
        none_left = halves(model, drawn)[1]
    return {
        "seed": seed,
        "first": round(first, 3),
        "second": round(second, 3),
        "without all that copy": round(none_left, 3),
        "heads": [
            {
                "head": list(head),
                "copies": round(copies[head], 3),
                "before": round(before[head], 3),
                "first": round(cost[head][0], 3),
                "second": round(cost[head][1], 3),
            }
            for head in copies
        ],
    }


def _run(run: Copying) -> dict[str, Any]:
    return judged(train(run.seed, run.steps), run.seed) | {"steps": run.steps}


def save_to(path: Path, seed: int) -> None:
    """Trains the network of the chapter's cells and writes it."""
    save_net(path, train(seed).state_dict())


def load(path: Path = COPIER) -> GPT:
    """The stored network, in single precision."""
    weights, _ = load_net(path)
    model = GPT(CONFIG)
    model.load_state_dict(weights)
    return model.eval()


def load_records() -> list[Mapping[str, Any]]:
    """What the command stored: a record a seed, and the third seed trained twice as long."""
    return load_stored(STORED)


EXPERIMENTS = [
    Experiment(
        "A head that copies, with and without: chapter 14's figures.",
        STORED,
        lambda: [*(Copying(seed, STEPS) for seed in SEEDS), Copying(2, 2 * STEPS)],
        _run,
        key=("seed", "steps"),
    ),
    Artifact("The network of chapter 14 that copies.", COPIER, save_to),
]
