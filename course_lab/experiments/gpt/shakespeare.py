"""Chapter 14: a small GPT reads Shakespeare, a character at a time, beside nanoGPT's figures.

Text, split and budget are those of nanoGPT's read-me: at most 1,536,000 characters read, and 0.8
million parameters or fewer. No setting was chosen by the validation part, which is read at the end
alone. The command, some minutes a seed on one thread:

    python -m course_lab.experiments gpt/shakespeare
"""

import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import one_thread
from course_lib.data.characters import Characters, Windows
from course_lib.data.corpora import shakespeare
from course_lib.device import cpu_generator
from course_lib.models.gpt import GPT, GPTConfig, llama
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import language_model_loss, measure

SEEDS = (0, 1, 2)
LENGTH, PER_BATCH, STEPS, WARMUP = 128, 3, 4000, 100
"""More updates of fewer characters than nanoGPT's, and as many characters in all."""
BUDGET = 1_536_000
"""Characters that nanoGPT's run on a laptop reads: 2,000 updates of 12 windows of 64."""
NANO = {"characters": BUDGET, "parameters": 800_000, "nats": 1.88}
"""What nanoGPT's read-me says of that run."""
SIZES = {"width": 96, "heads": 4, "layers": 4, "kv_heads": 2}
RATE = 4e-3
STORED = Path(__file__).with_name("shakespeare.json")


class Texts(NamedTuple):
    """The text by characters: its alphabet, and the ids of both parts."""

    alphabet: Characters
    train: list[int]
    valid: list[int]


@cache
def texts() -> Texts:
    """Nine tenths for training, the rest for validation."""
    text = shakespeare.load()
    alphabet = Characters(text)
    return Texts(alphabet, *(alphabet.encode(part) for part in shakespeare.split(text)))


def config(alphabet: Characters, **changed: Any) -> GPTConfig:
    """The model, with what GPTs of today have."""
    return llama(len(alphabet), **SIZES | changed)


def train(
    settings: GPTConfig,
    ids: list[int],
    seed: int,
    *,
    rate: float = RATE,
    steps: int = STEPS,
) -> GPT:
    """A GPT, its first weights and its batches drawn from the seed; it ends in eval mode."""
    model = GPT(settings, cpu_generator(seed))
    plan = FitConfig(
        steps=steps,
        learning_rate=rate,
        warmup=WARMUP,
        average=0.999,
        betas=(0.9, 0.99),
        weight_decay=0.1,
        clip_norm=1.0,
    )
    windows = Windows(ids, length=LENGTH, per_batch=PER_BATCH, seed=seed)
    with one_thread():
        fit(model, windows, None, plan, progress=False, objective=language_model_loss, device="cpu")
    return model.eval()


def nats(model: GPT, ids: list[int], length: int = LENGTH) -> float:
    """Mean loss a character over a whole text, read in windows of this length without overlap."""
    feed = Windows(ids, length=length, per_batch=64).sequential()
    total, count = measure(model, feed, objective=language_model_loss)
    return round(total / count, 4)


def parameters(model: GPT) -> int:
    """How many numbers are trained."""
    return sum(weight.numel() for weight in model.parameters())


def judged(model: GPT, seed: int, seconds: float) -> dict[str, Any]:
    """What is kept of a training."""
    return {
        "variant": "GPT",
        "seed": seed,
        "parameters": parameters(model),
        "characters": STEPS * PER_BATCH * LENGTH,
        "nats": nats(model, texts().valid),
        "nats of 64": nats(model, texts().valid, 64),
        "train": nats(model, texts().train[: len(texts().valid)]),
        "seconds": round(seconds),
    }


def _run(run: Trial) -> dict[str, Any]:
    begun = time.process_time()
    model = train(config(texts().alphabet), texts().train, run.seed)
    return judged(model, run.seed, time.process_time() - begun)


def load_records() -> list[dict[str, Any]]:
    """What the command stored, one record a seed."""
    return load_stored(STORED)


EXPERIMENTS = [
    Experiment(
        "A small GPT on tiny Shakespeare: chapter 14's losses.",
        STORED,
        lambda: [Trial("GPT", seed, RATE) for seed in SEEDS],
        _run,
        data="shakespeare",
    ),
]
