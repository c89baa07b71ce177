"""attend and masked_softmax: by hand and at the edges."""

import jaxtyping
import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from course_lib.attention.attend import attend
from course_lib.attention.masks import causal_mask, for_keys
from course_lib.attention.scores import dot
from course_lib.attention.softmax import masked_softmax
from tests.sizes import random

# Three rows of five keys: all open, two open, none open.
MASK = torch.tensor([[1, 1, 1, 1, 1], [0, 1, 0, 1, 0], [0, 0, 0, 0, 0]], dtype=torch.bool)


def test_the_softmax_of_the_open_scores_and_its_gradient():
    scores = random(3, 5).requires_grad_()
    weights = masked_softmax(scores, MASK)
    expected = torch.zeros(3, 5, dtype=torch.float64)
    for row in range(2):
        powers = {j: scores[row, j].exp().item() for j in range(5) if MASK[row, j]}
        for j, power in powers.items():
            expected[row, j] = power / sum(powers.values())
    torch.testing.assert_close(weights.detach(), expected, rtol=0, atol=1e-12)
    assert (weights[~MASK] == 0).all(), "a masked position has weight"
    (gradient,) = torch.autograd.grad((weights * random(3, 5, seed=1)).sum(), scores)
    assert gradient.isfinite().all(), "a gradient is not finite"
    assert (gradient[~MASK] == 0).all(), "a masked position has a gradient"
    assert (gradient[MASK] != 0).all(), "an open position has no gradient"


def test_the_masked_get_exactly_zero_where_the_open_scores_are_as_low_as_numbers_go():
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        lowest = torch.finfo(dtype).min
        scores = torch.tensor([[lowest, lowest, 3.0]], dtype=dtype)
        weights = masked_softmax(scores, torch.tensor([[True, True, False]]))
        assert weights.tolist() == [[0.5, 0.5, 0.0]]


@pytest.mark.parametrize("rubbish", [torch.nan, torch.inf, -torch.inf, 1e300])
def test_a_masked_score_may_be_anything(rubbish: float):
    clean = random(3, 5).requires_grad_()
    dirty = clean.detach().masked_fill(~MASK, rubbish).requires_grad_()
    gradients = []
    for scores in (clean, dirty):
        weights = masked_softmax(scores, MASK)
        gradients.append(torch.autograd.grad((weights * random(3, 5, seed=1)).sum(), scores)[0])
    assert torch.equal(masked_softmax(clean, MASK), masked_softmax(dirty, MASK))
    assert torch.equal(*gradients)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_dtype_is_kept_and_empty_rows_are_zero(dtype: torch.dtype):
    scores = random(3, 5).to(dtype).requires_grad_()
    weights = masked_softmax(scores, MASK)
    assert weights.dtype == dtype
    assert weights[2].tolist() == [0.0] * 5
    weights.square().sum().backward()
    assert scores.grad.isfinite().all()
    expected = masked_softmax(scores.detach().double(), MASK)
    tolerance = 2 * torch.finfo(dtype).eps
    torch.testing.assert_close(weights.double(), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize(
    "shape", [(2, 3, 5), (2, 1, 5), (1, 3, 1), (1, 1, 5), (2, 1, 1), (1, 3, 5), (1, 1, 1)]
)
def test_any_dimension_and_any_broadcast(dim: int, shape: tuple[int, ...]):
    scores = random(2, 3, 5)
    mask = random(*shape, seed=3) > -0.3
    whole = mask.expand(2, 3, 5)
    expected = (scores.exp() * whole) / (scores.exp() * whole).sum(dim, keepdim=True).clamp_min(
        1e-300
    )
    torch.testing.assert_close(masked_softmax(scores, mask, dim), expected, rtol=0, atol=1e-12)


def test_attend_by_hand():
    """Two keys, scaled scores 0 and ln 3: weights 1/4 and 3/4."""
    ln3 = torch.log(torch.tensor(3.0, dtype=torch.float64))
    query = torch.stack([ln3, ln3 * 0, ln3 * 0, ln3 * 0]).reshape(1, 1, 4)
    key = torch.tensor([[[0.0, 1, 1, 1], [2.0, 5, 5, 5]]], dtype=torch.float64)  # √d_k = 2
    value = torch.tensor([[[4.0, 0.0], [8.0, 100.0]]], dtype=torch.float64)
    context, weights = attend(query, key, value)
    torch.testing.assert_close(weights[0, 0].tolist(), [0.25, 0.75])
    torch.testing.assert_close(context[0, 0].tolist(), [7.0, 75.0])
    unscaled = attend(query, key, value, score=dot).weights
    torch.testing.assert_close(unscaled[0, 0].tolist(), [0.1, 0.9])


def test_masked_keys_and_values_move_nothing_and_get_no_gradient():
    """And an empty row reads zeros."""
    query, key, value = random(2, 3, 4), random(2, 5, 4, seed=1), random(2, 5, 6, seed=2)
    padding = torch.tensor([[True, True, True, False, False], [False] * 5])
    results = []
    for rubbish in (0.0, 1.0, -1e6):
        leaves = [
            query.clone().requires_grad_(),
            key.masked_fill(~padding[..., None], rubbish).requires_grad_(),
            value.masked_fill(~padding[..., None], rubbish).requires_grad_(),
        ]
        context = attend(*leaves, mask=for_keys(padding)).context
        gradients = torch.autograd.grad((context * random(2, 3, 6, seed=4)).sum(), leaves)
        assert (context[1] == 0).all(), "a row with nothing to attend to is not zero"
        assert (gradients[0][1] == 0).all()
        for gradient in gradients[1:]:
            assert (gradient[~padding] == 0).all(), "padding has a gradient"
            assert (gradient[padding] != 0).all(), "a real position has no gradient"
        results.append((context, *gradients))
    for result in results[1:]:
        for first, second in zip(results[0], result, strict=True):
            assert torch.equal(first, second), "what stands at padding moves something"


def test_mask_that_does_not_fit_names_both_shapes():
    for shape in [(4,), (5,), (), (2, 3, 5), (3, 4), (1, 1, 3, 5)]:
        with pytest.raises(ValueError) as raised:
            masked_softmax(random(3, 5), torch.ones(shape, dtype=torch.bool))
        assert "(3, 5)" in str(raised.value)
        assert str(shape) in str(raised.value)


@pytest.fixture
def _no_shape_checker(monkeypatch):
    """Students run without jaxtyping's checks: the messages must come from the library itself."""
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)


