"""Chapter 1: gradients through untrained cells, the recall task, and the network of the page."""

import pytest
import torch

from course_lab.experiments.recurrence import gradient, in_page, nets, recall
from course_lab.experiments.recurrence.nets import Recaller, stack
from course_lib.device import cpu_generator
from course_lib.recurrent.unroll import run


def test_a_linear_cell_multiplies_the_gradient_by_its_scale():
    norms = gradient.gradient_norms(gradient.make_cell("linear", 0.9), steps=20)
    assert norms == pytest.approx([0.9**distance for distance in range(21)], rel=1e-4)


@pytest.mark.parametrize("name", gradient.CELLS)
def test_gradient_norms_agree_with_finite_differences(name):
    cell = gradient.make_cell(name, None, seed=3)
    drawn = cpu_generator(1000)  # as gradient_norms draws with its seed 0
    inputs = torch.randn(gradient.ROWS, 4, gradient.INPUT, generator=drawn, dtype=torch.float64)
    direction = torch.randn(gradient.ROWS, gradient.WIDTH, generator=drawn, dtype=torch.float64)
    direction /= direction.norm(dim=-1, keepdim=True)
    _, state = run(cell, inputs[:, :1])
    parts = [state] if isinstance(state, torch.Tensor) else list(state)
    flat = torch.cat(parts, dim=-1).detach()

    def end(flat):
        start = flat if len(parts) == 1 else tuple(flat.chunk(2, dim=-1))
        return run(cell, inputs[:, 1:], start)[0][:, -1]

    columns = []
    with torch.no_grad():
        for unit in range(flat.shape[1]):
            change = torch.zeros_like(flat)
            change[:, unit] = 1e-6
            difference = end(flat + change) - end(flat - change)
            columns.append((difference * direction).sum(-1) / 2e-6)
    wanted = torch.stack(columns, dim=-1).norm(dim=-1).log().mean().exp().item()
    assert gradient.gradient_norms(cell, steps=3)[3] == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize(("kind", "bias"), [("LSTM, forget bias 1", 1), ("LSTM, forget bias 5", 5)])
def test_the_forget_gate_and_no_other_has_the_bias(kind, bias):
    layer, plain = (Recaller(name, cpu_generator(0)).layer for name in (kind, "LSTM"))
    total = (layer.bias_ih_l0 + layer.bias_hh_l0).view(4, -1)
    before = (plain.bias_ih_l0 + plain.bias_hh_l0).view(4, -1)
    assert torch.equal(total[1], torch.full((22,), float(bias)))
    assert torch.equal(total[[0, 2, 3]], before[[0, 2, 3]])


@pytest.mark.parametrize("kind", nets.KINDS)
def test_stacked_nets_give_the_scores_of_torchs_layers(kind):
    single = [Recaller(kind, cpu_generator(seed)) for seed in range(3)]
    symbols = torch.stack([recall.sequences(9, 5, cpu_generator(s)) for s in range(3)])
    together = nets.scores(kind, stack(single), symbols)
    one_by_one = torch.stack([net(own) for net, own in zip(single, symbols, strict=True)])
    torch.testing.assert_close(together, one_by_one, atol=1e-6, rtol=1e-5)


def test_accuracy_is_the_share_of_first_symbols_recalled():
    two = [Recaller("tanh", cpu_generator(0)) for _ in range(2)]
    for net, always in zip(two, (2, 3), strict=True):
        with torch.no_grad():
            net.readout.weight.zero_()
            net.readout.bias.copy_(9.0 * torch.eye(4)[always])
    symbols = recall.sequences(3, 100, cpu_generator(0))
    wanted = [(symbols[0] == always).float().mean().item() for always in (2, 3)]
    assert recall.accuracies("tanh", stack(two), symbols) == pytest.approx(wanted)


@pytest.mark.parametrize("kind", ["tanh, orthogonal", "LSTM, forget bias 5"])
def test_a_net_learns_beside_others_what_it_learns_alone(kind):
    together = recall.train(kind, 4, 1e-2, seeds=(3, 5), updates=3).weights
    alone = recall.train(kind, 4, 1e-2, seeds=(5,), updates=3).weights
    for name, weight in together.items():
        torch.testing.assert_close(weight[1], alone[name][0], atol=1e-5, rtol=0)
        assert not torch.allclose(weight[0], weight[1], atol=1e-3)


def test_the_verb_agrees_with_the_last_noun_when_a_clause_stands_between():
    page = in_page.load()

    def ratio(begun: str) -> float:
        """Probability of plural verbs over that of singular verbs."""
        following = page.following(begun.split())
        plural, singular = (
            sum(following[page.words.index(verb)].item() for verb in verbs.split())
            for verbs in ("have sleep wait see find do", "has sleeps waits sees finds does")
        )
        return plural / singular

    for subject in ("the dog that sees", "the girl who sees", "the cat that hears"):
        for other in ("the cats", "the kings", "two dogs"):
            assert ratio(f"{subject} {other}") > 3
    for noun in ("dog", "girl", "king"):
        assert ratio(f"the {noun}") < 1 / 10
        assert ratio(f"the {noun}s") > 10
