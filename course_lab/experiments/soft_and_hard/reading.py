"""The experiment of chapter 6b: soft, hard and equal attention read the same scenes.

The same patches, sizes, updates and optimiser, learning rates chosen alike. One control: a reader
that weighs every patch alike. Two ablations: a hard reader without the entropy term, and one
without a baseline. And twins that are trained for four times as long. The command stores
what the book draws; first the comparison of learning rates, on validation scenes:

    python -m course_lab.experiments soft_and_hard/reading_tuning
    python -m course_lab.experiments soft_and_hard/reading
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.soft_and_hard import scenes as shared
from course_lib.attention.hard import HardAttention
from course_lib.data.batch import Batch
from course_lib.data.images.digits import Scenes
from course_lib.decoding.greedy import greedy
from course_lib.device import cpu_generator
from course_lib.models.captioner import Captioner, CaptionerConfig
from course_lib.models.protocol import Output
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import Loss, Objective, sampled_reward, translation_loss

UPDATES, CHECKS = 800, 8
ENTROPY = 0.1
"""What a nat of doubt about where to look is worth, in nats of the digits' log-likelihood."""
HELD_OUT = 500
SEEDS = (0, 1, 2, 3, 4)
RATES = (2.5e-3, 5e-3, 1e-2, 2e-2, 4e-2, 8e-2)
LEARNING_RATES = {
    "soft": 1e-2,
    "equal": 4e-2,
    "hard": 5e-3,
    "hard, twice the rate": 1e-2,
    "hard, no entropy": 5e-3,
    "hard, no baseline": 5e-3,
    "soft, longer": 1e-2,
    "hard, longer": 5e-3,
    "equal, longer": 4e-2,
    "hard, no entropy, longer": 5e-3,
    "hard, no baseline, longer": 5e-3,
}
TUNED = ("soft", "equal", "hard", "hard, no baseline")
"""Of these no neighbour of the rate in `RATES` is better by .02 on validation scenes. The others
have the rate of the one of which they are a variant."""
FASTER = "hard, twice the rate"
"""On one seed as good as "hard", so that its neighbours are tried as well, and all seeds."""
Reward = Callable[[Output, Batch], Float[Tensor, " B"]]
STORED = Path(__file__).with_name("reading.json")
TUNING = Path(__file__).with_name("reading_tuning.json")


class EqualReader(Captioner):
    """The control: every part of the captioner, and every patch gets the same weight."""

    def choose(
        self, weights: Float[Tensor, "B S"], generator: torch.Generator | None
    ) -> HardAttention:
        """1/S each; no scene of the experiment has masked patches."""
        return HardAttention(torch.full_like(weights, 1 / weights.shape[1]), None)


class Shares(NamedTuple):
    """What a reader that writes on its own gets right.

    Attributes:
        digits: share of the digits, each at its own position of the report.
        scenes: share of the scenes with every digit right.
        places: share of the looks whose largest weight is on the digit to report.
    """

    digits: float
    scenes: float
    places: float


def make(variant: str, seed: int) -> Captioner:
    """A reader of the experiment's sizes, its first weights drawn from the seed."""
    kind = EqualReader if variant.startswith("equal") else Captioner
    config = CaptionerConfig(
        target_vocabulary=shared.VOCABULARY,
        patch=shared.PIXELS,
        max_patches=shared.PLACES,
        attention="hard" if variant.startswith("hard") else "soft",
        embedding=16,
        annotation=48,
        hidden=48,
        alignment=32,
    )
    return kind(config, cpu_generator(seed))


def log_likelihood(output: Output, batch: Batch) -> Float[Tensor, " B"]:
    """log p(digits | scene, looks), summed over the digits of each scene."""
    said = output.logits.log_softmax(-1).gather(-1, batch.target_out[..., None]).squeeze(-1)
    return said.masked_fill(~batch.target_mask, 0.0).sum(-1)


def reward(output: Output, batch: Batch, *, entropy: float = 0.0) -> Float[Tensor, " B"]:
    """The log-likelihood, and something for looks that were improbable.

    On average -log p of what is drawn is the entropy of the draw, so that this keeps the entropy
    up without a second objective. It counts as a number: its own derivative averages to zero.
    """
    gained = log_likelihood(output, batch)
    if not entropy:
        return gained
    drawn = output.log_probability.detach().masked_fill(~batch.target_mask, 0.0)
    return gained - entropy * drawn.sum(-1)


def without_baseline(model: Captioner, batch: Batch, *, reward: Reward) -> Loss:
    """`sampled_reward` with b = 0 for its baseline: the same mean, another spread."""
    asked = (batch.source, batch.source_mask, batch.target_in)
    output = model(*asked, generator=torch.random.default_generator)
    drawn = output.log_probability.masked_fill(~batch.target_mask, 0.0).sum(-1)
    gained = reward(output, batch)
    score = gained.detach() * (drawn - drawn.detach())
    return Loss(-(gained + score).sum(), len(gained))


