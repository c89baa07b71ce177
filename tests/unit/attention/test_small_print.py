"""What the docstrings of attention promise at the borders."""

import jaxtyping
import pytest
import torch

from course_lib.attention.cache import KeyValueCache
from course_lib.attention.hard import hard_attention
from course_lib.attention.local import local_attention
from course_lib.attention.masks import (
    causal_mask,
    combine,
    known_all,
    padding_mask,
    places,
    window_mask,
    zero_padding,
)
from course_lib.attention.multihead import MultiHeadAttention
from course_lib.attention.position import LearnedPosition, Sinusoidal, rotate
from course_lib.attention.scores import AdditiveScore
from course_lib.attention.softmax import masked_softmax


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_keeps_the_dimension(dtype):
    scores = torch.randn(3, 4, generator=torch.Generator().manual_seed(0)).to(dtype)
    torch.testing.assert_close(masked_softmax(scores, dim=0), scores.float().softmax(0).to(dtype))


def test_several_queries_and_one_key():
    score = AdditiveScore(4, 5, 6)
    query, key = torch.randn(2, 3, 4), torch.randn(2, 1, 5)
    each = [score(query[:, i, None], key) for i in range(3)]
    torch.testing.assert_close(score(query, key), torch.cat(each, dim=1))


@pytest.mark.parametrize("part", [Sinusoidal(4), LearnedPosition(4, 9)])
def test_positions_have_the_type_that_was_asked_for(part):
    assert part(torch.arange(3), torch.bfloat16).dtype == torch.bfloat16
    assert part(torch.arange(3), torch.float64).dtype == torch.float64


@pytest.mark.parametrize("given", [{"key_width": 3}, {"value_width": 3}])
def test_one_width_of_two_is_not_enough(given):
    with pytest.raises(ValueError, match="key_width and value_width"):
        MultiHeadAttention(5, 2, **given)


def test_without_biases_there_is_none():
    assert all(p.dim() == 2 for p in MultiHeadAttention(4, 2, bias=False).parameters())


def test_columns_are_as_wide_as_values():
    assert MultiHeadAttention(4, 2, key_width=3, value_width=5).columns(1) == slice(5, 10)


def test_each_width_has_its_own_default():
    assert MultiHeadAttention(4, 2, key_width=3).value_width == 2


def test_a_cache_has_room_for_many_at_once():
    past, newer = (KeyValueCache(torch.randn(1, 1, k, 2), torch.randn(1, 1, k, 2)) for k in (3, 60))
    with torch.no_grad():
        assert torch.equal(past.followed_by(newer).keys, torch.cat([past.keys, newer.keys], 2))


def test_no_size_is_no_missing_size():
    with pytest.raises(ValueError, match="from 0 to 0"):
        padding_mask(torch.tensor([2]), 0)


@pytest.mark.parametrize("make", [causal_mask, window_mask])
def test_masks_stand_where_they_are_wanted(make):
    assert make(2, 3, device="meta").device.type == "meta"


def cached(rows, count, dtype=torch.float32):
    return KeyValueCache(*(torch.randn(rows, 1, count, 2, dtype=dtype) for _ in range(2)))


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad])
@pytest.mark.parametrize("count", [0, 3])
def test_only_the_number_of_positions_may_differ_in_a_cache(mode, count):
    with mode(), pytest.raises(ValueError, match=r"got \(1, 1, 1, 2\) after \(2, 1, "):
        cached(2, count).followed_by(cached(1, 1))


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad])
def test_what_somebody_changed_in_a_cache_counts(mode):
    with mode():
        grown = cached(2, 3).followed_by(cached(2, 1))
        for changed in (grown._replace(values=torch.zeros_like(grown.values)), grown):
            after = changed.followed_by(cached(2, 1))
            assert torch.equal(after.values[:, :, :4], changed.values)
        double = grown._replace(keys=grown.keys.double(), values=grown.values.double())
        assert double.followed_by(cached(2, 1, torch.float64)).keys.dtype == torch.float64
        assert double.followed_by(cached(2, 1)).keys.dtype == torch.float64
        assert grown.followed_by(cached(2, 1, torch.float64)).keys.dtype == torch.float64


def test_rotary_turns_pairs():
    with pytest.raises(ValueError, match="even key_width"):
        MultiHeadAttention(6, 2, rotary=True)


def test_nothing_stands_before_the_first_position():
    with pytest.raises(ValueError, match="from 0, below max_length=9; got -1"):
        LearnedPosition(4, 9)(torch.tensor([3, -1]))


