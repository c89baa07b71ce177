"""Multi-head attention: any widths, masks without influence, a cache that only grows."""

import jaxtyping
import pytest
import torch
from torch import Tensor

from course_lib.attention.masks import causal_mask, for_keys, padding_mask
from course_lib.attention.multihead import MultiHeadAttention
from course_lib.attention.position import rotate
from tests.sizes import random

B, Q, K, WIDTH = 3, 4, 6, 8


def make(heads: int = 2, **settings) -> MultiHeadAttention:
    attention = MultiHeadAttention(WIDTH, heads, **settings).double().eval()
    with torch.no_grad():
        for seed, parameter in enumerate(attention.parameters()):
            parameter.copy_(random(*parameter.shape, seed=seed))
    return attention


SHAPES = [
    {},
    {"heads": 1},
    {"heads": 3, "key_width": 2, "value_width": 5},
    {"memory_width": 5, "key_width": 1, "value_width": 7},
    {"bias": False},
    {"rotary": True},
    {"scaled": False},
]


@pytest.fixture(params=SHAPES, ids=lambda s: " ".join(s) or "plain")
def attention(request) -> MultiHeadAttention:
    return make(**request.param)


def inputs(attention: MultiHeadAttention, itself: bool = False) -> tuple[Tensor, Tensor]:
    query = random(B, Q, WIDTH, seed=20)
    return query, query if itself else random(B, K, attention.keys.in_features, seed=21)


def test_each_head_is_an_attention_of_its_own_and_w_o_a_sum_of_maps(attention):
    """Head by head with plain matrices: C25, and d_k, d_v as they come."""
    query, memory = inputs(attention)
    mask = for_keys(padding_mask(torch.tensor([6, 3, 1]), K))
    found = attention(query, memory, mask=mask, return_attention=True)
    total = torch.zeros_like(query) + (
        0 if attention.output.bias is None else attention.output.bias
    )
    dk, dv = attention.key_width, attention.value_width
    for head in range(attention.heads):
        rows, columns = slice(head * dk, (head + 1) * dk), slice(head * dv, (head + 1) * dv)
        asked, keys = attention.queries(query)[..., rows], attention.keys(memory)[..., rows]
        if attention.rotary:
            asked, keys = rotate(asked, torch.arange(K - Q, K)), rotate(keys, torch.arange(K))
        values = attention.values(memory)[..., columns]
        scores = asked @ keys.mT / (dk**0.5 if attention.scaled else 1)
        share = scores.masked_fill(~mask, -torch.inf).softmax(-1)
        torch.testing.assert_close(found.weights[:, head], share)
        assert attention.columns(head) == columns
        total = total + share @ values @ attention.output.weight[:, columns].T
    torch.testing.assert_close(found.context, total)


def test_the_fused_kernel_and_our_own_lines_agree(attention):
    query, memory = inputs(attention)
    mask = random(B, Q, K, seed=3) > 0
    mask[0, 0] = False  # a query that may look nowhere
    fused, written = (
        attention(query, memory, mask=mask, return_attention=w) for w in (False, True)
    )
    assert fused.weights is None
    torch.testing.assert_close(fused.context, written.context)
    assert (written.weights[0, :, 0] == 0).all()
    bias = attention.output.bias
    nothing = torch.zeros(WIDTH).double() if bias is None else bias
    torch.testing.assert_close(fused.context[0, 0], nothing)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("weights", [True, False])
def test_masked_positions_have_no_influence_and_no_gradient(attention, weights, training):
    attention.train(training)
    query, memory = inputs(attention)
    memory.requires_grad_()
    mask = for_keys(padding_mask(torch.tensor([6, 3, 1]), K))
    context = attention(query, memory, mask=mask, return_attention=weights).context
    hidden = ~mask[:, 0]
    (gradient,) = torch.autograd.grad(context.square().sum(), memory)
    assert (gradient[hidden] == 0).all()
    assert (gradient[~hidden] != 0).any(-1).all()
    other = memory.detach().clone()
    other[hidden] = 1e3
    changed = attention(query, other, mask=mask, return_attention=weights).context
    torch.testing.assert_close(changed, context.detach(), rtol=0, atol=0)