def objective_of(variant: str) -> Objective:
    """What a variant is trained for: the likelihood of the digits, or a reward for its draws."""
    if not variant.startswith("hard"):
        return translation_loss
    estimate = without_baseline if "no baseline" in variant else sampled_reward
    entropy = 0.0 if "no entropy" in variant else ENTROPY
    return partial(estimate, reward=partial(reward, entropy=entropy))


def updates_of(variant: str) -> int:
    """How long a variant is trained."""
    return 4 * UPDATES if variant.endswith("longer") else UPDATES


def train(
    run: Trial, held_out: Scenes | None = None, *, updates: int | None = None
) -> tuple[Captioner, list[float]]:
    """Trains a reader; it ends in eval mode, with its last weights.

    Args:
        run: the variant, the seed of weights and scenes, the learning rate.
        held_out: scenes that are read `CHECKS` times on the way; None goes without.
        updates: how many; by default those of the variant.

    Returns:
        the reader, and its share of digits right at each check.
    """
    model, curve = make(run.variant, run.seed), []
    updates = updates or updates_of(run.variant)
    config = FitConfig(
        steps=updates,
        learning_rate=run.learning_rate,
        schedule="cosine",
        warmup=50,
        betas=(0.9, 0.95),
        clip_norm=1.0,
        validate_every=updates // CHECKS,
        seed=run.seed,
    )

    def note(model: torch.nn.Module) -> float:
        curve.append(round(measure(model, held_out).digits, 4))
        return float(len(curve))  # rising, so that the last weights are kept, not the best

    feed = shared.training(run.seed, updates)
    objective = objective_of(run.variant)
    metric = None if held_out is None else note
    history = fit(
        model, feed, None, config, objective=objective, progress=False, metric=metric, device="cpu"
    )
    if history.interrupted:
        raise KeyboardInterrupt  # a half-trained reader must not pass for a trained one
    return model.eval(), curve


def measure(model: Captioner, scenes: Scenes) -> Shares:
    """Reads the scenes without being told the digits before; a hard reader looks where its
    probability is highest."""
    batch = shared.batch_of(scenes)
    readings = greedy(
        model, batch.source, batch.source_mask, max_length=shared.DIGITS, return_attention=True
    )
    wanted = batch.target_out.tolist()
    right = [
        [said == true for said, true in zip(row, truth, strict=False)]
        for row, truth in zip(readings.ids, wanted, strict=True)
    ]
    looked = [
        place == true
        for weights, places in zip(readings.weights, scenes.places.tolist(), strict=True)
        for place, true in zip(weights.argmax(-1).tolist(), places, strict=False)
    ]
    total = len(wanted) * shared.DIGITS
    whole = sum(len(row) == shared.DIGITS and all(row) for row in right) / len(wanted)
    return Shares(sum(map(sum, right)) / total, whole, sum(looked) / total)


def load_shares() -> dict[str, list[dict[str, Any]]]:
    """For each variant one record a seed, as the command stored it: `Shares` and `curve`."""
    by_variant: dict[str, list[dict[str, Any]]] = {name: [] for name in LEARNING_RATES}
    for record in load_stored(STORED):
        by_variant[record["variant"]].append(record)
    return by_variant


def load_tuning() -> dict[str, dict[float, float]]:
    """Share of validation digits right, by variant and learning rate."""
    by_variant: dict[str, dict[float, float]] = {}
    for record in load_stored(TUNING):
        by_variant.setdefault(record["variant"], {})[record["learning_rate"]] = record["digits"]
    return by_variant


def _tuned(run: Trial) -> dict[str, Any]:
    model, _ = train(run)
    digits = measure(model, shared.held_out("valid", HELD_OUT)).digits
    variant = "hard" if run.variant == FASTER else run.variant  # the same reader
    return {**run._replace(variant=variant)._asdict(), "digits": round(digits, 4)}


def _judged(run: Trial) -> dict[str, Any]:
    model, curve = train(run, shared.held_out("valid", HELD_OUT))
    shares = measure(model, shared.held_out("test", HELD_OUT))
    return {
        "variant": run.variant,
        "seed": run.seed,
        "parameters": sum(p.numel() for p in model.parameters()),
        **{name: round(share, 4) for name, share in shares._asdict().items()},
        "curve": curve,
    }


EXPERIMENTS = [
    Experiment(
        "What soft and hard readers get right, for chapter 6b.",
        STORED,
        lambda: planned(LEARNING_RATES, list(LEARNING_RATES), SEEDS),
        _judged,
    ),
    tuning(
        "The learning rates of chapter 6b's readers.",
        TUNING,
        LEARNING_RATES,
        RATES,
        SEEDS[0],
        _tuned,
        twins=set(LEARNING_RATES) - {*TUNED, FASTER},
    ),
]