def test_a_window_wants_a_value_for_each_key(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(ValueError, match="got 3 keys and 4 values"):
        local_attention(*(torch.ones(1, n, 2) for n in (1, 3, 4)), torch.ones(1, 1), radius=1)


def test_masks_of_unlike_dimensions_are_not_combined():
    real = torch.tensor([[True, False], [True, True]])
    with pytest.raises(ValueError, match=r"got \(2, 2\) and \(1, 2, 2\). See `for_keys`"):
        combine(real, causal_mask(2))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_late_positions_are_turned_by_exact_angles_in_half_precision(dtype):
    """Angles in bf16 are off by up to 4 radians at position 1000."""
    vectors = torch.randn(1000, 8, generator=torch.Generator().manual_seed(0)).to(dtype)
    late = torch.arange(100_000, 101_000)
    found = rotate(vectors, late)
    assert found.dtype == dtype
    torch.testing.assert_close(found.double(), rotate(vectors.double(), late), atol=0.05, rtol=0)


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool])
def test_integers_are_not_rotated(dtype, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(TypeError, match="want vectors of floating point to rotate; got"):
        rotate(torch.ones(3, 4, dtype=dtype), torch.arange(3))


@pytest.mark.parametrize("generator", [None, torch.Generator()])
@pytest.mark.parametrize("wrong", [torch.nan, torch.inf])
def test_no_glance_by_weights_that_are_no_numbers(generator, wrong):
    share = torch.tensor([[0.5, 0.5], [wrong, 0.0]])
    with pytest.raises(RuntimeError, match="want finite attention weights; got nan or infinity"):
        hard_attention(share, generator)


def test_where_nobody_can_look_a_glance_by_nan_is_nan(monkeypatch):
    monkeypatch.setattr("course_lib.attention.hard.known_all", lambda *_, **__: None)
    found = hard_attention(torch.tensor([[0.5, 0.5], [torch.nan, 0.0]]))
    assert found.weights[0].tolist() == [1, 0]
    assert found.weights[1].isnan().all()


def test_a_look_at_facts_is_none_where_they_have_no_value():
    facts = torch.tensor([True, False])
    assert [known_all(facts), known_all(facts[:1]), known_all(facts[:0])] == [False, True, True]
    assert known_all(torch.ones(2, dtype=torch.bool, device="meta")) is None
    assert known_all(torch.ones(2, dtype=torch.bool, device="meta"), wait=True) is None
    seen = []
    torch.vmap(lambda fact: seen.append(known_all(fact)) or fact)(facts)
    assert seen == [None]


def test_places_count_what_is_real():
    real = torch.tensor([[True, True, False], [True, False, False]])
    assert places(real).tolist() == [0, 1, 2]
    real = torch.tensor([[False, True, True], [True, False, True], [False] * 3])
    assert places(real).tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 0]]


def test_padding_is_zeroed_by_a_mask_of_its_own_shape(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(ValueError, match=r"want a mask \(2, 3\), an entry for each token"):
        zero_padding(torch.ones(2, 3, 4), torch.ones(2, 1, dtype=torch.bool))


def test_columns_are_of_a_head_that_there_is():
    for head in (-1, 2):
        with pytest.raises(ValueError, match=f"want a head from 0 to 1; got {head}"):
            MultiHeadAttention(4, 2).columns(head)


def test_a_query_that_may_look_nowhere_reads_zeros_on_every_torch(monkeypatch):
    """The fused operator of PyTorch before 2.5 gives nan there; here one that always does."""

    def older(query, keys, values, *, attn_mask, dropout_p, scale):
        scores = (query @ keys.mT * query.shape[-1] ** -0.5).masked_fill(~attn_mask, -torch.inf)
        return scores.softmax(-1) @ values

    fused = "course_lib.attention.multihead.scaled_dot_product_attention"
    layer = MultiHeadAttention(4, 2)
    x = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(0), requires_grad=True)
    mask = torch.rand(2, 3, 3, generator=torch.Generator().manual_seed(1)) < 0.5
    mask[0, 1], mask[1] = False, False
    found = []
    for way in ("written down", "fused", "older"):
        if way == "older":
            monkeypatch.setattr(fused, older)
        read = layer(x, mask=mask, return_attention=way == "written down").context
        found.append((read, *torch.autograd.grad(read.square().sum(), x)))
    assert torch.equal(found[1][0][1], layer.output.bias.expand(3, -1))
    for other in found[1:]:
        torch.testing.assert_close(other, found[0])


@pytest.mark.parametrize(
    ("named", "hint"),
    [
        ({"key_padding_mask": None}, r"write mask=for_keys\(~key_padding_mask\)"),
        ({"attn_mask": None}, "write mask=~attn_mask"),
        ({"need_weights": True}, "write return_attention=True"),
        ({"is_causal": True}, r"write mask=causal_mask\(Q\)"),
        ({"key": None}, "write memory="),
        ({"colour": None}, "want query, memory, mask and return_attention; got colour$"),
    ],
)
def test_pytorchs_way_of_calling_is_answered_with_ours(named, hint):
    layer, x = MultiHeadAttention(4, 2), torch.ones(2, 3, 4)
    with pytest.raises(TypeError, match=hint):
        layer(x, **named)
    with pytest.raises(TypeError, match=r"For mha\(x, x, x\) write mha\(x\)"):
        layer(x, x, x)


def test_the_batch_comes_first(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    layer = MultiHeadAttention(4, 2)
    with pytest.raises(ValueError, match=r"got 3 and 5. If the sequence comes first"):
        layer(torch.ones(3, 2, 4), torch.ones(5, 2, 4))
    for wrong in (torch.ones(3, 4), torch.ones(1, 2, 3, 4), torch.ones(2, 3, 6)):
        with pytest.raises(ValueError, match=r"want a memory \(batch, sequence, 4\); got"):
            layer(wrong)
        with pytest.raises(ValueError, match=r"want a query \(batch, sequence, 4\); got"):
            layer(wrong, torch.ones(2, 3, 4))
