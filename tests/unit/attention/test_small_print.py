"""What the docstrings of attention promise at the borders."""

import jaxtyping
import pytest
import torch

from course_lib.attention.attend import masked_softmax
from course_lib.attention.cache import KeyValueCache
from course_lib.attention.masks import causal_mask, combine, length_mask, window_mask
from course_lib.attention.multihead import MultiHeadAttention
from course_lib.attention.position import LearnedPosition, Sinusoidal
from course_lib.attention.scores import AdditiveScore
from course_lib.attention.selection import attend_nearby


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
        length_mask(torch.tensor([2]), 0)


@pytest.mark.parametrize("make", [causal_mask, window_mask])
def test_masks_stand_where_they_are_wanted(make):
    assert make(2, 3, device="meta").device.type == "meta"


def cached(rows, count, dtype=torch.float32):
    return KeyValueCache(*(torch.randn(rows, 1, count, 2, dtype=dtype) for _ in range(2)))


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad])
@pytest.mark.parametrize("count", [0, 3])
def test_only_the_number_of_positions_may_differ_in_a_cache(mode, count):
    with mode(), pytest.raises(ValueError, match=r"got \(1, 1, 1, 2\) behind \(2, 1, "):
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
        attend_nearby(*(torch.ones(1, n, 2) for n in (1, 3, 4)), torch.ones(1, 1), radius=1)


def test_masks_of_unlike_dimensions_are_not_combined():
    real = torch.tensor([[True, False], [True, True]])
    with pytest.raises(ValueError, match=r"got \(2, 2\) and \(1, 2, 2\). See `for_keys`"):
        combine(real, causal_mask(2))
