"""Chapter 15: four mixers read Shakespeare, each with and without a short convolution.

The same `LinearGPT`, text and number of updates for all; the mixer and the convolution are what
differs. The loss is measured on all characters, and apart on *pairs*: three letters and the letter
that follows them, where these four are rare in the training text, so that the model hardly knows
them by heart. Some pairs came earlier in the window and could be recalled, the others are new
(Arora et al. 2024, *Zoology*, divide the tokens of a text in this way). The commands:

    python -m course_lab.experiments back_to_recurrence/shakespeare
    python -m course_lab.experiments back_to_recurrence/shakespeare_tuning
"""

import time
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn import functional as F

from course_lab.experiments.gpt.shakespeare import parameters, texts
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lib.data.characters import Windows
from course_lib.device import cpu_generator
from course_lib.models.linear_gpt import MIXERS, LinearGPT, LinearGPTConfig
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import language_model_loss, measure

LENGTH, PER_BATCH, UPDATES, WARMUP = 128, 4, 1000, 50
SIZES = {"width": 64, "heads": 4, "layers": 2, "feed_forward": 128}
VARIANTS = {
    mixer + (", convolution" if convolution else ""): (mixer, convolution)
    for convolution in (0, 4)
    for mixer in MIXERS
}
"""Mixer, and how many tokens the convolution before it sees."""
LONGER = {
    f"{name}, longer": name
    for name in ("softmax, convolution", "linear, convolution", "delta, convolution")
}
"""Trained `TIMES` as long with one seed, all at a rate of 1e-2."""
TIMES = 4
LADDER = (2.5e-3, 5e-3, 1e-2, 2e-2, 4e-2, 8e-2)
RATES = dict.fromkeys([*VARIANTS, *LONGER], 1e-2)
RATES |= {"linear": 5e-3, "decay, convolution": 4e-2, "delta, convolution": 2e-2}
HELD_OUT = 50_000
"""Characters at the end of the training text that choose the learning rate."""
GRAM, RARE = 4, 50
"""Letters of a pair; how often the training text has a rare one at most."""
SEEDS = (0, 1, 2)
STORED = Path(__file__).with_name("shakespeare.json")
TUNING = Path(__file__).with_name("shakespeare_tuning.json")


@cache
def frequent() -> frozenset[tuple[int, ...]]:
    """The runs of `GRAM` letters that the training text has more than `RARE` times."""
    ids = texts().train
    counts = Counter(zip(*(ids[i:] for i in range(GRAM)), strict=False))
    return frozenset(gram for gram, times in counts.items() if times > RARE)


def kinds(ids: Int[Tensor, "B T"], common: frozenset[tuple[int, ...]]) -> Int[Tensor, "B T"]:
    """1 where a rare pair ends that is new in its row, 2 where it came earlier, 0 elsewhere."""
    found = torch.zeros_like(ids)
    for row, letters in enumerate(ids.tolist()):
        seen: set[tuple[int, ...]] = set()
        for end in range(GRAM, len(letters) + 1):
            gram = tuple(letters[end - GRAM : end])
            if gram not in common:
                found[row, end - 1] = 1 + (gram in seen)
            seen.add(gram)
    return found


def train(run: Trial) -> LinearGPT:
    """Train a small model; first weights and windows come from the seed."""
    own, (mixer, convolution) = texts(), VARIANTS[LONGER.get(run.variant, run.variant)]
    config = LinearGPTConfig(len(own.alphabet), mixer=mixer, convolution=convolution, **SIZES)
    model = LinearGPT(config, cpu_generator(run.seed))
    plan = FitConfig(
        steps=UPDATES * (TIMES if run.variant in LONGER else 1),
        learning_rate=run.learning_rate,
        schedule="cosine",
        warmup=WARMUP,
        betas=(0.9, 0.98),
        weight_decay=0.1,
    )
    feed = Windows(own.train[:-HELD_OUT], length=LENGTH, per_batch=PER_BATCH, seed=run.seed)
    fit(model, feed, None, plan, progress=False, objective=language_model_loss, device="cpu")
    return model.eval()


@torch.no_grad()
def losses(model: LinearGPT) -> dict[str, Any]:
    """Nats a character on the validation text: of all, and of the ends of rare pairs."""
    sums, counts = torch.zeros(3, dtype=torch.double), torch.zeros(3, dtype=torch.long)
    for batch in Windows(texts().valid, length=LENGTH, per_batch=32).sequential():
        loss = F.cross_entropy(model(batch.target_in).mT, batch.target_out, reduction="none")
        kind = kinds(torch.cat([batch.target_in[:, :1], batch.target_out], 1), frequent())[:, 1:]
        sums += kind.flatten().bincount(loss.flatten().double(), minlength=3)
        counts += kind.flatten().bincount(minlength=3)
    _, new, recalled = (sums / counts).tolist()
    return {
        "nats": round(float(sums.sum() / counts.sum()), 4),
        "recalled": round(recalled, 4),
        "new": round(new, 4),
        "counts": {"recalled": int(counts[2]), "new": int(counts[1])},
    }


def judged(run: Trial) -> dict[str, Any]:
    """What is kept of a training."""
    begun = time.process_time()
    model = train(run)
    return {
        **run._asdict(),
        "parameters": parameters(model),
        **losses(model),
        "seconds": round(time.process_time() - begun),
    }


def tuned(run: Trial) -> dict[str, Any]:
    """The loss on the held-out end of the training text."""
    held_out = Windows(texts().train[-HELD_OUT:], length=LENGTH, per_batch=32).sequential()
    total, count = measure(train(run), held_out, objective=language_model_loss)
    return {**run._asdict(), "nats": round(total / count, 4)}


def runs() -> list[Trial]:
    """All seeds of each variant, and one of those that are trained longer."""
    return planned(RATES, list(VARIANTS), SEEDS) + planned(RATES, list(LONGER), SEEDS[:1])


def load_records() -> dict[str, list[dict[str, Any]]]:
    """What was stored: of each variant a record for each seed."""
    stored = load_stored(STORED)
    return {name: [one for one in stored if one["variant"] == name] for name in RATES}


EXPERIMENTS = [
    Experiment(
        "Four mixers on tiny Shakespeare, with and without a short convolution: chapter 15.",
        STORED,
        runs,
        judged,
        data="shakespeare",
    ),
    tuning(
        "The learning rates of chapter 15's mixers.",
        TUNING,
        RATES,
        LADDER,
        SEEDS[0],
        tuned,
        twins=LONGER,
        data="shakespeare",
    ),
]
