"""Layers and stacks beside torch.nn's from the same weights: values and all gradients, float64."""

import pytest
import torch
from torch import Tensor, nn

from course_lib.attention.masks import causal_mask, for_keys
from course_lib.attention.multihead import MultiHeadAttention
from course_lib.models.layers import DecoderLayer, SelfAttentionLayer
from course_lib.models.transformer import Transformer, TransformerConfig
from tests.sizes import random

WIDTH, HEADS, INNER, B, S, T = 8, 2, 12, 3, 6, 5
EXACT = {"rtol": 0, "atol": 1e-10}
REAL = torch.arange(S) < torch.tensor([6, 3, 1])[:, None]
FUTURE = ~causal_mask(T)[0]  # torch hides where it is True


def config(norm: str, **more) -> TransformerConfig:
    sizes = {"width": WIDTH, "heads": HEADS, "feed_forward": INNER, "layers": 2}
    return TransformerConfig(9, 9, norm=norm, positions="none", **sizes | more)


def torchs(norm: str) -> dict:
    return {
        "d_model": WIDTH,
        "nhead": HEADS,
        "dim_feedforward": INNER,
        "dropout": 0.0,
        "batch_first": True,
        "norm_first": norm == "pre",
        "dtype": torch.float64,
    }


def strong(module: nn.Module, seed: int = 0) -> nn.Module:
    """Every weight, bias and gain of torch's part at random."""
    for number, parameter in enumerate(module.parameters()):
        parameter.data = 0.7 * random(*parameter.shape, seed=1000 * seed + number)
    return module


def copied(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    parts = (ours.queries, ours.keys, ours.values)
    with torch.no_grad():
        for part, matrix, bias in zip(
            parts, theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3), strict=True
        ):
            part.weight.copy_(matrix)
            part.bias.copy_(bias)
    ours.output.load_state_dict(theirs.out_proj.state_dict())


def copy_layer(ours: nn.Module, theirs: nn.Module) -> None:
    copied(ours.self_attention, theirs.self_attn)
    arounds = [ours.around_self, ours.around_feed_forward]
    if isinstance(ours, DecoderLayer):
        copied(ours.cross_attention, theirs.multihead_attn)
        arounds.insert(1, ours.around_cross)
    ours.feed_forward.inner.load_state_dict(theirs.linear1.state_dict())
    ours.feed_forward.outer.load_state_dict(theirs.linear2.state_dict())
    for number, around in enumerate(arounds, start=1):
        around.norm.load_state_dict(getattr(theirs, f"norm{number}").state_dict())


def check_equal(ours: Tensor, theirs: Tensor, leaves: tuple[Tensor, ...], real=None) -> None:
    """The values, and the gradients to everything that went in."""
    upstream = random(*ours.shape, seed=99)
    if real is not None:
        upstream = upstream * real[..., None]
    torch.testing.assert_close(ours * (upstream != 0), theirs * (upstream != 0), **EXACT)
    for one, two in zip(
        torch.autograd.grad((ours * upstream).sum(), leaves),
        torch.autograd.grad((theirs * upstream).sum(), leaves),
        strict=True,
    ):
        assert (two != 0).any()
        torch.testing.assert_close(one, two, **EXACT)


def attention_gradients(attention: nn.Module) -> dict[str, Tensor]:
    """Of the four matrices and their biases; torch keeps those of the first three in one."""
    if isinstance(attention, MultiHeadAttention):
        parts = (attention.queries, attention.keys, attention.values, attention.output)
        matrices, biases = [p.weight.grad for p in parts], [p.bias.grad for p in parts]
    else:
        last = attention.out_proj
        matrices = [*attention.in_proj_weight.grad.chunk(3), last.weight.grad]
        biases = [*attention.in_proj_bias.grad.chunk(3), last.bias.grad]
    names = ("queries", "keys", "values", "output")
    return {
        **{f"{name} weight": grad for name, grad in zip(names, matrices, strict=True)},
        **{f"{name} bias": grad for name, grad in zip(names, biases, strict=True)},
    }


def weight_gradients(layer: nn.Module) -> dict[str, Tensor]:
    """Of every weight of a layer, under one name in ours and theirs."""
    if hasattr(layer, "linear1"):
        attentions = [layer.self_attn, getattr(layer, "multihead_attn", None)]
        parts = [layer.linear1, layer.linear2, layer.norm1, layer.norm2]
        parts += [layer.norm3] if hasattr(layer, "norm3") else []
    else:
        inner, arounds = layer.feed_forward, [layer.around_self, layer.around_feed_forward]
        attentions = [layer.self_attention, getattr(layer, "cross_attention", None)]
        if isinstance(layer, DecoderLayer):
            arounds.insert(1, layer.around_cross)
        parts = [inner.inner, inner.outer, *(around.norm for around in arounds)]
    found = {}
    for kind, attention in zip(("self", "cross"), attentions, strict=True):
        if attention is not None:
            grads = attention_gradients(attention).items()
            found |= {f"{kind} {name}": grad for name, grad in grads}
    for name, part in zip(("inner", "outer", "norm 1", "norm 2", "norm 3"), parts, strict=False):
        found |= {f"{name} {key}": weight.grad for key, weight in part.named_parameters()}
    return found