@pytest.mark.parametrize("settings", [{}, {"rotary": True}], ids=["plain", "rotary"])
def test_a_cache_that_grows_gives_what_the_whole_sequence_gives(settings):
    attention, (sequence, _) = make(**settings), inputs(make())
    whole = attention(sequence, mask=causal_mask(Q), return_attention=True)
    cache, rows = None, []
    for t in range(Q):
        newest = sequence[:, t : t + 1]
        part = attention.project_kv(newest, torch.tensor([t]))
        before, cache = cache, part if cache is None else cache.followed_by(part)
        read = attention.attend(newest, cache, return_attention=True)
        torch.testing.assert_close(read.context[:, 0], whole.context[:, t])
        torch.testing.assert_close(read.weights[:, :, 0], whole.weights[:, :, t, : t + 1])
        assert cache.length == t + 1
        assert before is None or before.length == t
        rows.append(read)
    once = attention.project_kv(sequence)
    torch.testing.assert_close(once.keys, cache.keys)
    torch.testing.assert_close(once.values, cache.values)


def test_rotary_knows_distances_alone():
    attention, (sequence, _) = make(rotary=True), inputs(make())
    near = attention.attend(sequence, attention.project_kv(sequence), return_attention=True)
    places = torch.arange(Q) + 100
    cache = attention.project_kv(sequence, places)
    far = attention.attend(sequence, cache, return_attention=True, positions=places)
    torch.testing.assert_close(far.weights, near.weights)
    wrong = attention.attend(sequence, cache, return_attention=True)
    assert not torch.allclose(wrong.weights, near.weights)
    by_row = torch.stack([places, places + 3, places + 9])
    rows = attention.attend(
        sequence, attention.project_kv(sequence, by_row), return_attention=True, positions=by_row
    )
    torch.testing.assert_close(rows.weights, near.weights)


def test_a_silenced_head_is_left_out_of_the_sum():
    attention, (query, memory) = make(), inputs(make())
    parts = []
    for kept in range(2):
        alone = make()
        with torch.no_grad():
            alone.output.weight[:, alone.columns(1 - kept)] = 0.0
        parts.append(alone(query, memory).context - alone.output.bias)
    whole = attention(query, memory).context - attention.output.bias
    torch.testing.assert_close(sum(parts), whole)


def test_dropout_falls_on_the_weights_in_training_alone():
    attention, (query, memory) = make(dropout=0.5), inputs(make())
    quiet = [attention(query, memory, return_attention=w).context for w in (True, False)]
    torch.testing.assert_close(*quiet)
    torch.testing.assert_close(quiet[0], make()(query, memory).context)
    attention.train()
    torch.manual_seed(0)
    for weights in (True, False):
        noisy = [attention(query, memory, return_attention=weights).context for _ in range(2)]
        assert not torch.allclose(*noisy)
    share = attention(query, memory, return_attention=True).weights
    assert 0.3 < float((share == 0).double().mean()) < 0.7


@pytest.mark.parametrize("shape", [(B, K), (B, 1, K + 1), (B, 3, Q, K), (1, 1, 1, 1, K)])
def test_a_mask_that_does_not_fit_is_refused(shape):
    attention = make()
    with pytest.raises(ValueError, match=r"want a mask \(3, (2, )?4, 6\), .*; got \("):
        attention(*inputs(attention), mask=torch.ones(shape, dtype=torch.bool))


@pytest.mark.parametrize("shape", [(Q, K), (1, K), (1, Q, K), (B, Q, K), (B, 2, Q, K)])
@pytest.mark.parametrize("weights", [True, False])
def test_a_mask_is_broadcast_as_in_the_fused_kernel(shape, weights):
    attention = make()
    mask = random(*shape, seed=5) > 0
    whole = (mask[:, None] if mask.dim() == 3 else mask).expand(B, 2, Q, K)
    read = attention(*inputs(attention), mask=mask, return_attention=weights).context
    wanted = attention(*inputs(attention), mask=whole, return_attention=True).context
    torch.testing.assert_close(read, wanted)


def test_a_table_with_as_many_queries_as_rows_is_refused_with_advice():
    attention, x = make(), random(Q, Q, WIDTH)
    with pytest.raises(ValueError, match=r"may be \(Q, K\) or \(B, K\). Write mask\[None\]"):
        attention(x, mask=causal_mask(Q)[0])


def test_unlike_rows_are_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    attention, x = make(), random(B, Q, WIDTH)
    for query, memory in ((x[:1], x), (x, x[:1])):
        with pytest.raises(ValueError, match="want as many rows"):
            attention(query, memory)
