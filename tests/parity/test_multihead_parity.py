"""Multi-head attention beside torch.nn.MultiheadAttention: same weights, values and gradients."""

import pytest
import torch
from torch import Tensor, nn

from course_lib.attention.masks import causal_mask, combine, for_keys, padding_mask
from course_lib.attention.multihead import MultiHeadAttention
from tests.sizes import random

WIDTH, HEADS, B, Q, K = 8, 2, 3, 5, 7
EXACT = {"rtol": 0, "atol": 1e-10}
PADDING = for_keys(padding_mask(torch.tensor([7, 4, 1]), K))
MASKS = {
    "none": None,
    "padding": PADDING,
    "causal": causal_mask(Q, K),
    "both": combine(PADDING, causal_mask(Q, K)),
}


def twins(memory_width: int | None = None) -> tuple[MultiHeadAttention, nn.MultiheadAttention]:
    """Ours and torch's with the same weights, biases that are not zero included."""
    theirs = nn.MultiheadAttention(
        WIDTH, HEADS, batch_first=True, kdim=memory_width, vdim=memory_width
    ).double()
    for seed, parameter in enumerate(theirs.parameters()):
        parameter.data = random(*parameter.shape, seed=seed)
    ours = MultiHeadAttention(WIDTH, HEADS, memory_width=memory_width).double()
    parts = (ours.queries, ours.keys, ours.values)
    if memory_width is None:
        matrices = theirs.in_proj_weight.chunk(3)
    else:
        matrices = theirs.q_proj_weight, theirs.k_proj_weight, theirs.v_proj_weight
    with torch.no_grad():
        for part, matrix, bias in zip(parts, matrices, theirs.in_proj_bias.chunk(3), strict=True):
            part.weight.copy_(matrix)
            part.bias.copy_(bias)
        ours.output.load_state_dict(theirs.out_proj.state_dict())
    return ours, theirs


def gradients(model: nn.Module) -> dict[str, Tensor]:
    """The gradients of the weights, in torch's layout."""
    if isinstance(model, nn.MultiheadAttention):
        stacked = model.in_proj_weight is not None
        names = [f"{n}_proj_weight" for n in "qkv"]
        first = model.in_proj_weight.grad.chunk(3) if stacked else ()
        return {
            "matrices": tuple(first) or tuple(getattr(model, n).grad for n in names),
            "biases": model.in_proj_bias.grad.chunk(3),
            "output": (model.out_proj.weight.grad, model.out_proj.bias.grad),
        }
    parts = (model.queries, model.keys, model.values)
    return {
        "matrices": tuple(part.weight.grad for part in parts),
        "biases": tuple(part.bias.grad for part in parts),
        "output": (model.output.weight.grad, model.output.bias.grad),
    }


def check_parity(
    mask: Tensor | None,
    memory_width: int | None = None,
    itself: bool = False,
) -> None:
    """Values, weights, and gradients to inputs and parameters, both ways of asking."""
    ours, theirs = twins(memory_width)
    query = random(B, Q, WIDTH, seed=11).requires_grad_()
    memory = random(B, K, memory_width or WIDTH, seed=12).requires_grad_()
    leaves = (query,) if itself else (query, memory)
    upstream = random(B, Q, WIDTH, seed=13)
    # Torch's masks hide where they are True; one for each head and row.
    whole = None if mask is None else ~mask.expand(B, -1, -1).repeat_interleave(HEADS, 0)
    if itself and whole is not None:
        whole = whole.expand(-1, Q, -1)
    elif whole is not None:
        whole = whole.expand(-1, Q, K)
    for weights in (True, False):
        other = leaves[-1]
        wanted, their_weights = theirs(
            query, other, other, attn_mask=whole, need_weights=weights, average_attn_weights=False
        )
        found = ours(*leaves, mask=mask, return_attention=weights)
        torch.testing.assert_close(found.context, wanted, **EXACT)
        assert (found.weights is None) == (not weights)
        if weights:
            torch.testing.assert_close(found.weights, their_weights, **EXACT)
        got = torch.autograd.grad((found.context * upstream).sum(), leaves, retain_graph=True)
        want = torch.autograd.grad((wanted * upstream).sum(), leaves, retain_graph=True)
        for one, two in zip(got, want, strict=True):
            assert (two != 0).any()
            torch.testing.assert_close(one, two, **EXACT)
        for model, context in ((ours, found.context), (theirs, wanted)):
            model.zero_grad()
            (context * upstream).sum().backward()
        ours_grad, their_grad = gradients(ours), gradients(theirs)
        for name in ours_grad:
            for one, two in zip(ours_grad[name], their_grad[name], strict=True):
                torch.testing.assert_close(one, two, **EXACT)


@pytest.mark.parametrize("memory_width", [None, 6])
@pytest.mark.parametrize("name", MASKS)
def test_cross_attention_equals_torch(name, memory_width):
    check_parity(mask=MASKS[name], memory_width=memory_width)


@pytest.mark.parametrize(
    "mask", [None, causal_mask(Q), for_keys(padding_mask(torch.tensor([5, 2, 1]), Q))]
)
def test_self_attention_equals_torch(mask):
    check_parity(mask=mask, itself=True)