def check_weight_gradients(ours: nn.Module, theirs: nn.Module) -> None:
    """Of a layer, after `backward` through both."""
    mine, yours = weight_gradients(ours), weight_gradients(theirs)
    # Not one is left out; torch has two tensors where an attention of ours has six.
    assert len(mine) == len([*ours.parameters()])
    assert list(mine) == list(yours)
    for name, grad in yours.items():
        # A bias of the keys adds one number to all scores of a query, which moves no weight.
        assert (grad.abs() > 1e-6).any() or name.endswith("keys bias"), name
        torch.testing.assert_close(
            mine[name], grad, rtol=1e-10, atol=1e-9, msg=lambda said, name=name: f"{name}: {said}"
        )


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_an_encoder_layer_equals_torchs(norm):
    theirs = strong(nn.TransformerEncoderLayer(**torchs(norm)))
    ours = SelfAttentionLayer(config(norm)).double()
    copy_layer(ours, theirs)
    x = random(B, S, WIDTH, seed=1).requires_grad_()
    mine = ours(x, mask=for_keys(REAL)).vectors
    yours = theirs(x, src_key_padding_mask=~REAL)
    mine.square()[REAL].sum().backward()
    yours.square()[REAL].sum().backward()
    check_weight_gradients(ours, theirs)
    x.grad = None
    mine, yours = ours(x, mask=for_keys(REAL)).vectors, theirs(x, src_key_padding_mask=~REAL)
    check_equal(mine, yours, (x,), REAL)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_decoder_layer_equals_torchs(norm):
    theirs = strong(nn.TransformerDecoderLayer(**torchs(norm)))
    ours = DecoderLayer(config(norm)).double()
    copy_layer(ours, theirs)
    x, memory = (random(B, n, WIDTH, seed=n).requires_grad_() for n in (T, S))

    def both():
        source = ours.cross_attention.project_kv(memory)
        mine = ours(x, source, mask=causal_mask(T), source_mask=for_keys(REAL)).vectors
        return mine, theirs(x, memory, tgt_mask=FUTURE, memory_key_padding_mask=~REAL)

    for found in both():
        found.square().sum().backward()
    check_weight_gradients(ours, theirs)
    check_equal(*both(), (x, memory))


@pytest.mark.filterwarnings("ignore:enable_nested_tensor is True")
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_whole_model_equals_torchs(norm):
    """Torch puts a norm behind a post-norm stack too, which the paper does not: taken away here."""
    theirs = strong(nn.Transformer(num_encoder_layers=2, num_decoder_layers=2, **torchs(norm)))
    ours = Transformer(config(norm, tied="none")).double()
    strong(ours, seed=1)
    for mine, yours in ((ours.encoder, theirs.encoder), (ours.decoder, theirs.decoder)):
        for one, two in zip(mine, yours.layers, strict=True):
            copy_layer(one, two)
    if norm == "pre":
        ours.encoder_norm.load_state_dict(theirs.encoder.norm.state_dict())
        ours.decoder_norm.load_state_dict(theirs.decoder.norm.state_dict())
    else:
        theirs.encoder.norm = theirs.decoder.norm = None
    draw = torch.Generator().manual_seed(3)
    source = torch.randint(9, (B, S), generator=draw)
    target = torch.randint(9, (B, T), generator=draw)
    tables = (ours.source_embed.table.weight, ours.target_embed.table.weight)

    def both():
        embedded = (
            WIDTH**0.5 * table[ids] for table, ids in zip(tables, (source, target), strict=True)
        )
        vectors = theirs(
            *embedded,
            tgt_mask=FUTURE,
            src_key_padding_mask=~REAL,
            memory_key_padding_mask=~REAL,
        )
        return ours(source, REAL, target).logits, vectors @ ours.words.weight.T

    upstream = random(B, T, 9, seed=5)
    for found in both():
        (found * upstream).sum().backward()
    for mine, yours in ((ours.encoder, theirs.encoder), (ours.decoder, theirs.decoder)):
        for one, two in zip(mine, yours.layers, strict=True):
            check_weight_gradients(one, two)
    if norm == "pre":
        norms = (ours.encoder_norm, ours.decoder_norm), (theirs.encoder.norm, theirs.decoder.norm)
        for one, two in zip(*norms, strict=True):
            torch.testing.assert_close(one.weight.grad, two.weight.grad, **EXACT)
            torch.testing.assert_close(one.bias.grad, two.bias.grad, **EXACT)
    check_equal(*both(), (*tables, ours.words.weight))


def test_the_check_tells_the_norms_apart():
    theirs = strong(nn.TransformerEncoderLayer(**torchs("post")))
    ours = SelfAttentionLayer(config("pre")).double()
    copy_layer(ours, theirs)
    x = random(B, S, WIDTH, seed=1).requires_grad_()
    with pytest.raises(AssertionError):
        check_equal(ours(x).vectors, theirs(x), (x,))
