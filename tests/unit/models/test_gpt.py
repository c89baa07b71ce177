"""The GPT: equal to torch's stack, blind to the future, right with its cache in every variant."""

import math
from dataclasses import asdict

import pytest
import torch
from torch import nn

from course_lib.attention.masks import causal_mask
from course_lib.attention.multihead import MultiHeadAttention
from course_lib.data.tokens.tokenizer import PAD, START
from course_lib.models.gpt import (
    GPT,
    GPTConfig,
    SwiGLU,
    cache_bytes,
    gpt2,
    llama,
    norm_of,
)
from course_lib.models.language_model import Continuing
from course_lib.training.checkpoint import load_weights, read_tensors, weights_of, write_tensors
from tests.kinds import stepwise
from tests.sizes import for_torch

WORDS, WIDTH, HEADS, INNER, T = 11, 16, 4, 24, 6
EXACT = {"rtol": 0, "atol": 1e-10}
VARIANTS = {
    "gpt2": {"positions": "learned"},
    "rms": {"rms": True},
    "rotary": {"positions": "rotary"},
    "swiglu": {"swiglu": True},
    "no bias": {"bias": False},
    "grouped": {"kv_heads": 2},
    "one key head": {"kv_heads": 1, "positions": "rotary"},
    "llama": asdict(llama(WORDS, width=WIDTH, layers=2, feed_forward=INNER, max_length=32)),
}


def make(seed: int = 0, **settings) -> GPT:
    """Every weight, bias and gain at random."""
    sizes = {"vocabulary": WORDS, "width": WIDTH, "heads": HEADS, "layers": 2, "max_length": 32}
    model = GPT(GPTConfig(**sizes | {"feed_forward": INNER} | settings)).double().eval()
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.5 * torch.randn(parameter.shape, generator=draw, dtype=torch.float64))
    return model


def some_tokens(seed: int = 1, length: int = T) -> torch.Tensor:
    return torch.randint(4, WORDS, (3, length), generator=torch.Generator().manual_seed(seed))


@pytest.fixture(params=VARIANTS, ids=str)
def model(request) -> GPT:
    return make(**VARIANTS[request.param])


def torchs(model: GPT) -> nn.TransformerEncoder:
    """torch's stack from the same weights; its norm at the end is ours too."""
    layer = nn.TransformerEncoderLayer(
        WIDTH,
        HEADS,
        INNER,
        dropout=0.0,
        activation="gelu",
        batch_first=True,
        norm_first=True,
        dtype=torch.float64,
    )
    stack = nn.TransformerEncoder(
        layer, 2, norm=nn.LayerNorm(WIDTH, dtype=torch.float64), enable_nested_tensor=False
    )
    for ours, theirs in zip(model.layers, stack.layers, strict=True):
        theirs.load_state_dict(for_torch(ours))
    stack.norm.load_state_dict(model.norm.state_dict())
    return stack


def test_it_equals_torchs_encoder_under_a_causal_mask_in_values_and_gradients():
    model, tokens = make(positions="learned"), some_tokens()
    stack, table = torchs(model), model.embed.table.weight
    x = WIDTH**0.5 * table[tokens] + model.embed.position(torch.arange(T), torch.float64)
    theirs = stack(x, mask=~causal_mask(T)[0]) @ table.T
    ours = model(tokens)
    torch.testing.assert_close(ours, theirs, **EXACT)
    upstream = torch.randn(ours.shape, generator=torch.Generator().manual_seed(2)).double()
    (ours * upstream).sum().backward()
    grad = table.grad.clone()
    table.grad = None
    (theirs * upstream).sum().backward()
    torch.testing.assert_close(grad, table.grad, **EXACT)
    for layer, other in zip(model.layers, stack.layers, strict=True):
        attention = layer.self_attention
        parts = (attention.queries, attention.keys, attention.values)
        stacked = torch.cat([part.weight.grad for part in parts])
        torch.testing.assert_close(stacked, other.self_attn.in_proj_weight.grad, **EXACT)
        inner = layer.feed_forward.inner.weight.grad
        torch.testing.assert_close(inner, other.linear1.weight.grad, **EXACT)


def test_later_tokens_have_no_influence_and_earlier_ones_have(model):
    tokens = some_tokens()
    other = tokens.clone()
    other[:, 3] = 4 + (other[:, 3] - 3) % (WORDS - 4)
    one, two = model(tokens), model(other)
    assert torch.equal(one[:, :3], two[:, :3])
    assert (one[:, 3:] != two[:, 3:]).any(-1).all()


def test_stepping_with_the_cache_equals_the_whole_pass(model):
    prompts = torch.tensor([[START, 5, 6, 7], [START, 9, PAD, PAD], [START, PAD, PAD, PAD]])
    real = torch.arange(4) < torch.tensor([4, 2, 1])[:, None]
    written = torch.tensor([[START, 4, 8, 10], [START, 6, 6, 3], [START, 10, 5, 4]])
    stepped = stepwise(Continuing(model), prompts, real, written).logits
    for row, length in enumerate((4, 2, 1)):
        line = torch.cat([prompts[row, :length], written[row, 1:]])[None]
        whole = model(line)[0, length - 1 :]
        torch.testing.assert_close(stepped[row], whole, **EXACT)


