"""What holds of every classifier of pairs: padding, first weights, counts, names."""

import pytest
import torch

from course_lib.models.parts import parameters_of
from course_lib.models.registry import CLASSIFIERS, build

SIZES = {"vocabulary": 12, "embedding": 5, "hidden": 6}
VARIANTS = [(name, {}) for name in CLASSIFIERS] + [
    ("decomposable", {"intra": True}),
    ("decomposable", {"contrast": True}),
    ("bag", {"contrast": True}),
]


def seed(number: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(number)


@pytest.fixture(params=VARIANTS, ids=lambda v: "-".join([v[0], *v[1]]))
def net(request) -> torch.nn.Module:
    name, more = request.param
    made = build(name, {**SIZES, **more}, seed()).eval()
    for weight in made.parameters():
        if weight.dim() < 2:  # a bias of zero would let padding come to nothing by accident
            torch.nn.init.normal_(weight, generator=seed(1))
    return made


def padded(pads: int, filler: int):
    """Three words and two, with so many words of padding behind each."""
    sides = []
    for ids in ([3, 4, 5], [6, 7]):
        row = torch.tensor([ids + [filler] * pads])
        sides += [row, torch.arange(row.shape[1])[None] < len(ids)]
    return sides


def test_padding_has_no_influence(net):
    alone = net(*padded(0, 0))
    for pads, filler in ((1, 0), (3, 9)):
        torch.testing.assert_close(net(*padded(pads, filler)), alone, atol=1e-6, rtol=1e-6)


def test_padding_gets_no_gradient(net):
    net(*padded(3, 9)).square().sum().backward()
    gradient = net.words.table.weight.grad
    assert (gradient[9] == 0).all()
    assert (gradient[3:8] != 0).any(-1).all()


def test_a_row_does_not_see_its_neighbours(net):
    inputs = [torch.cat([one, two]) for one, two in zip(padded(2, 8), padded(2, 9), strict=True)]
    logits = net(*inputs)
    torch.testing.assert_close(logits[0], logits[1], atol=1e-6, rtol=1e-6)


def test_a_seed_decides_the_first_weights():
    for name in CLASSIFIERS:
        one, same, other = (build(name, SIZES, seed(n)).state_dict() for n in (0, 0, 1))
        assert all(torch.equal(one[key], same[key]) for key in one)
        assert any(not torch.equal(one[key], other[key]) for key in one)


def test_parameters_leave_the_word_table_out_and_what_does_not_learn():
    for frozen in (False, True):
        net = build("bag", {**SIZES, "frozen": frozen}, seed())
        rest = 5 * 6 + 2 * (6 * 6 + 6) + (12 * 6 + 6) + (6 * 6 + 6) + (6 * 3 + 3)
        assert parameters_of(net) == rest
        assert parameters_of(net, embeddings=True) == rest + 12 * 5


@pytest.mark.parametrize(("name", "more"), [("bag", {"contrast": True}), ("lstm", {})])
def test_contrast_is_difference_and_product_of_two_vectors(name, more):
    net = build(name, {**SIZES, **more}, seed()).eval()
    seen = []
    net.aggregate.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    net(*padded(0, 0))
    u, v, difference, product = seen[0].split(6, dim=-1)
    torch.testing.assert_close(difference, (u - v).abs())
    torch.testing.assert_close(product, u * v)
    assert not torch.allclose(u, v)


def test_the_bag_does_not_see_order_and_the_lstm_does():
    premise, premise_mask, hypothesis, hypothesis_mask = padded(0, 0)
    for name, same in (("bag", True), ("lstm", False)):
        net = build(name, SIZES, seed()).eval()
        one = net(premise, premise_mask, hypothesis, hypothesis_mask)
        other = net(premise.flip(1), premise_mask, hypothesis, hypothesis_mask)
        assert torch.allclose(one, other, atol=1e-6) == same
