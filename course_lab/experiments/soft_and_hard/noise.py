"""How noisy a gradient is: that of soft attention, and REINFORCE's with three baselines.

The same weights, the same batches of scenes. Noise is the variance of a batch's gradient, summed
over the weights of the score, in units of the squared length of its mean: so many batches one
would have to average until noise and gradient are of one size. The stored numbers:

    python -m course_lab.experiments soft_and_hard/noise
"""

from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.soft_and_hard import reading
from course_lab.experiments.soft_and_hard import scenes as shared
from course_lib.data.batch import Batch
from course_lib.device import cpu_generator
from course_lib.models.captioner import Captioner

BASELINES = ("none", "others", "scene")
"""b = 0; the mean reward of the other scenes of the batch; the mean reward of other readings of the
same scene, about the best that a baseline which knows only the scene can foretell."""
READINGS = 8
"""Of a scene, for the last baseline."""
BATCHES = 120
UPDATES_BEFORE = 200
"""The whole training of the reader that is measured: it still has to find its way."""
STORED = Path(__file__).with_name("noise.json")


class Noise(NamedTuple):
    """Batches to average until the noise is as large as the gradient.

    Attributes:
        soft: of soft attention; what is left is that batches differ.
        none: of hard attention without a baseline.
        others: with the mean of the other scenes as a baseline.
        scene: with the mean of other readings of the same scene.
    """

    soft: float
    none: float
    others: float
    scene: float


def hard_gradients(
    model: Captioner, batch: Batch, generator: torch.Generator
) -> dict[str, Float[Tensor, " W"]]:
    """One estimate of the gradient for each baseline, from the same draws.

    Returns:
        the gradient of minus the mean reward, over the weights of the score, for each of
        `BASELINES`.
    """
    asked = (batch.source, batch.source_mask, batch.target_in)
    with torch.no_grad():
        again = [
            reading.log_likelihood(model(*asked, generator=generator), batch)
            for _ in range(READINGS)
        ]
    output = model(*asked, generator=generator)
    gained, drawn = reading.log_likelihood(output, batch), output.log_probability.sum(-1)
    known, rows = gained.detach(), len(gained)
    baselines = {
        "none": torch.zeros_like(known),
        "others": (known.sum() - known) / (rows - 1),
        "scene": torch.stack(again).mean(0),
    }
    return {
        name: _flat(-(gained + (known - baseline) * drawn).mean(), model)
        for name, baseline in baselines.items()
    }


def soft_gradient(model: Captioner, batch: Batch) -> Float[Tensor, " W"]:
    """The gradient of minus the mean log-likelihood, over the weights of the score."""
    output = model(batch.source, batch.source_mask, batch.target_in)
    return _flat(-reading.log_likelihood(output, batch).mean(), model)


def measure(hard: Captioner, batches: int = BATCHES, seed: int = 0) -> Noise:
    """The noise at a hard reader's weights, which a soft reader borrows.

    Args:
        hard: the reader.
        batches: how many, of fresh training scenes; also the draws are new for each.
        seed: of scenes and draws.
    """
    soft = reading.make("soft", 0)
    soft.load_state_dict(hard.state_dict())
    generator = cpu_generator(seed)
    samples: dict[str, list[Tensor]] = {name: [] for name in Noise._fields}
    for _ in range(batches):
        batch = shared.batch_of(shared.draw("train", shared.BATCH, generator))
        samples["soft"].append(soft_gradient(soft, batch))
        for name, gradient in hard_gradients(hard, batch, generator).items():
            samples[name].append(gradient)
    rows = {name: torch.stack(gradients) for name, gradients in samples.items()}
    # All three estimate one gradient; the quietest says best how long it is.
    length = _squared_length(rows["scene"])
    return Noise(
        _variance(rows["soft"]) / _squared_length(rows["soft"]),
        *(_variance(rows[name]) / length for name in BASELINES),
    )


def _variance(rows: Float[Tensor, "N W"]) -> float:
    return float(rows.var(0).sum())


def _squared_length(rows: Float[Tensor, "N W"]) -> float:
    """Of the mean; the square of an average of N counts 1/N of the variance too much."""
    return float(rows.mean(0).square().sum()) - _variance(rows) / len(rows)


def _flat(loss: Tensor, model: Captioner) -> Float[Tensor, " W"]:
    gradients = torch.autograd.grad(loss, list(model.score.parameters()), retain_graph=True)
    return torch.cat([gradient.flatten() for gradient in gradients])


class Measurement(NamedTuple):
    """One hard reader, by its seed."""

    seed: int


def half_trained(seed: int) -> Captioner:
    """A hard reader whose training is a short one."""
    run = Trial("hard", seed, reading.LEARNING_RATES["hard"])
    return reading.train(run, updates=UPDATES_BEFORE)[0]


def load_noise() -> list[Noise]:
    """What the command stored, one a seed."""
    return [Noise(*(record[name] for name in Noise._fields)) for record in load_stored(STORED)]


def _record(run: Measurement) -> dict[str, Any]:
    noise = measure(half_trained(run.seed))
    return {"seed": run.seed} | {k: round(v, 3) for k, v in noise._asdict().items()}


EXPERIMENTS = [
    Experiment(
        "The noise of gradients, for chapter 6b.",
        STORED,
        lambda: [Measurement(seed) for seed in reading.SEEDS],
        _record,
        key=("seed",),
    ),
]
