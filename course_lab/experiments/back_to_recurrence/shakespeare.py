"""Chapter 15: four mixers read Shakespeare, each with and without a short convolution.

The same `LinearGPT`, windows and updates for all; the mixer is the one thing that differs. The loss
is measured on all characters, and apart on those that complete four letters which came earlier in
the window and are rare in the training text: the model can copy them, and hardly know them by heart
(Arora et al. 2024, *Zoology*, divide tokens in this way). The command:

    python -m course_lab.experiments back_to_recurrence/shakespeare
"""

import time
from collections import Counter
from functools import cache
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor, nn
from torch.nn import functional as F

from course_lab.experiments.gpt.shakespeare import texts
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored
from course_lib.data.characters import Windows
from course_lib.device import cpu_generator
from course_lib.models.linear_gpt import MIXERS, LinearGPT, LinearGPTConfig

LENGTH, PER_BATCH, UPDATES, WARMUP, RATE = 128, 8, 250, 25, 1e-2
SIZES = {"width": 48, "heads": 4, "layers": 2, "feed_forward": 96}
CONVOLUTIONS = (0, 4)
GRAM, RARE, JUDGED = 4, 50, 40_000
"""Letters that have to come again; how often at most in the training text; characters judged."""
SEEDS = (0, 1, 2)
STORED = Path(__file__).with_name("shakespeare.json")


class Run(NamedTuple):
    """One training: a mixer, the tokens that its convolution sees, and the seed."""

    mixer: str
    convolution: int
    seed: int


@cache
def frequent() -> frozenset[tuple[int, ...]]:
    """The runs of `GRAM` letters that the training text has more than `RARE` times."""
    ids = texts().train
    counts = Counter(zip(*(ids[i:] for i in range(GRAM)), strict=False))
    return frozenset(gram for gram, times in counts.items() if times > RARE)


def repeats(whole: Int[Tensor, "B T"]) -> Bool[Tensor, "B T"]:
    """True at the last letter of each rare run of letters that came earlier in its window."""
    marks = torch.zeros_like(whole, dtype=torch.bool)
    for row, ids in enumerate(whole.tolist()):
        seen: set[tuple[int, ...]] = set()
        for end in range(GRAM, len(ids) + 1):
            gram = tuple(ids[end - GRAM : end])
            marks[row, end - 1] = gram in seen and gram not in frequent()
            seen.add(gram)
    return marks


def train(run: Run) -> LinearGPT:
    """Train a small model; first weights and windows come from the seed."""
    own = texts()
    config = LinearGPTConfig(
        len(own.alphabet), mixer=run.mixer, convolution=run.convolution, **SIZES
    )
    model = LinearGPT(config, cpu_generator(run.seed))
    windows = Windows(own.train, length=LENGTH, per_batch=PER_BATCH, seed=run.seed)
    adam = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.98), weight_decay=0.1)
    plan = torch.optim.lr_scheduler.LambdaLR(
        adam, lambda n: min((n + 1) / WARMUP, 1.0) * (1 - 0.95 * n / UPDATES)
    )
    batches = chain.from_iterable(windows.epoch(n) for n in count())
    for batch in islice(batches, UPDATES):
        loss = F.cross_entropy(model(batch.target_in).mT, batch.target_out)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        plan.step()
    return model.eval()


@torch.no_grad()
def judged(run: Run) -> dict[str, Any]:
    """Train, and return the loss a character, on repeats and on all others."""
    begun = time.process_time()
    model, sums = train(run), {"repeats": [0.0, 0], "others": [0.0, 0]}
    for batch in Windows(texts().valid[:JUDGED], length=LENGTH, per_batch=32).sequential():
        losses = F.cross_entropy(model(batch.target_in).mT, batch.target_out, reduction="none")
        first = torch.cat([batch.target_in[:, :1], batch.target_out], 1)
        again = repeats(first)[:, 1:]
        for name, which in (("repeats", again), ("others", ~again)):
            sums[name][0] += losses[which].sum().item()
            sums[name][1] += int(which.sum())
    total, number = (sum(part) for part in zip(*sums.values(), strict=True))
    return {
        **run._asdict(),
        "parameters": sum(weight.numel() for weight in model.parameters()),
        "nats": round(total / number, 4),
        **{name: round(loss / many, 4) for name, (loss, many) in sums.items()},
        "share of repeats": round(sums["repeats"][1] / number, 4),
        "seconds": round(time.process_time() - begun),
    }


def load_records() -> dict[tuple[str, int], list[dict[str, Any]]]:
    """What was stored: by mixer and convolution a record for each seed."""
    records: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for record in load_stored(STORED):
        records.setdefault((record["mixer"], record["convolution"]), []).append(record)
    return records


EXPERIMENTS = [
    Experiment(
        "Four mixers on tiny Shakespeare, with and without a short convolution: chapter 15.",
        STORED,
        lambda: [Run(m, c, seed) for seed in SEEDS for c in CONVOLUTIONS[::-1] for m in MIXERS],
        judged,
        key=Run._fields,
        data="shakespeare",
    ),
]
