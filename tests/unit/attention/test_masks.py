"""Masks, each drawn out."""

import jaxtyping
import pytest
import torch
from torch import Tensor

from course_lib.attention.attend import attend
from course_lib.attention.masks import (
    causal_mask,
    combine,
    for_keys,
    padding_mask,
    positions_of,
    window_mask,
    zero_padding,
)


def drawn(mask: Tensor) -> list[str]:
    mask = mask[0] if mask.dim() == 3 else mask
    return ["".join("x" if open_ else "." for open_ in row) for row in mask.tolist()]


def test_padding_mask():
    assert drawn(padding_mask(torch.tensor([3, 1, 0]))) == ["xxx", "x..", "..."]
    assert drawn(padding_mask(torch.tensor([2, 1]), size=4)) == ["xx..", "x..."]
    assert padding_mask(torch.tensor([], dtype=torch.long)).shape == (0, 0)
    assert drawn(padding_mask([2, 1])) == ["xx", "x."]


@pytest.mark.parametrize("given", [[[True, False]], [[3], [1]], [2.5, 1.0], [True, False]])
def test_a_mask_or_a_column_or_halves_are_no_lengths(given, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(TypeError, match="a whole number for each row; got torch"):
        padding_mask(torch.tensor(given))
    with pytest.raises(TypeError, match="a whole number for each row; got torch"):
        padding_mask(given)


def test_causal_mask():
    assert drawn(causal_mask(3)) == ["x..", "xx.", "xxx"]
    # Two new tokens behind two cached ones: the last query stands at the last key.
    assert drawn(causal_mask(2, 4)) == ["xxx.", "xxxx"]
    assert drawn(causal_mask(1, 4)) == ["xxxx"]
    assert drawn(causal_mask(3, 4, offset=0)) == ["x...", "xx..", "xxx."]
    assert drawn(causal_mask(3, 2, offset=0)) == ["x.", "xx", "xx"]


def test_window_mask():
    assert drawn(window_mask(4, radius=1)) == ["xx..", "xxx.", ".xxx", "..xx"]
    assert drawn(window_mask(3, radius=0)) == ["x..", ".x.", "..x"]
    assert drawn(window_mask(2, 4, radius=1)) == [".xxx", "..xx"]
    # Luong's local-m: target position t looks around source position t.
    assert drawn(window_mask(4, 3, 1, offset=0)) == ["xx.", "xxx", ".xx", "..x"]


def test_combine():
    padding = for_keys(padding_mask(torch.tensor([3, 2])))
    both = combine(padding, None, causal_mask(3))
    assert drawn(both[0]) == ["x..", "xx.", "xxx"]
    assert drawn(both[1]) == ["x..", "xx.", "xx."]
    assert drawn(combine(causal_mask(4), window_mask(4, radius=1))) == [
        "x...",
        "xx..",
        ".xx.",
        "..xx",
    ]
    assert combine() is None
    assert combine(None, None) is None
    assert combine(None, padding) is padding


def test_positions_count_real_tokens():
    real = torch.tensor([[False, True, True], [True, False, True], [True, True, False]])
    positions = positions_of(real)
    assert positions[real].tolist() == [0, 1, 0, 1, 0, 1]
    assert positions.min() == 0


def test_causal_mask_shows_no_future():
    """No query depends on a later key (the gradient says so), each on its own."""
    vectors = torch.randn(1, 5, 4, generator=torch.Generator().manual_seed(0)).requires_grad_()
    context = attend(vectors, vectors, vectors, mask=causal_mask(5)).context
    for i in range(5):
        (gradient,) = torch.autograd.grad(context[0, i].sum(), vectors, retain_graph=True)
        assert (gradient[0, i + 1 :] == 0).all(), "the future has an influence"
        assert (gradient[0, : i + 1] != 0).any(dim=-1).all(), "the past has none"


def test_zero_padding_wipes_values_and_gradients():
    vectors = torch.full((2, 3, 4), torch.nan)
    padding = padding_mask(torch.tensor([2, 0]), 3)
    vectors[padding] = 7.0
    vectors.requires_grad_()
    clean = zero_padding(vectors, padding)
    assert (clean[padding] == 7).all()
    assert (clean[~padding] == 0).all()
    (clean * clean).sum().backward()
    assert (vectors.grad[padding] == 14).all()
    assert (vectors.grad[~padding] == 0).all()
