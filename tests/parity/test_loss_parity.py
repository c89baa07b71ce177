"""The loss and its gradient are torch's own, taken over the real tokens."""

import pytest
import torch
import torch.nn.functional as F

from course_lib.training.objective import summed_loss


def example(rows, columns, vocabulary, seed):
    generator = torch.Generator().manual_seed(seed)
    logits = 3 * torch.randn(rows, columns, vocabulary, generator=generator, dtype=torch.float64)
    target = torch.randint(vocabulary, (rows, columns), generator=generator)
    lengths = torch.randint(1, columns + 1, (rows, 1), generator=generator)
    return logits.requires_grad_(), target, torch.arange(columns) < lengths


@pytest.mark.parametrize("label_smoothing", [0.0, 0.1, 0.7])
@pytest.mark.parametrize("shape", [(1, 1, 2), (3, 5, 7), (4, 9, 50)])
def test_equals_cross_entropy_in_value_and_gradient(shape, label_smoothing):
    logits, target, mask = example(*shape, seed=1)
    wanted = F.cross_entropy(
        logits[mask], target[mask], reduction="sum", label_smoothing=label_smoothing
    )
    got = summed_loss(logits, target, mask, label_smoothing)
    torch.testing.assert_close(got, wanted, rtol=1e-12, atol=1e-12)
    # Any factor behind the loss, such as one over the tokens, has to reach the gradient.
    (wanted_gradient,) = torch.autograd.grad(0.3 * wanted, logits)
    (got_gradient,) = torch.autograd.grad(0.3 * got, logits)
    torch.testing.assert_close(got_gradient, wanted_gradient, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("label_smoothing", [0.0, 0.2])
def test_the_gradient_passes_gradcheck(label_smoothing):
    logits, target, mask = example(2, 4, 5, seed=2)
    assert torch.autograd.gradcheck(lambda x: summed_loss(x, target, mask, label_smoothing), logits)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_logits_are_summed_in_single_precision(dtype):
    logits, target, mask = example(4, 6, 30, seed=3)
    half = logits.detach().to(dtype).requires_grad_()
    got = summed_loss(half, target, mask, 0.1)
    wanted = summed_loss(half.detach().float(), target, mask, 0.1)
    assert got.dtype == torch.float32
    assert torch.equal(got, wanted)
    got.backward()
    assert half.grad.dtype == dtype
