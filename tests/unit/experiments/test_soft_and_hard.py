"""Chapter 6b: REINFORCE against enumeration, and what is measured of readers of scenes."""

from dataclasses import replace
from itertools import cycle
from types import SimpleNamespace

import pytest
import torch

from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.soft_and_hard import exact, in_page, noise, reading, scenes
from course_lab.experiments.soft_and_hard.reading import log_likelihood, without_baseline
from course_lib.data.images.digits import compose, images
from course_lib.data.tokens.tokenizer import START
from course_lib.models import captioner
from course_lib.models.captioner import Captioner, CaptionerConfig
from course_lib.models.protocol import Output
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
        return captioner.HardAttention(weights, share.gather(-1, position).log().squeeze(-1))

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


def test_the_gradients_whose_noise_is_measured_are_exact_in_the_mean(small, monkeypatch):
    model, batch, _ = small
    truth = exact.exact_gradient(model, batch, list(model.score.parameters()))
    total = torch.zeros_like(truth)
    for way in exact.every_way(model, batch):
        force(monkeypatch, [way.places])
        gradient = noise.hard_gradients(model, batch, torch.Generator())["none"]
        total -= way.log_probability.detach().exp() * gradient
    assert (total - truth).abs().max() < 1e-10


def test_with_each_baseline_the_mean_over_many_draws_is_the_exact_gradient(small):
    model, batch, _ = small
    truth = exact.exact_gradient(model, batch, list(model.score.parameters()))
    names = ("source_mask", "target_in", "target_out", "target_mask")
    many = replace(
        batch,
        source=batch.source.expand(6000, -1, -1),
        **{name: getattr(batch, name).expand(6000, -1) for name in names},
    )
    gradients = noise.hard_gradients(model, many, torch.Generator().manual_seed(1))
    assert set(gradients) == set(noise.BASELINES)
    for name, gradient in gradients.items():
        assert (-gradient - truth).norm() < 0.15 * truth.norm(), name


def test_variance_and_length_of_a_sample_with_known_ones():
    draw = torch.Generator().manual_seed(0)
    mean = torch.tensor([3.0, 0.0, 4.0])
    rows = mean + 2.0 * torch.randn(20_000, 3, generator=draw)
    assert noise._variance(rows) == pytest.approx(12, rel=0.03)
    assert noise._squared_length(rows) == pytest.approx(25, rel=0.03)
    few = [noise._squared_length(sample) for sample in (rows - mean).view(2000, 10, 3)]
    assert abs(sum(few) / 2000) < 0.1  # without a bias when the mean is zero


@pytest.fixture(scope="module")
def held_out():
    return scenes.held_out("valid", 40)


def test_a_batch_is_a_scene_in_and_its_digits_out(held_out):
    batch = scenes.batch_of(held_out)
    assert batch.source.shape == (40, scenes.PLACES, scenes.PIXELS)
    assert (batch.target_in[:, 0] == START).all()
    assert torch.equal(batch.target_in[:, 1:], batch.target_out[:, :-1])
    assert torch.equal(batch.target_out - scenes.FIRST, held_out.digits)
    assert batch.source_mask.all()
    assert batch.tokens == 120


def test_all_variants_have_the_same_parts_and_the_control_has_equal_weights(held_out):
    readers = {variant: reading.make(variant, 3) for variant in reading.LEARNING_RATES}
    sizes = {
        tuple((name, tuple(p.shape)) for name, p in reader.named_parameters())
        for reader in readers.values()
    }
    assert len(sizes) == 1
    soft, hard = (list(readers[name].parameters()) for name in ("soft", "hard"))
    assert all(map(torch.equal, soft, hard))
    batch = scenes.batch_of(held_out)
    for variant in ("equal", "equal, longer"):
        inputs = (batch.source, batch.source_mask, batch.target_in)
        out = readers[variant](*inputs, return_attention=True)
        assert (out.attention == 1 / scenes.PLACES).all()


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


def test_the_reward_is_the_likelihood_and_a_bonus_for_the_improbable(held_out):
    batch = scenes.batch_of(held_out)
    logits = torch.zeros(40, 3, scenes.VOCABULARY, requires_grad=True)
    drawn = torch.full((40, 3), -2.0, requires_grad=True)
    output = Output(logits, None, drawn)
    plain = reading.reward(output, batch)
    torch.testing.assert_close(plain, torch.full((40,), -3 * float(torch.tensor(14.0).log())))
    more = reading.reward(output, batch, entropy=0.5)
    torch.testing.assert_close(more - plain, torch.full((40,), 3.0))
    more.sum().backward()
    assert drawn.grad is None  # the bonus counts as a number
    assert (logits.grad != 0).any()


def test_the_scenes_of_the_page_are_test_scenes():
    stored = load_stored(in_page.STORED)["scenes"]
    test = scenes.held_out("test", reading.HELD_OUT)
    known = (test.patches * 16).round().int().tolist()
    assert len(stored) == in_page.SCENES
    for scene in stored:
        number = known.index(scene["ink"])
        assert [look["true"] for look in scene["looks"]] == test.digits[number].tolist()
        assert [look["place"] for look in scene["looks"]] == test.places[number].tolist()
