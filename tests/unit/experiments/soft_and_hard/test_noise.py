"""Noise of gradients: by numbers with a known answer, and on a small reader."""

import pytest
import torch

from course_lab.experiments.soft_and_hard import noise, reading
from course_lab.experiments.soft_and_hard import scenes as shared


def test_variance_and_length_of_a_sample_with_known_ones():
    draw = torch.Generator().manual_seed(0)
    mean = torch.tensor([3.0, 0.0, 4.0])
    rows = mean + 2.0 * torch.randn(20_000, 3, generator=draw)
    assert noise._variance(rows) == pytest.approx(12, rel=0.03)
    assert noise._squared_length(rows) == pytest.approx(25, rel=0.03)
    few = torch.stack(
        [torch.tensor(noise._squared_length(r)) for r in (rows - mean).view(2000, 10, 3)]
    )
    assert abs(few.mean()) < 0.1  # without a bias where the mean is zero


def test_soft_attention_gives_the_same_gradient_again_and_a_glance_does_not():
    soft, hard = reading.make("soft", 0), reading.make("hard", 0)
    batch = shared.batch_of(shared.held_out("valid", 8))
    assert torch.equal(noise.soft_gradient(soft, batch), noise.soft_gradient(soft, batch))
    drawing = torch.Generator().manual_seed(0)
    first, second = (noise.hard_gradients(hard, batch, drawing) for _ in range(2))
    for name in noise.BASELINES:
        assert not torch.equal(first[name], second[name])
