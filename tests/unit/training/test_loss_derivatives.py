"""The gradient of the loss is written out; all other derivatives must agree with PyTorch's own."""

import inspect

import pytest
import torch
from torch.func import functional_call, grad, hessian, jacrev, jvp, vmap

from course_lib.training import loss

# The tests' type checker does not know PyTorch's transforms: what they hand on is half a tensor.
summed_loss = inspect.unwrap(loss.summed_loss)

# PyTorch's forward mode complains of itself.
pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")

TARGET = torch.tensor([[0, 2, 4, 1], [3, 3, 0, 0]])
MASK = torch.tensor([[True, True, True, False], [True, True, False, False]])
SMOOTHING = [0.0, 0.1]


@pytest.fixture
def logits():
    return torch.randn(2, 4, 5, dtype=torch.double, generator=torch.Generator().manual_seed(3))


def reference(logits, target=TARGET, mask=MASK, smoothing=0.0):
    """PyTorch's cross-entropy of the real positions alone."""
    log_p = logits.masked_fill(~mask[..., None], 0.0).log_softmax(-1)
    share = (target[..., None] == torch.arange(5)).double() * (1 - smoothing) + smoothing / 5
    return -((share * log_p).sum(-1) * mask).sum()


def both(smoothing):
    return (
        lambda z: summed_loss(z, TARGET, MASK, smoothing),
        lambda z: reference(z, smoothing=smoothing),
    )


@pytest.mark.parametrize("smoothing", SMOOTHING)
def test_a_gradient_penalty_has_the_right_gradient(logits, smoothing):
    def penalty(loss):
        z = logits.clone().requires_grad_()
        (first,) = torch.autograd.grad(3 * loss(z), z, create_graph=True)
        (second,) = torch.autograd.grad(first.square().sum(), z, create_graph=True)
        (third,) = torch.autograd.grad(second.square().sum(), z)
        return first, second, third

    for ours, theirs in zip(*map(penalty, both(smoothing)), strict=True):
        torch.testing.assert_close(ours, theirs)
        assert ours.abs().sum() > 0.1


@pytest.mark.parametrize("smoothing", SMOOTHING)
@pytest.mark.parametrize("way", [grad, jacrev, hessian])
def test_under_torch_func(logits, smoothing, way):
    ours, theirs = both(smoothing)
    torch.testing.assert_close(way(ours)(logits), way(theirs)(logits))


@pytest.mark.parametrize("smoothing", SMOOTHING)
def test_forward_mode(logits, smoothing):
    ours, theirs = both(smoothing)
    along = torch.arange(40.0, dtype=torch.double).reshape(2, 4, 5).sin()
    for f, g in ((ours, theirs), (grad(ours), grad(theirs))):
        for got, wanted in zip(
            jvp(f, (logits,), (along,)), jvp(g, (logits,), (along,)), strict=True
        ):
            torch.testing.assert_close(got, wanted)


def test_gradcheck_agrees(logits):
    z = logits.requires_grad_()
    ours, _ = both(0.1)
    assert torch.autograd.gradcheck(ours, z, check_forward_ad=True, check_batched_grad=True)
    assert torch.autograd.gradgradcheck(ours, z)


def test_gradients_of_each_sentence(logits):
    layer = torch.nn.Linear(5, 5).double()
    weights = dict(layer.named_parameters())

    def loss_of(function, weights, z, target, mask):
        made = functional_call(layer, weights, (z[None],))
        return function(made, target[None], mask[None])

    def each(function):
        of_one = grad(lambda *given: loss_of(function, *given))
        return vmap(of_one, in_dims=(None, 0, 0, 0))(weights, logits, TARGET, MASK)

    for ours, theirs in zip(each(summed_loss).values(), each(reference).values(), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_what_stands_at_padding_reaches_no_derivative(logits):
    dirty = logits.masked_fill(~MASK[..., None], torch.nan)
    ours, theirs = both(0.1)
    for way in (grad, lambda f: grad(lambda z: grad(f)(z)[MASK].square().sum())):
        got = way(ours)(dirty)
        assert torch.equal(got[~MASK], torch.zeros_like(got[~MASK]))
        torch.testing.assert_close(got[MASK], way(theirs)(logits)[MASK])


@pytest.mark.parametrize("smoothing", SMOOTHING)
def test_compiled_as_a_whole_it_is_the_same(logits, smoothing):
    ours, _ = both(smoothing)
    whole = torch.compile(ours, backend="aot_eager", fullgraph=True)
    z, again = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    ours(z).backward()
    whole(again).backward()
    torch.testing.assert_close(again.grad, z.grad)