@pytest.mark.usefixtures("_no_shape_checker")
def test_mistakes_are_named_without_the_shape_checker():
    ones = torch.ones
    for dtype in (torch.float32, torch.int64):
        with pytest.raises(TypeError, match=f"want a boolean mask, .*; got {dtype}"):
            masked_softmax(ones(2, 3), ones(2, 3, dtype=dtype))


@pytest.mark.parametrize("queries", [1, 2, 3])
def test_the_real_tokens_of_a_batch_do_not_pass_for_a_mask(queries: int):
    """With as many rows as queries (B, K) would fit, and hide queries instead of keys."""
    real = torch.tensor([[True, True, False], [True, False, False]])
    query, key = random(2, queries, 4), random(2, 3, 4, seed=1)
    with pytest.raises(ValueError, match=r"got \(2, 3\).* for_keys\(mask\) for a padding mask"):
        attend(query, key, key, mask=real)
    weights = attend(query, key, key, mask=for_keys(real)).weights
    assert (weights[~real[:, None].expand_as(weights)] == 0).all()
    assert (weights[:, :, 0] > 0).all()


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_a_table_of_queries_and_keys_serves_every_row(rows: int):
    """Where it might be (B, K) the advice is mask[None], which gives what was meant."""
    query, mask = random(rows, 3, 4), causal_mask(3)[0]
    wanted = attend(query, query, query, mask=mask[None]).context
    if rows == 3:
        with pytest.raises(ValueError, match=r"may be \(Q, K\) or \(B, K\). Write mask\[None\]"):
            attend(query, query, query, mask=mask)
    else:
        torch.testing.assert_close(attend(query, query, query, mask=mask).context, wanted)


def test_factors_multiply_the_weights_and_dropout_takes_some_away():
    query, key = random(2, 3, 4), random(2, 5, 4, seed=1)
    plain = attend(query, key, key)
    halved = attend(query, key, key, factors=torch.full((2, 3, 5), 0.5).double())
    torch.testing.assert_close(halved.weights, plain.weights / 2)
    torch.testing.assert_close(halved.context, plain.context / 2)
    torch.manual_seed(0)
    dropped = attend(query, key, key, dropout=0.5).weights
    kept = dropped != 0
    assert 0 < kept.sum() < kept.numel()
    torch.testing.assert_close(dropped[kept], 2 * plain.weights[kept])


class DtypesOfSoftmax(TorchDispatchMode):
    """Writes down in what type each softmax within it computes."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function.overloadpacket is torch.ops.aten._softmax:
            self.seen.append(torch.float32 if args[2] else args[0].dtype)
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize(
    "mask", [None, MASK, MASK[:1, :]], ids=["no mask", "an empty row", "nothing hidden"]
)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_raised_for_the_softmax(dtype: torch.dtype, mask: Tensor | None):
    scores = random(3, 5).to(dtype)
    with DtypesOfSoftmax() as found:
        weights = masked_softmax(scores, mask)
    assert found.seen == [torch.float32]
    assert weights.dtype == dtype
    exact = masked_softmax(scores.float(), mask)
    assert torch.equal(weights, exact.to(dtype))
