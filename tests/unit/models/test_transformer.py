"""The Transformer in all its variants: cache, masks, positions, dropout, sizes of the paper."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from course_lib.attention.position import sinusoidal
from course_lib.models.blocks import FEW, Residual, TokenTable, tied_logits
from course_lib.models.transformer import TIED, Transformer, TransformerConfig, paper_base
from tests.kinds import stepwise
from tests.sizes import strong

WORDS = 17
VARIANTS = [
    {},
    {"norm": "post", "tied": "all"},
    {"norm": "none", "layers": 1, "tied": "none"},
    {"positions": "learned", "heads": 4},
    {"positions": "rotary", "norm": "post"},
    {"positions": "none"},
    {"heads": 3, "key_width": 2, "value_width": 5},
    {"scaled": False, "heads": 1},
    {"residual": False},
]
# Of a single key every query reads the same: without a residual nothing would pass then.
LENGTHS = (6, 3, 2)


def make(strength: float = 0.5, **settings) -> Transformer:
    """In double precision, with weights so large that a mistake is no small difference."""
    config = {"width": 8, "heads": 2, "layers": 2, "feed_forward": 12} | settings
    return strong(Transformer(TransformerConfig(WORDS, WORDS, **config)), strength)


def sentences(lengths=LENGTHS, target: int = 5):
    draw = torch.Generator().manual_seed(1)
    source = torch.randint(4, WORDS, (len(lengths), max(lengths)), generator=draw)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    return source, mask, torch.randint(2, WORDS, (len(lengths), target), generator=draw)


@pytest.fixture(params=VARIANTS, ids=lambda v: " ".join(f"{k}={v[k]}" for k in v) or "plain")
def variant(request) -> dict:
    return request.param


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.inference_mode])
def test_with_a_cache_each_step_gives_what_forward_gives_without(variant, mode):
    model, (source, mask, target_in) = make(0.25, **variant).float(), sentences()
    with mode():
        whole, stepped = (
            way(source, mask, target_in, return_attention=True)
            for way in (model, lambda *b, **w: stepwise(model, *b, **w))
        )
    torch.testing.assert_close(stepped.logits, whole.logits, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(stepped.attention, whole.attention, atol=1e-5, rtol=1e-5)
    # Without a cache: every prefix anew, of which only the last position is wanted.
    for t in range(target_in.shape[1]):
        prefix = model(source, mask, target_in[:, : t + 1]).logits[:, -1]
        torch.testing.assert_close(stepped.logits[:, t], prefix, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("positions", ["sinusoidal", "rotary"])
def test_a_long_target_is_stepped_as_it_is_read_at_once(positions):
    model = make(0.25, positions=positions)
    source, mask, target_in = sentences(target=35)
    with torch.no_grad():
        whole, stepped = model(source, mask, target_in), stepwise(model, source, mask, target_in)
    torch.testing.assert_close(stepped.logits, whole.logits, atol=1e-9, rtol=1e-9)


@pytest.mark.parametrize(
    ("training", "dropout", "mode", "weights"),
    [
        (False, 0.0, torch.no_grad, False),
        (False, 0.0, torch.enable_grad, True),
        (True, 0.1, torch.enable_grad, False),
    ],
)
def test_padding_and_the_future_have_no_influence(variant, training, dropout, mode, weights):
    """To the last bit; what is dropped is drawn anew, the same for all."""
    model = make(**variant, dropout=dropout, attention_dropout=dropout).train(training)
    source, mask, target_in = sentences()

    def logits(source, target_in):
        torch.manual_seed(0)
        with mode():
            return model(source, mask, target_in, return_attention=weights).logits

    one = logits(source, target_in)
    assert torch.equal(logits(torch.where(mask, source, (source + 5) % WORDS), target_in), one)
    for t in range(1, 5):
        changed = target_in.clone()
        changed[:, t:] = (changed[:, t:] + 3) % WORDS
        later = logits(source, changed)
        assert torch.equal(later[:, :t], one[:, :t])
        moved = (later[:, t:] != one[:, t:]).any(-1)
        # Where nothing goes past a net whose units are all at zero, nothing need move.
        assert moved.all() or not model.config.residual


@pytest.mark.parametrize(("training", "dropout"), [(False, 0.0), (True, 0.1)])
def test_padding_and_the_future_get_no_gradient(variant, training, dropout):
    rates = {"dropout": dropout, "attention_dropout": dropout}
    model = make(**variant | {"tied": "none"}, **rates).train(training)
    torch.manual_seed(0)
    source, mask, target_in = sentences()
    # Tokens 0 and 1 stand at padding and in the future alone.
    source, future = torch.where(mask, source, 0), target_in.clone()
    future[:, 3:] = 1
    model(source, mask, future).logits[:, :3].square().sum().backward()
    tables = model.source_embed.table.weight.grad, model.target_embed.table.weight.grad
    assert (tables[0][0] == 0).all()
    assert (tables[1][1] == 0).all()
    assert (tables[0][source[mask]] != 0).any(-1).all()
    assert (tables[1][target_in[:, :3]] != 0).any(-1).all()


@pytest.mark.parametrize("positions", ["none", "sinusoidal", "learned", "rotary"])
def test_without_positions_the_encoder_is_equivariant_and_the_decoder_blind_to_order(positions):
    model, (source, mask, target_in) = make(positions=positions), sentences((6, 6, 6))
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    plain, turned = model.encode(source, mask), model.encode(source[:, order], mask)
    blind = positions == "none"
    assert torch.allclose(turned.encoded, plain.encoded[:, order]) == blind
    logits = [model(ids, mask, target_in).logits for ids in (source, source[:, order])]
    assert torch.allclose(*logits) == blind
    # The decoder's own tokens: its mask alone tells it which came first.
    swapped = target_in[:, [1, 0, 2, 3, 4]]
    last = [model(source, mask, ids).logits[:, -1] for ids in (target_in, swapped)]
    assert torch.allclose(*last) == (blind and len(model.decoder) == 1)
    shallow = make(positions=positions, layers=1)
    last = [shallow(source, mask, ids).logits[:, -1] for ids in (target_in, swapped)]
    assert torch.allclose(*last) == blind


def test_embeddings_are_scaled_and_positions_added():
    model, (source, _, _) = make(), sentences()
    found = model.source_embed(source, torch.arange(6))
    wanted = 8**0.5 * model.source_embed.table.weight[source]
    wanted = wanted + sinusoidal(torch.arange(6), 8, torch.float64)
    torch.testing.assert_close(found, wanted)


@pytest.mark.parametrize("shape", [(1,), (FEW,), (FEW + 1,), (3, 2), (FEW, 2), (0,)])
def test_words_are_scored_alike_with_few_vectors_and_with_many_with_a_gradient_and_without(shape):
    """With as many words as numbers in a vector, where a table that is turned would fit too."""
    draw = torch.Generator().manual_seed(2)
    x, table = (torch.randn(*size, 8, generator=draw) for size in (shape, (8,)))
    wanted = torch.einsum("...d,vd->...v", x, table)
    torch.testing.assert_close(tied_logits(x, table), wanted)
    with torch.no_grad():
        torch.testing.assert_close(tied_logits(x, table), wanted)


def test_first_weights_give_numbers_of_variance_one_on_both_ways_through_the_table():
    table = TokenTable(400, 64)
    table.draw_weights(torch.Generator().manual_seed(0))
    table.requires_grad_(False)
    assert float((64**0.5 * table.weight).std()) == pytest.approx(1, rel=0.02)
    normed = nn.functional.layer_norm(torch.randn(50, 64), (64,))
    assert float((normed @ table.weight.T).std()) == pytest.approx(1, rel=0.05)
    config = TransformerConfig(400, 400, width=64, layers=1)
    model = Transformer(config, torch.Generator().manual_seed(0))
    for name, weight in model.requires_grad_(False).named_parameters():
        if weight.dim() < 2:
            assert (weight == (1 if name.endswith("norm.weight") else 0)).all(), name
        elif name.endswith("table.weight"):
            assert float(weight.std()) == pytest.approx(64**-0.5, rel=0.05), name
        else:
            bound = (6 / sum(weight.shape)) ** 0.5
            assert float(weight.abs().max()) <= bound, name
            assert float(weight.std()) == pytest.approx(bound / 3**0.5, rel=0.1), name


@pytest.mark.parametrize("norm", ["pre", "post", "none"])
def test_dropout_falls_on_the_sums_and_on_what_sub_layers_add_and_only_in_training(norm):
    """Vaswani et al. 2017, section 5.4, at all its places and at no other."""
    model = make(norm=norm, dropout=0.5, layers=1)
    batch = sentences()
    dropouts = [m for m in model.modules() if isinstance(m, nn.Dropout) and m.p == 0.5]
    # Two embeddings; two sub-layers in the encoder and three in the decoder.
    assert len(dropouts) == 2 + 2 + 3
    quiet = model(*batch).logits
    torch.testing.assert_close(make(norm=norm, layers=1)(*batch).logits, quiet)
    model.train()
    torch.manual_seed(0)
    assert not torch.allclose(model(*batch).logits, quiet)
    for dropout in dropouts:
        dropout.eval()
    torch.testing.assert_close(model(*batch).logits, quiet)


def test_dropout_falls_before_the_sum():
    around = Residual(TransformerConfig(3, 3, width=400, dropout=0.5)).train()
    torch.manual_seed(0)
    x, found = torch.full((1, 1, 400), 10.0), torch.ones(1, 1, 400)
    assert set(around.residual(x, found).unique().tolist()) == {10.0, 12.0}


def test_what_stands_around_a_sub_layer_by_hand():
    x, found = torch.randn(2, 1, 3, 6, generator=torch.Generator().manual_seed(0))
    for norm in ("pre", "post", "none"):
        for residual in (True, False):
            around = Residual(TransformerConfig(3, 3, width=6, norm=norm, residual=residual))
            normed = nn.functional.layer_norm
            together = x + found if residual else found
            enters = normed(x, (6,)) if norm == "pre" else x
            torch.testing.assert_close(around.pre_norm(x), enters)
            leaves = normed(together, (6,)) if norm == "post" else together
            torch.testing.assert_close(around.residual(x, found), leaves)


def test_attention_dropout_falls_on_the_weights_of_every_attention():
    model, batch = make(attention_dropout=0.5), sentences()
    quiet = model.attention_maps(*batch)
    model.train()
    torch.manual_seed(0)
    noisy = model.attention_maps(*batch)
    for before, after in zip(quiet, noisy, strict=True):
        assert all(((a == 0) & (b != 0)).any() for a, b in zip(after, before, strict=True))


def test_the_cache_holds_what_was_read_and_the_source_is_projected_once():
    model, (source, mask, target_in) = make(), sentences()
    projected = []
    for layer in model.decoder:
        layer.cross_attention.keys.register_forward_hook(lambda *_: projected.append(1))
    memory = model.encode(source, mask)
    assert len(projected) == 2
    state = model.start(memory)
    for t in range(4):
        assert [cache.length for cache in state.caches] == [t, t]
        state = model.step(target_in[:, t], state, memory).state
    assert len(projected) == 2


@pytest.mark.parametrize("tied", TIED)
def test_tables_are_shared_as_told_and_stand_in_the_file_once(tied):
    model = make(tied=tied)
    tables = [name for name, p in model.named_parameters() if p.shape == (WORDS, 8)]
    assert len(tables) == {"none": 3, "output": 2, "all": 1}[tied]
    # Tensors that share their memory cannot be written to one file.
    pointers = [t.data_ptr() for t in model.state_dict().values()]
    assert len(set(pointers)) == len(pointers)
    model(*sentences()).logits.sum().backward()
    assert all(p.grad is not None for p in model.parameters())


def size(config: TransformerConfig) -> int:
    with torch.device("meta"):
        return sum(p.numel() for p in Transformer(config).parameters())


def test_the_papers_base_model_is_counted_to_the_last_parameter():
    d, f, v = 512, 2048, 37_000
    attention = 4 * (d * d + d)
    forward, norm = 2 * d * f + f + d, 2 * d
    encoder, decoder = attention + forward + 2 * norm, 2 * attention + forward + 3 * norm
    assert (attention, forward, norm) == (1_050_624, 2_099_712, 1_024)
    assert (encoder, decoder) == (3_152_384, 4_204_032)
    assert 6 * (encoder + decoder) == 44_138_496
    assert size(paper_base()) == 6 * (encoder + decoder) + v * d == 63_082_496


TABLE_3 = [
    (65, {}),
    (58, {"key_width": 16}),
    (60, {"key_width": 32}),
    (36, {"layers": 2}),
    (50, {"layers": 4}),
    (80, {"layers": 8}),
    (28, {"width": 256}),
    (168, {"width": 1024}),
    (53, {"feed_forward": 1024}),
    (90, {"feed_forward": 4096}),
]


@pytest.mark.parametrize(("millions", "change"), TABLE_3, ids=lambda x: str(x))
def test_every_count_of_table_3_comes_out_with_a_table_of_41_000_rows(millions, change):
    for rows in (40_932, 41_160):
        assert round(size(replace(paper_base(rows), **change)) / 1e6) == millions


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad])
def test_several_tokens_are_read_behind_a_cache(mode):
    model, (source, real, target_in) = make(), sentences()
    with mode():
        memory = model.encode(source, real)
        _, passed = model.run_layers(target_in[:, :2], model.start(memory).caches, memory)
        x, _ = model.run_layers(target_in[:, 2:], tuple(layer.cache for layer in passed), memory)
        torch.testing.assert_close(model.lm_head(x), model.decode(target_in, memory).logits[:, 2:])


def test_scaled_reaches_every_attention():
    config = TransformerConfig(9, 9, width=8, heads=2, scaled=False)
    layers = [*(m := Transformer(config)).encoder, *m.decoder]
    assert not any(layer.self_attention.scaled for layer in layers)
    assert not any(layer.cross_attention.scaled for layer in m.decoder)


def test_without_norms_there_is_none():
    model = Transformer(TransformerConfig(9, 9, width=8, heads=2, norm="none"))
    assert not any(isinstance(part, nn.LayerNorm) for part in model.modules())
