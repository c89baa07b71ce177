"""Gradients through untrained cells, for chapter 1."""

import math

import pytest
import torch

from course_lab.experiments.recurrence import gradient
from course_lib.device import cpu_generator
from course_lib.recurrent.cells import LSTMCell
from course_lib.recurrent.unroll import run


class TestGradients:
    def test_a_linear_cell_multiplies_by_its_scale(self):
        norms = gradient.gradient_norms(gradient.make_cell("linear", 0.9), steps=20)
        for distance, norm in enumerate(norms):
            assert norm == pytest.approx(0.9**distance, rel=1e-4)

    @pytest.mark.parametrize("name", gradient.CELLS)
    def test_they_agree_with_finite_differences(self, name):
        """A small change of each component of the state three steps back, and what it does."""
        cell = gradient.make_cell(name, None, seed=3)
        drawn = cpu_generator(1000)  # as gradient_norms draws with its seed 0
        inputs = torch.randn(gradient.ROWS, 4, gradient.INPUT, generator=drawn, dtype=torch.float64)
        direction = torch.randn(gradient.ROWS, gradient.WIDTH, generator=drawn, dtype=torch.float64)
        direction /= direction.norm(dim=-1, keepdim=True)
        _, state = run(cell, inputs[:, :1])
        parts = [state] if isinstance(state, torch.Tensor) else list(state)
        flat = torch.cat(parts, dim=-1).detach().requires_grad_()

        def end(flat):
            start = flat if len(parts) == 1 else tuple(flat.chunk(2, dim=-1))
            outputs, _ = run(cell, inputs[:, 1:], start)
            return outputs[:, -1]

        columns = []
        with torch.no_grad():
            for unit in range(flat.shape[1]):
                change = torch.zeros_like(flat)
                change[:, unit] = 1e-6
                difference = end(flat + change) - end(flat - change)
                columns.append((difference * direction).sum(-1) / 2e-6)
        wanted = torch.stack(columns, dim=-1).norm(dim=-1).log().mean().exp().item()
        assert gradient.gradient_norms(cell, steps=3)[3] == pytest.approx(wanted, rel=1e-4)

    def test_the_first_is_1_and_there_is_one_for_each_distance(self):
        norms = gradient.gradient_norms(gradient.make_cell("GRU"), 6)
        assert len(norms) == 7
        assert norms[0] == pytest.approx(1.0)

    def test_a_scale_is_the_singular_value_of_every_gate(self):
        cell = gradient.make_cell("GRU", 1.5)
        for block in cell.weight_hh.split(gradient.WIDTH):
            values = torch.linalg.svdvals(block.detach())
            assert torch.allclose(values, torch.full_like(values, 1.5), atol=1e-5)

    def test_without_a_scale_weights_are_torchs(self):
        cell = gradient.make_cell("tanh", seed=4)
        bound = 1 / math.sqrt(gradient.WIDTH)
        assert 0.9 * bound < cell.weight_hh.abs().max() <= bound

    def test_the_forget_bias_opens_the_forget_gate(self):
        cell = LSTMCell(3, 4, generator=cpu_generator(0))
        gradient.open_forget_gate(cell.bias_ih, cell.bias_hh, 2.5)
        assert torch.equal((cell.bias_ih + cell.bias_hh)[4:8], torch.full((4,), 2.5))
        assert (cell.bias_ih[:4] != 2.5).all()
        assert (cell.bias_hh[8:] != 0).all()

    def test_profiles_are_by_cell_scale_and_distance(self):
        found = gradient.profiles(["linear", "tanh"], [0.5, 2.0], [0, 4])
        assert list(found) == ["linear", "tanh"]
        assert list(found["tanh"]) == ["× 0.5", "× 2"]
        assert found["linear"]["× 2"] == pytest.approx([1.0, 16.0], rel=1e-4)

    def test_relu_cuts_off_more_than_tanh_squashes(self):
        relu, tanh = (
            gradient.gradient_norms(gradient.make_cell(name, 1.0), 30)[30]
            for name in ("ReLU", "tanh")
        )
        assert relu < 0.1 * tanh
