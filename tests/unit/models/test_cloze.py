"""The encoder that fills gaps: parity with torch, padding without influence, silent heads."""

import pytest
import torch
from torch import nn

from course_lib.models.cloze import Cloze, ClozeConfig, mean_reads, without_heads
from tests.sizes import for_torch, strong

WORDS = 11
TOKENS = torch.tensor([[4, 1, 6, 7, 9], [8, 9, 1, 0, 0]])
REAL = torch.arange(5) < torch.tensor([5, 3])[:, None]
GAP = torch.tensor([1, 2])


def make(seed: int = 0, **settings) -> Cloze:
    config = {"width": 8, "heads": 2, "layers": 2, "feed_forward": 12} | settings
    return strong(Cloze(ClozeConfig(WORDS, **config)), 0.6, seed)


def torchs(model: Cloze) -> nn.TransformerEncoder:
    """PyTorch's encoder with the same weights."""
    layer = nn.TransformerEncoderLayer(
        8, 2, 12, 0.0, batch_first=True, norm_first=True, dtype=torch.float64
    )
    encoder = nn.TransformerEncoder(layer, 2, model.norm, enable_nested_tensor=False).eval()
    for theirs, ours in zip(encoder.layers, model.layers, strict=True):
        theirs.load_state_dict(for_torch(ours))
    return encoder


def test_it_equals_torchs_encoder_in_value_and_gradient():
    model = make()
    encoder = torchs(model)
    x = model.embed(TOKENS, torch.arange(5)).detach().requires_grad_()
    hidden = encoder(x, src_key_padding_mask=~REAL)
    wanted = hidden[torch.arange(2), GAP] @ model.embed.table.weight.T
    found = model(TOKENS, REAL, GAP)
    torch.testing.assert_close(found, wanted)
    target = torch.tensor([3, 5])
    nn.functional.cross_entropy(wanted, target).backward()
    theirs = encoder.layers[0].linear1.weight.grad
    nn.functional.cross_entropy(found, target).backward()
    torch.testing.assert_close(model.layers[0].feed_forward.inner.weight.grad, theirs)


def test_padding_has_no_influence_and_both_sides_have():
    model = make()
    found = model(TOKENS, REAL, GAP)
    other = TOKENS.masked_fill(~REAL, 7)
    torch.testing.assert_close(model(other, REAL, GAP), found, rtol=0, atol=0)
    for place in (0, 4):
        changed = TOKENS.clone()
        changed[0, place] = 3
        assert not torch.allclose(model(changed, REAL, GAP)[0], found[0])


@pytest.mark.parametrize("head", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_a_silent_head_adds_nothing_whatever_it_reads(head):
    model = make()
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    silent = without_heads(model, [head])
    spoiled = without_heads(model, [head])
    n, h = head
    attention = spoiled.layers[n].self_attention
    with torch.no_grad():
        # Other values of this head: nobody hears them.
        attention.values.weight[attention.columns(h)] += 1.0
    torch.testing.assert_close(spoiled(TOKENS, REAL, GAP), silent(TOKENS, REAL, GAP))
    assert not torch.allclose(silent(TOKENS, REAL, GAP), model(TOKENS, REAL, GAP))
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, before[name])


def test_a_head_at_its_mean_reads_the_same_everywhere():
    model, kept = make(), []
    layer, head = 1, 0
    attention = model.layers[layer].self_attention
    handle = attention.output.register_forward_pre_hook(lambda _, given: kept.append(given[0]))
    model(TOKENS, REAL, GAP)
    handle.remove()
    reads = mean_reads(model, TOKENS, REAL)
    torch.testing.assert_close(reads[layer], kept[0][REAL].mean(0))
    own = attention.columns(head)

    def same(_, given):
        changed = given[0].clone()
        changed[..., own] = reads[layer, own]
        return (changed,)

    handle = attention.output.register_forward_pre_hook(same)
    wanted = model(TOKENS, REAL, GAP)
    handle.remove()
    found = without_heads(model, [(layer, head)], reads)(TOKENS, REAL, GAP)
    torch.testing.assert_close(found, wanted)
    assert not torch.allclose(found, without_heads(model, [(layer, head)])(TOKENS, REAL, GAP))
