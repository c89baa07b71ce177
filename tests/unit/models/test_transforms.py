"""PyTorch's own machinery: a trace, an export, `vmap`, gradients of each sample.

A branch on values in a forward pass would break them, or worse: a trace would keep one side of it.
"""

import jaxtyping
import pytest
import torch
from torch import nn
from torch.func import functional_call, grad, vmap

from course_lib.attention.attend import attend
from tests.kinds import KINDS, made, scores

# PyTorch warns where it has no quick way, and where an export looks at a recurrent layer's weights.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

EXPORTED = ("transformer, rotary", "luong, local-p")


@pytest.fixture(autouse=True)
def untyped(monkeypatch) -> None:
    """The hook that compares shapes takes the sizes in a trace, which are tensors, for none."""
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)


class Scores(nn.Module):
    """The logits alone, for a trace wants tensors."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, *inputs):
        return scores(self.model, *inputs)


def unpadded(inputs, rows: int | None = None):
    """The first rows, with all that a mask would hide counted as real."""
    return tuple(x[:rows] | True if x.dtype == torch.bool else x[:rows] for x in inputs)


@pytest.fixture(params=KINDS)
def kind(request) -> str:
    return request.param


@pytest.mark.parametrize("kind", EXPORTED)
def test_an_export_serves_padding_and_none(kind):
    if kind == "luong, local-p" and torch.__version__.startswith("2.4"):
        pytest.skip("torch 2.4 traces the states of this LSTM with one dimension too many")
    model, inputs = made(kind)
    exported = torch.export.export(Scores(model), inputs, strict=False).module()
    for given in (inputs, unpadded(inputs)):
        found = exported(*given)
        torch.testing.assert_close(found, scores(model, *given), atol=1e-5, rtol=1e-5)


def test_each_sample_has_its_own_scores_and_gradient(kind):
    model, inputs = made(kind)
    weights = {name: p.detach() for name, p in model.named_parameters()}

    def one(weights, *sample):
        return scores(Called(model, weights), *(x.unsqueeze(0) for x in sample)).squeeze(0)

    samples = (None, *(0 for _ in inputs))
    found = vmap(one, samples)(weights, *inputs)
    torch.testing.assert_close(found, scores(model, *inputs), atol=1e-5, rtol=1e-5)
    slopes = vmap(grad(lambda *given: one(*given).square().sum()), samples)(weights, *inputs)
    for row in range(len(inputs[0])):
        model.zero_grad()
        scores(model, *(x[row : row + 1] for x in inputs)).square().sum().backward()
        for name, p in model.named_parameters():
            wanted = torch.zeros_like(p) if p.grad is None else p.grad
            torch.testing.assert_close(slopes[name][row], wanted, atol=1e-4, rtol=1e-4)


class Called:
    """A model that is called with other weights."""

    def __init__(self, model, weights):
        self.call = lambda *inputs: functional_call(model, weights, inputs)

    def __call__(self, *inputs):
        return self.call(*inputs)


def test_attention_is_mapped_over_masks_with_nothing_to_look_at():
    draw = torch.Generator().manual_seed(0)
    x = torch.randn(4, 3, 5, generator=draw)
    mask = torch.rand(4, 3, 3, generator=draw) < 0.4
    mask[0, 1], mask[1] = False, True
    found = vmap(lambda x, m: attend(x, x, x, mask=m).context)(x, mask)
    torch.testing.assert_close(found, attend(x, x, x, mask=mask).context)
