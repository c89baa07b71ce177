"""Chapter 6b: REINFORCE against enumeration, and what is measured of readers of scenes."""

from dataclasses import replace
from itertools import cycle
from types import SimpleNamespace

import pytest
import torch

from course_lab.experiments.soft_and_hard import exact, noise, reading, scenes
from course_lab.experiments.soft_and_hard.digits import compose, images
from course_lab.experiments.soft_and_hard.reading import log_likelihood, without_baseline
from course_lib.attention.hard import HardAttention
from course_lib.models import captioner
from course_lib.models.captioner import Captioner, CaptionerConfig
from course_lib.training.objective import sampled_reward

STEPS, SIZE = 2, 3


@pytest.fixture(scope="module")
def small():
    """A reader in double precision, one scene of three patches, two digits: nine ways to look."""
    config = CaptionerConfig(scenes.VOCABULARY, scenes.PIXELS, SIZE, "hard", 5, 6, 6, 5)
    model = Captioner(config, torch.Generator().manual_seed(0)).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2)  # away from equal weights
    generator = torch.Generator().manual_seed(0)
    drawn = compose(images("train"), 1, generator, rows=1, columns=SIZE, digits=STEPS)
    batch = scenes.batch_of(drawn._replace(patches=drawn.patches.double()))
    return model, batch, list(model.parameters())


def force(monkeypatch, ways) -> None:
    """Make every hard look of the model the one prescribed, a way for each row."""
    positions = cycle(torch.tensor(ways).unbind(1))

    def prescribe(share, generator=None):
        position = next(positions)[:, None]
        weights = torch.zeros_like(share).scatter(-1, position, 1.0)
        return HardAttention(weights, share.gather(-1, position).log().squeeze(-1))

    monkeypatch.setattr(captioner, "hard_attention", prescribe)


def test_all_ways_have_probability_one(small):
    model, batch, _ = small
    ways = list(exact.every_way(model, batch))
    assert len({way.places for way in ways}) == SIZE**STEPS
    assert sum(way.log_probability.exp() for way in ways).item() == pytest.approx(1, abs=1e-12)
    assert torch.stack([way.reward for way in ways]).std() > 0.01


@pytest.mark.parametrize("baseline", [0.0, -2.5, 40.0])
def test_the_mean_estimate_is_the_exact_gradient_whatever_the_baseline(small, baseline):
    truth = exact.exact_gradient(*small)
    estimate = exact.mean_estimate(*small, lambda way: baseline)
    assert truth.norm() > 0.1
    assert (estimate - truth).abs().max() < 1e-10


def test_a_baseline_that_sees_the_draw_is_biased(small):
    estimate = exact.mean_estimate(*small, lambda way: way.reward.item())
    assert (estimate - exact.exact_gradient(*small)).abs().max() > 1e-3


@pytest.mark.parametrize("objective", [sampled_reward, without_baseline])
def test_the_objective_that_trains_has_the_exact_gradient(small, objective, monkeypatch):
    """On one row, draw by draw, weighted by the draw's probability."""
    model, batch, weights = small
    truth = exact.exact_gradient(model, batch, weights)
    total = torch.zeros_like(truth)
    for way in exact.every_way(model, batch):
        force(monkeypatch, [way.places])
        loss = objective(model, batch, reward=log_likelihood)
        gradients = torch.autograd.grad(-loss.total, weights, materialize_grads=True)
        total += way.log_probability.detach().exp() * torch.cat([g.flatten() for g in gradients])
    assert (total - truth).abs().max() < 1e-10


def test_each_baseline_leaves_the_mean_gradient_exact_and_makes_it_less_noisy(small):
    model, batch, _ = small
    truth = exact.exact_gradient(model, batch, list(model.score.parameters()))
    names = ("source_mask", "target_in", "target_out", "target_mask")
    many = replace(
        batch,
        source=batch.source.expand(300, -1, -1),
        **{name: getattr(batch, name).expand(300, -1) for name in names},
    )
    generator = torch.Generator().manual_seed(1)
    estimates = [noise.hard_gradients(model, many, generator) for _ in range(20)]
    spread = {}
    for name in noise.BASELINES:
        gradients = -torch.stack([estimate[name] for estimate in estimates])
        assert (gradients.mean(0) - truth).norm() < 0.15 * truth.norm(), name
        spread[name] = gradients.var(0).sum()
    assert max(spread["others"], spread["scene"]) < spread["none"]


@pytest.fixture(scope="module")
def held_out():
    return scenes.held_out("valid", 40)


def test_what_is_measured_has_a_known_answer(held_out, monkeypatch):
    true = (held_out.digits + scenes.FIRST).tolist()
    weights = torch.nn.functional.one_hot(held_out.places, scenes.PLACES).float()
    for row in range(10):
        true[row] = [scenes.FIRST + 10] * scenes.DIGITS  # all wrong
    true[10][0] = scenes.FIRST + 10
    true[11] = true[11][:1]  # stopped early: two of three missing
    looked = list(weights)
    looked[0] = looked[0].roll(1, dims=0)
    moved = (held_out.places[0] == held_out.places[0].roll(1)).sum()
    answer = SimpleNamespace(ids=true, weights=looked)
    monkeypatch.setattr(reading, "greedy", lambda *_, **__: answer)
    measured = reading.measure(reading.make("hard", 0), held_out)
    assert measured.digits == pytest.approx((120 - 30 - 1 - 2) / 120)
    assert measured.scenes == pytest.approx((40 - 12) / 40)
    assert measured.places == pytest.approx((120 - 3 + int(moved)) / 120)
