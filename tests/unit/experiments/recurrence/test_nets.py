"""The nets of chapter 1: their first weights, and that together they are what they are alone."""

import pytest
import torch
from torch import nn

from course_lab.experiments.recurrence import nets
from course_lab.experiments.recurrence.recall import sequences
from course_lib.device import cpu_generator


class TestNets:
    def test_all_have_about_the_same_number_of_parameters(self):
        sizes = [
            sum(p.numel() for p in nets.Recaller(kind, cpu_generator(0)).parameters())
            for kind in nets.KINDS
        ]
        assert max(sizes) < 1.05 * min(sizes)
        assert min(sizes) > 2800  # the page says about 2,900
        assert max(sizes) < 3000

    @pytest.mark.parametrize(
        ("kind", "bias"), [("LSTM, forget bias 1", 1), ("LSTM, forget bias 5", 5)]
    )
    def test_the_forget_gate_and_no_other_has_the_bias(self, kind, bias):
        layer = nets.Recaller(kind, cpu_generator(0)).layer
        plain = nets.Recaller("LSTM", cpu_generator(0)).layer
        total = (layer.bias_ih_l0 + layer.bias_hh_l0).view(4, -1)
        before = (plain.bias_ih_l0 + plain.bias_hh_l0).view(4, -1)
        assert torch.equal(total[1], torch.full((22,), float(bias)))
        assert torch.equal(total[[0, 2, 3]], before[[0, 2, 3]])


class TestTogether:
    @pytest.mark.parametrize("kind", nets.KINDS)
    def test_nets_say_together_what_torchs_layers_say_one_by_one(self, kind):
        single = [nets.Recaller(kind, cpu_generator(seed)) for seed in range(3)]
        symbols = torch.stack([sequences(9, 5, cpu_generator(s)) for s in range(3)])
        together = nets.scores(kind, nets.stack(single), symbols)
        one_by_one = torch.stack([net(own) for net, own in zip(single, symbols, strict=True)])
        assert torch.allclose(together, one_by_one, atol=1e-6)

    def test_each_gradient_is_clipped_by_its_own_norm(self):
        single = [nets.Recaller("GRU", cpu_generator(seed)) for seed in range(2)]
        weights = nets.stack(single)
        for net, size in zip(range(2), (1e-3, 50.0), strict=True):
            for name, parameter in single[net].named_parameters():
                parameter.grad = size * torch.ones_like(parameter)
                stacked = weights[name]
                stacked.grad = torch.zeros_like(stacked) if stacked.grad is None else stacked.grad
                stacked.grad[net] = parameter.grad
            nn.utils.clip_grad_norm_(single[net].parameters(), 1.0)
        nets.clip_each(weights, 1.0)
        for name, weight in weights.items():
            for net in range(2):
                wanted = single[net].get_parameter(name).grad
                assert torch.allclose(weight.grad[net], wanted, rtol=1e-5)