def test_a_group_shares_its_keys_and_equals_whole_heads_with_the_keys_repeated():
    grouped = make(kv_heads=2).layers[0].self_attention
    whole = MultiHeadAttention(WIDTH, HEADS).double()
    state = grouped.state_dict()
    for name in ("keys.weight", "keys.bias", "values.weight", "values.bias"):
        state[name] = state[name].unflatten(0, (2, -1)).repeat_interleave(2, 0).flatten(0, 1)
    whole.load_state_dict(state)
    x = torch.randn(2, 5, WIDTH, generator=torch.Generator().manual_seed(0)).double()
    mask = causal_mask(5)
    one = grouped(x, mask=mask, return_attention=True)
    two = whole(x, mask=mask, return_attention=True)
    torch.testing.assert_close(one.context, two.context, **EXACT)
    torch.testing.assert_close(one.weights, two.weights, **EXACT)
    # A wrong order of the heads, 0 1 0 1 in place of 0 0 1 1, is another model.
    for name in ("keys.weight", "keys.bias"):
        state[name] = grouped.state_dict()[name].repeat(2, *[1] * (state[name].dim() - 1))
    whole.load_state_dict(state)
    assert not torch.allclose(whole(x, mask=mask).context, one.context, atol=1e-3)


def test_rotary_positions_are_relative():
    model = make(positions="rotary")
    tokens, mask = some_tokens(), causal_mask(T)
    here, _ = model.run_layers(tokens, torch.arange(T), mask)
    later, _ = model.run_layers(tokens, torch.arange(7, T + 7), mask)
    torch.testing.assert_close(here, later)
    mixed, _ = model.run_layers(tokens, torch.arange(T).flip(0), mask)
    assert not torch.allclose(here, mixed, atol=1e-3)


def test_the_parts_compute_their_equations():
    x = torch.randn(2, 3, WIDTH, generator=torch.Generator().manual_seed(0)).double() + 1
    part = SwiGLU(WIDTH, INNER, bias=False).double()
    gate = part.gate(x)
    wanted = part.outer(gate * torch.sigmoid(gate) * part.inner(x))
    torch.testing.assert_close(part(x), wanted, **EXACT)
    norm = norm_of(GPTConfig(WORDS, width=WIDTH, rms=True)).double()
    root = (x.square().mean(-1, keepdim=True) + 1e-5).sqrt()
    torch.testing.assert_close(norm(x), x / root, **EXACT)


def test_recipes_differ_in_what_they_say():
    old, new = gpt2(WORDS, width=WIDTH), llama(WORDS, width=WIDTH)
    changed = {name for name, value in asdict(old).items() if value != asdict(new)[name]}
    assert changed == {"rms", "positions", "swiglu", "bias", "kv_heads"}
    names = dict(GPT(new).named_parameters())
    assert not [name for name in names if name.endswith("bias")]
    assert not any("lm_head" in name for name in names)  # the table is the output layer


def test_the_cache_has_the_bytes_that_are_said(model):
    source = torch.tensor([[START, 5, 6]])
    memory = Continuing(model).encode(source, source > 0)
    parts = [part for cache in memory.past.caches for part in cache]
    held = sum(part.numel() * part.element_size() for part in parts)
    assert held == 3 * cache_bytes(model.config, number=8)


def test_swiglu_has_as_many_parameters_as_what_it_replaces():
    sizes = {"width": 96, "heads": 4, "layers": 2, "bias": False}
    plain, gated = (
        sum(p.numel() for p in GPT(GPTConfig(WORDS, swiglu=swiglu, **sizes)).parameters())
        for swiglu in (False, True)
    )
    assert plain == gated


def test_a_checkpoint_round_trips(model, tmp_path):
    write_tensors(tmp_path / "gpt.safetensors", weights_of(model), asdict(model.config))
    tensors, record = read_tensors(tmp_path / "gpt.safetensors")
    again = GPT(GPTConfig(**record)).double().eval()
    assert again.config == model.config
    load_weights(again, tensors, "the file")
    assert torch.equal(again(some_tokens()), model(some_tokens()))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"kv_heads": 3}, "kv_heads that divide 4 heads; got 3"),
        ({"kv_heads": 0}, "got 0"),
        ({"norm": "post"}, "want norm='pre'"),
    ],
)
def test_what_no_gpt_has_is_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        GPT(GPTConfig(WORDS, width=WIDTH, **settings))


def test_nothing_is_stored_and_first_weights_hang_on_the_seed():
    config = llama(WORDS, width=WIDTH)
    one, two, other = (GPT(config, torch.Generator().manual_seed(s)) for s in (0, 0, 1))
    before = set(vars(one))
    one(some_tokens())
    assert set(vars(one)) == before
    for name, weight in one.named_parameters():
        assert torch.equal(weight, two.get_parameter(name))
    assert not torch.equal(one.embed.table.weight, other.embed.table.weight)


@pytest.mark.parametrize("make", [gpt2, llama])
@pytest.mark.parametrize("words", [65, 1000])
def test_the_first_loss_is_that_of_a_guess(make, words):
    draw = torch.Generator().manual_seed(0)
    model = GPT(make(words, width=64, heads=4, layers=4, max_length=64), draw)
    x = torch.randint(words, (16, 33), generator=draw)
    loss = torch.nn.functional.cross_entropy(model(x[:, :-1]).flatten(0, 1), x[:, 1:].flatten())
    assert math.log(words) - 0.01 < loss.item() < math.log(words) + 0.15


def test_what_a_layer_adds_is_drawn_smaller_the_deeper_the_model():
    """Half as large with four times as many layers (Radford et al. 2019, section 2.3)."""
    deep, shallow = (
        GPT(gpt2(9, width=64, heads=4, layers=n), torch.Generator().manual_seed(0)).layers[0]
        for n in (8, 2)
    )
    for name in ("feed_forward.outer", "self_attention.output"):
        ratio = deep.get_submodule(name).weight.std() / shallow.get_submodule(name).weight.std()
        assert ratio.item() == pytest.approx(0.5, rel=0.05)
