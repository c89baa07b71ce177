"""The fused layers, and the same stepped from the equations."""

import pytest
import torch
from torch import nn

from course_lib.attention.masks import padding_mask
from course_lib.recurrent.encoder import FUSED, RecurrentEncoder
from course_lib.recurrent.layers import stepped, through, transformed

LAYERS = [(kind, both, layers) for kind in FUSED for both in (False, True) for layers in (1, 2)]


def made(kind: str, both: bool, layers: int, dropout: float = 0.0) -> RecurrentEncoder:
    torch.manual_seed(0)
    return RecurrentEncoder(kind, 3, 4, bidirectional=both, layers=layers, dropout=dropout).double()


def drawn(*shape: int) -> torch.Tensor:
    draw = torch.Generator().manual_seed(1)
    return torch.randn(*shape, generator=draw, dtype=torch.float64)


@pytest.mark.parametrize(("kind", "both", "layers"), LAYERS)
def test_stepped_is_what_packing_gives_with_the_same_gradient(kind, both, layers, monkeypatch):
    model, x, mask = made(kind, both, layers), drawn(3, 5, 3), padding_mask(torch.tensor([5, 2, 1]))
    found = []
    for way in ("fused", "stepped"):
        if way == "stepped":
            monkeypatch.setattr("course_lib.recurrent.encoder.transformed", lambda *_: True)
        model.zero_grad()
        encoded = model(x, mask)
        parts = [part for part in encoded if part is not None]
        sum((part * drawn(*part.shape)).sum() for part in parts).backward()
        found.append([*parts, *(p.grad for p in model.parameters())])
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize(("kind", "both", "layers"), LAYERS)
def test_stepped_starts_where_the_layers_start(kind, both, layers):
    model, x = made(kind, both, layers).layers, drawn(3, 5, 3)
    first = drawn(layers * (1 + both), 3, 4)
    first = (first, first.flip(0)) if kind == "lstm" else first
    for one, other in zip(model(x, first), stepped(model, x, first), strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("kind", FUSED)
def test_padding_is_stepped_over_wherever_it_is(kind):
    layers, mask = made(kind, True, 2).layers, torch.tensor([[False, True, False, True]])
    x = drawn(1, 4, 3)
    outputs, last = stepped(layers, x, mask=mask)
    alone, end = stepped(layers, x[mask][None])
    torch.testing.assert_close(outputs[mask][None], alone)
    torch.testing.assert_close(last, end)


def test_only_what_a_transformation_holds_is_stepped():
    layer, x = nn.GRU(3, 4, batch_first=True), torch.ones(2, 5, 3)
    seen = [transformed(layer, x)]
    torch.vmap(lambda x: seen.append(transformed(layer, x)) or x)(x)
    assert seen == [False, True]
    first = torch.zeros(1, 2, 4)
    assert torch.equal(through(layer, x, first)[0], layer(x, first)[0])
