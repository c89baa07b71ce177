"""What the docstrings of attention promise at the borders."""

import pytest
import torch

from course_lib.attention.cache import KeyValueCache
from course_lib.attention.masks import known_all, places
from course_lib.attention.multihead import MultiHeadAttention
from course_lib.attention.position import rotate


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


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_late_positions_are_turned_by_exact_angles_in_half_precision(dtype):
    """Angles in bf16 are off by up to 4 radians at position 1000."""
    vectors = torch.randn(1000, 8, generator=torch.Generator().manual_seed(0)).to(dtype)
    late = torch.arange(100_000, 101_000)
    found = rotate(vectors, late)
    assert found.dtype == dtype
    torch.testing.assert_close(found.double(), rotate(vectors.double(), late), atol=0.05, rtol=0)


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
