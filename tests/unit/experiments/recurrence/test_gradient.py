"""Gradients through untrained cells, for chapter 1."""

import pytest
import torch

from course_lab.experiments.recurrence import gradient
from course_lib.device import cpu_generator
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

    def test_a_scale_is_the_singular_value_of_every_gate(self):
        cell = gradient.make_cell("GRU", 1.5)
        for block in cell.weight_hh.split(gradient.WIDTH):
            values = torch.linalg.svdvals(block.detach())
            assert torch.allclose(values, torch.full_like(values, 1.5), atol=1e-5)
