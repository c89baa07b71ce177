"""The experiment of chapter 15: how many pairs a memory of fixed size can recall.

Multi-query associative recall (Arora et al. 2023): a sequence shows pairs of a key and a value, all
keys different, then asks for every key, in a new order. At each question the net has to name the
value. There are 64 values, so chance is one in 64. Every net is one layer of `LinearGPT` with one
head; only the part that carries something from token to token differs. GRU and LSTM have as many
state numbers as the matrix of the linear rules. Training mixes all numbers of pairs. The commands:

    python -m course_lab.experiments back_to_recurrence/recall_tuning   # the learning rates
    python -m course_lab.experiments back_to_recurrence/recall
"""

import time
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored
from course_lib.device import cpu_generator
from course_lib.models.linear_gpt import LinearGPT, LinearGPTConfig
from course_lib.models.parts import initialise

SPECIAL, KEYS, VALUES = 4, 64, 64
"""Ids below 4 are special tokens in this course; keys follow, then values."""
VOCABULARY = SPECIAL + KEYS + VALUES
PAIRS = (4, 8, 16, 32, 64)
WIDTH, BATCH, UPDATES, WARMUP, CLIP = 64, 32, 600, 50, 1.0
JUDGED = 64
"""Sequences that judge a net, at each number of pairs."""
SEEDS = (0, 1, 2)
STORED = Path(__file__).with_name("recall.json")

LINEAR: dict[str, dict[str, Any]] = {
    "softmax": {"mixer": "softmax"},
    "sum": {"mixer": "linear", "normaliser": False},
    "sum, normalised": {"mixer": "linear"},
    "decay": {"mixer": "decay"},
    "delta": {"mixer": "delta"},
}
RECURRENT = ("GRU", "LSTM")
RATES = (3e-3, 1e-2, 3e-2)
RATE = 1e-2


class RecurrentMixer(nn.Module):
    """A GRU or LSTM in the place of attention, with a linear layer after it."""

    def __init__(self, kind: str, width: int, state: int) -> None:
        super().__init__()
        hidden = state // 2 if kind == "LSTM" else state
        self.net = getattr(nn, kind)(width, hidden, batch_first=True)
        self.output = nn.Linear(hidden, width)

    def forward(self, x: Float[Tensor, "B T D"], *_: Any, **__: Any) -> tuple[Tensor, None]:
        """Return the mixed vectors; the state is not kept, for nothing is generated here."""
        return self.output(self.net(x)[0]), None


class Run(NamedTuple):
    """One training.

    Attributes:
        variant: a key of `LINEAR`, or one of `RECURRENT`.
        size: width of a key and of a value, so that the state has size² numbers.
        convolution: tokens that the short convolution sees; 0 for none.
        layers: of the net.
        only: a number of pairs to train on; 0 for all of `PAIRS`.
        times: how many times `UPDATES` it is trained.
        learning_rate: of AdamW.
        seed: for the first weights and the sequences.
    """

    variant: str
    size: int = 16
    convolution: int = 4
    layers: int = 1
    only: int = 0
    times: int = 1
    learning_rate: float = RATE
    seed: int = 0


def sequences(
    pairs: int, count: int, generator: torch.Generator
) -> tuple[Int[Tensor, "B T"], Int[Tensor, "B P"]]:
    """Return sequences of 3 · `pairs` tokens, and the values that the last `pairs` ask for."""
    keys = torch.rand(count, KEYS, generator=generator).argsort(1)[:, :pairs]
    values = torch.randint(VALUES, (count, pairs), generator=generator)
    order = torch.rand(count, pairs, generator=generator).argsort(1)
    shown = torch.stack([SPECIAL + keys, SPECIAL + KEYS + values], -1).flatten(1)
    asked, answers = SPECIAL + keys.gather(1, order), values.gather(1, order)
    return torch.cat([shown, asked], 1), SPECIAL + KEYS + answers


def make_model(run: Run) -> LinearGPT:
    """Return an untrained net; what is not the mixer begins with the same weights in each."""
    linear = LINEAR.get(run.variant, LINEAR["softmax"])
    config = LinearGPTConfig(
        VOCABULARY,
        width=WIDTH,
        heads=1,
        key_width=run.size,
        value_width=run.size,
        layers=run.layers,
        feed_forward=2 * WIDTH,
        positions="sinusoidal",
        convolution=run.convolution,
        **linear,
    )
    generator = cpu_generator(run.seed)
    model = LinearGPT(config, generator)
    if run.variant in RECURRENT:
        for layer in model.layers:
            layer.self_attention = RecurrentMixer(run.variant, WIDTH, run.size**2)
            initialise(layer.self_attention, generator)
            layer.softmax = False
    return model


def train(run: Run) -> LinearGPT:
    """Train on fresh sequences; the loss is over the questions."""
    model = make_model(run)
    generator = cpu_generator(1000 + run.seed)
    updates = run.times * UPDATES
    optimizer = torch.optim.AdamW(model.parameters(), lr=run.learning_rate, weight_decay=0.01)
    plan = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda n: min((n + 1) / WARMUP, 1.0) * (1 - 0.9 * n / updates)
    )
    for _ in range(updates):
        drawn = int(torch.randint(len(PAIRS), (), generator=generator))
        tokens, answers = sequences(run.only or PAIRS[drawn], BATCH, generator)
        logits = model(tokens)[:, -answers.shape[1] :]
        loss = F.cross_entropy(logits.mT, answers)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        plan.step()
    return model.eval()


@torch.no_grad()
def recalled(model: LinearGPT, pairs: int, seed: int = 7) -> float:
    """Return the share of questions whose value is the most probable token."""
    tokens, answers = sequences(pairs, JUDGED, cpu_generator(seed))
    return (model(tokens)[:, -pairs:].argmax(-1) == answers).double().mean().item()


def judged(run: Run) -> dict[str, Any]:
    """Train, and return what is stored of it."""
    begun = time.process_time()
    model = train(run)
    taken = round(time.process_time() - begun)
    asked = (run.only,) if run.only else PAIRS
    return {
        **run._asdict(),
        "parameters": sum(weight.numel() for weight in model.parameters()),
        "recalled": {str(pairs): round(recalled(model, pairs), 4) for pairs in asked},
        "seconds": taken,
    }
