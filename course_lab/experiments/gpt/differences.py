"""Chapter 14: what GPTs of today changed, one thing at a time, and what each change is worth.

Each variant is the GPT-2 of `shakespeare.py`'s size with one change, trained for 200 updates
on the same windows. The second file holds times of one training step, as ratios of medians: in each
round every variant makes one step, so that a busy machine is as busy for all. The commands:

    python -m course_lab.experiments gpt/differences
    python -m course_lab.experiments gpt/steps
"""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

import torch

from course_lab.experiments.gpt import shakespeare
from course_lab.experiments.lab.experiment import Artifact, Experiment
from course_lab.experiments.lab.rates import Trial, planned
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import one_thread
from course_lib.device import cpu_generator
from course_lib.files import atomic_write
from course_lib.models.gpt import GPT, GPTConfig, cache_bytes, gpt2
from course_lib.training.objective import summed_loss

CHANGES: dict[str, dict[str, Any]] = {
    "GPT-2": {},
    "RMSNorm": {"rms": True},
    "rotary positions": {"positions": "rotary"},
    "SwiGLU": {"swiglu": True},
    "no biases": {"bias": False},
    "shared keys": {"kv_heads": 2},
    "all five": {
        "rms": True,
        "positions": "rotary",
        "swiglu": True,
        "bias": False,
        "kv_heads": 2,
    },
}
"""By name what differs from GPT-2."""
CONTROL: dict[str, dict[str, Any]] = {"sinusoidal positions": {"positions": "sinusoidal"}}
"""Learned positions may only be late after so few updates; sines need no training."""
SIZES = {"width": 96, "heads": 4, "layers": 4, "max_length": shakespeare.LENGTH}
SEEDS = (0, 1, 2)
STEPS, JUDGED = 200, 20_000
"""Updates, and characters of the validation part that the loss is of."""
ROUNDS = 15
STORED = Path(__file__).with_name("differences.json")
TIMED = Path(__file__).with_name("steps.json")


def config(name: str, vocabulary: int) -> GPTConfig:
    """The configuration of a variant."""
    return gpt2(vocabulary, **SIZES | (CHANGES | CONTROL)[name])


def _run(run: Trial) -> dict[str, Any]:
    own = shakespeare.texts()
    model = shakespeare.train(
        config(run.variant, len(own.alphabet)),
        own.train,
        run.seed,
        rate=run.learning_rate,
        steps=STEPS,
    )
    return {
        "variant": run.variant,
        "seed": run.seed,
        "nats": shakespeare.nats(model, own.valid[:JUDGED]),
        "parameters": shakespeare.parameters(model),
    }


def timed(vocabulary: int = 69, rounds: int = ROUNDS) -> list[dict[str, Any]]:
    """Processor time of a training step, over GPT-2's in the same round; and bytes of the cache."""
    models = {name: GPT(config(name, vocabulary), cpu_generator(0)) for name in CHANGES}
    updates = {n: torch.optim.AdamW(m.parameters(), lr=1e-4) for n, m in models.items()}
    shape = (shakespeare.PER_BATCH, shakespeare.LENGTH)
    tokens = torch.randint(4, vocabulary, shape, generator=cpu_generator(0))
    ratios: dict[str, list[float]] = {name: [] for name in CHANGES}
    with one_thread():
        for number in range(rounds + 2):  # the first two warm up
            took = {}
            for name, model in models.items():
                begun = time.process_time()
                summed_loss(model(tokens), tokens, tokens > 0).backward()
                updates[name].step()
                updates[name].zero_grad()
                took[name] = time.process_time() - begun
            if number > 1:
                for name, own in ratios.items():
                    own.append(took[name] / took["GPT-2"])
    return [
        {
            "variant": name,
            "step": round(median(own), 3),
            "low": round(sorted(own)[len(own) // 4], 3),
            "high": round(sorted(own)[-1 - len(own) // 4], 3),
            "cache": cache_bytes(models[name].config),
        }
        for name, own in ratios.items()
    ]


def _write_times(path: Path, seed: int) -> None:
    lines = ",\n  ".join(json.dumps(record) for record in timed())
    atomic_write(path, f"[\n  {lines}\n]\n")


def load_losses() -> dict[str, list[float]]:
    """What was stored: by variant the loss of each seed."""
    runs = load_stored(STORED)
    names = CHANGES | CONTROL
    return {name: [run["nats"] for run in runs if run["variant"] == name] for name in names}


def load_times() -> dict[str, Mapping[str, Any]]:
    """What was stored: by variant the time of a step and the bytes of the cache for a token."""
    return {record["variant"]: record for record in load_stored(TIMED)}


EXPERIMENTS = [
    Experiment(
        "GPT-2 with one change each, on tiny Shakespeare: chapter 14's table.",
        STORED,
        lambda: planned(
            dict.fromkeys(CHANGES | CONTROL, shakespeare.RATE), [*CHANGES, *CONTROL], SEEDS
        ),
        _run,
        data="shakespeare",
    ),
    Artifact("The time of a training step with each change.", TIMED, _write_times),
]
