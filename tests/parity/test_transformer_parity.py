"""Layers and stacks beside torch.nn's from the same weights: values and gradients, float64."""

import pytest
import torch
from torch import Tensor, nn

from course_lib.attention.masks import causal_mask, for_keys
from course_lib.attention.multihead import MultiHeadAttention
from course_lib.models.layers import DecoderLayer, SelfAttentionLayer
from course_lib.models.transformer import Transformer, TransformerConfig

WIDTH, HEADS, INNER, B, S, T = 8, 2, 12, 3, 6, 5
EXACT = {"rtol": 0, "atol": 1e-10}
REAL = torch.arange(S) < torch.tensor([6, 3, 1])[:, None]
FUTURE = ~causal_mask(T)[0]  # torch hides where it is True


def random(*shape: int, seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


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


def weight_gradients(layer: nn.Module) -> list[Tensor]:
    """Of what has one name in ours and theirs: feed-forward and norms."""
    if hasattr(layer, "linear1"):
        parts = [layer.linear1, layer.linear2, layer.norm1, layer.norm2]
        parts += [layer.norm3] if hasattr(layer, "norm3") else []
    else:
        inner, arounds = layer.feed_forward, [layer.around_self, layer.around_feed_forward]
        if isinstance(layer, DecoderLayer):
            arounds.insert(1, layer.around_cross)
        parts = [inner.inner, inner.outer, *(around.norm for around in arounds)]
    return [p.grad for part in parts for p in part.parameters()]


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
    for one, two in zip(weight_gradients(ours), weight_gradients(theirs), strict=True):
        torch.testing.assert_close(one, two, rtol=1e-10, atol=1e-9)
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
        source = ours.cross_attention.remember(memory)
        mine = ours(x, source, mask=causal_mask(T), source_mask=for_keys(REAL)).vectors
        return mine, theirs(x, memory, tgt_mask=FUTURE, memory_key_padding_mask=~REAL)

    for found in both():
        found.square().sum().backward()
    for one, two in zip(weight_gradients(ours), weight_gradients(theirs), strict=True):
        torch.testing.assert_close(one, two, rtol=1e-10, atol=1e-9)
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
    embedded = (
        WIDTH**0.5 * table[ids] for table, ids in zip(tables, (source, target), strict=True)
    )
    vectors = theirs(
        *embedded,
        tgt_mask=FUTURE,
        src_key_padding_mask=~REAL,
        memory_key_padding_mask=~REAL,
    )
    logits = vectors @ ours.words.weight.T
    # Through the encoder's first layer the gradient of everything else has come.
    layers = ours.encoder[0].feed_forward.inner, theirs.encoder.layers[0].linear1
    upstream = random(B, T, 9, seed=5)
    first, second = (
        torch.autograd.grad((found * upstream).sum(), layer.weight, retain_graph=True)[0]
        for found, layer in zip((ours(source, REAL, target).logits, logits), layers, strict=True)
    )
    torch.testing.assert_close(first, second, **EXACT)
    check_equal(ours(source, REAL, target).logits, logits, tables)


def test_the_check_tells_the_norms_apart():
    theirs = strong(nn.TransformerEncoderLayer(**torchs("post")))
    ours = SelfAttentionLayer(config("pre")).double()
    copy_layer(ours, theirs)
    x = random(B, S, WIDTH, seed=1).requires_grad_()
    with pytest.raises(AssertionError):
        check_equal(ours(x).vectors, theirs(x), (x,))
