"""REINFORCE against enumeration: its mean over all ways to look is the exact gradient."""

from dataclasses import replace
from itertools import cycle

import pytest
import torch

from course_lab.experiments.soft_and_hard import exact, noise
from course_lab.experiments.soft_and_hard import scenes as shared
from course_lab.experiments.soft_and_hard.reading import log_likelihood, without_baseline
from course_lib.data.images.digits import compose, images
from course_lib.models import captioner
from course_lib.models.captioner import Captioner, CaptionerConfig
from course_lib.training.objective import sampled_reward

STEPS, SIZE = 2, 3


@pytest.fixture(scope="module")
def small():
    """A reader of double precision, one scene of three patches, two digits: nine ways to look."""
    config = CaptionerConfig(shared.VOCABULARY, shared.PIXELS, SIZE, "hard", 5, 6, 6, 5)
    model = Captioner(config, torch.Generator().manual_seed(0)).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2)  # away from equal weights
    drawing = torch.Generator().manual_seed(0)
    scenes = compose(images("train"), 1, drawing, rows=1, columns=SIZE, digits=STEPS)
    batch = shared.batch_of(scenes._replace(patches=scenes.patches.double()))
    return model, batch, list(model.parameters())


def test_all_ways_have_probability_one(small):
    model, batch, _ = small
    ways = list(exact.every_way(model, batch))
    assert len({way.places for way in ways}) == SIZE**STEPS
    assert sum(way.log_probability.exp() for way in ways).item() == pytest.approx(1, abs=1e-12)
    rewards = torch.stack([way.reward for way in ways])
    assert rewards.std() > 0.01


@pytest.mark.parametrize("baseline", [0.0, -2.5, 40.0])
def test_its_mean_is_the_exact_gradient_whatever_the_baseline(small, baseline):
    model, batch, weights = small
    truth = exact.exact_gradient(model, batch, weights)
    found = exact.mean_estimate(model, batch, weights, lambda way: baseline)
    assert truth.norm() > 0.1
    assert (found - truth).abs().max() < 1e-10


def test_a_baseline_that_sees_the_draw_is_biased(small):
    model, batch, weights = small
    truth = exact.exact_gradient(model, batch, weights)
    found = exact.mean_estimate(model, batch, weights, lambda way: way.reward.item())
    assert (found - truth).abs().max() > 1e-3


@pytest.mark.parametrize("objective", [sampled_reward, without_baseline])
def test_the_objective_that_trains_has_the_exact_gradient(small, objective, monkeypatch):
    """On one row, draw by draw, weighted by the draw's probability."""
    model, batch, weights = small
    truth = exact.exact_gradient(model, batch, weights)
    total = torch.zeros_like(truth)
    for way in exact.every_way(model, batch):
        force(monkeypatch, [way.places])
        loss = objective(model, batch, reward=log_likelihood)
        found = torch.autograd.grad(-loss.total, weights, materialize_grads=True)
        total += way.log_probability.detach().exp() * torch.cat([g.flatten() for g in found])
    assert (total - truth).abs().max() < 1e-10


def test_what_the_noise_is_measured_of_has_the_exact_gradient_without_a_baseline(
    small, monkeypatch
):
    model, batch, _ = small
    truth = exact.exact_gradient(model, batch, list(model.score.parameters()))
    total = torch.zeros_like(truth)
    for way in exact.every_way(model, batch):
        force(monkeypatch, [way.places])
        found = noise.hard_gradients(model, batch, torch.Generator())["none"]
        total -= way.log_probability.detach().exp() * found
    assert (total - truth).abs().max() < 1e-10


@pytest.mark.parametrize("name", noise.BASELINES)
def test_its_mean_over_many_draws_is_the_exact_gradient_with_each_baseline(small, name):
    model, batch, _ = small
    truth = exact.exact_gradient(model, batch, list(model.score.parameters()))
    found = -noise.hard_gradients(model, repeated(batch, 6000), torch.Generator().manual_seed(1))[
        name
    ]
    assert (found - truth).norm() < 0.15 * truth.norm()


def repeated(batch, rows):
    """The one scene of a batch in so many rows."""
    names = ("source_mask", "target_in", "target_out", "target_mask")
    return replace(
        batch,
        source=batch.source.expand(rows, -1, -1),
        **{name: getattr(batch, name).expand(rows, -1) for name in names},
    )


def force(monkeypatch, ways) -> None:
    """Makes every hard look of the model the one prescribed, a way for each row."""
    places = cycle(torch.tensor(ways).unbind(1))

    def prescribe(share, generator=None):
        place = next(places)[:, None]
        weights = torch.zeros_like(share).scatter(-1, place, 1.0)
        return captioner.HardAttention(weights, share.gather(-1, place).log().squeeze(-1))

    monkeypatch.setattr(captioner, "hard_attention", prescribe)
