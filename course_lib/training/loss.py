"""Cross-entropy, counted by tokens: a batch of long sentences weighs more than a short one.

What is trained by it is in `objective.py`. Padding is no token: whatever stands in its target or
its logits, the loss and every gradient stay the same.
"""

import math
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable


class Loss(NamedTuple):
    """A sum with its count, so that sums over batches can be averaged over all that was counted.

    Attributes:
        total: scalar, the loss summed over what is counted; in nats for a cross-entropy.
        count: how many real tokens, sentences or sequences that is.
    """

    total: Float[Tensor, ""]
    count: int

    @property
    def mean(self) -> Float[Tensor, ""]:
        """The loss per token, sentence or sequence."""
        return self.total / self.count


class _SummedCrossEntropy(torch.autograd.Function):
    """Sum of -q . log p over the real positions, with its gradient p - q written out.

    The logits fill most of a step's memory. This reads them once on each way, which takes half
    the time of `F.cross_entropy` after a fill of the padding. Nothing at padding is multiplied,
    so an infinite or NaN logit there stays where it is. It has first derivatives only.
    """

    @staticmethod
    def forward(ctx, logits, target, mask, label_smoothing):
        log_p = logits.log_softmax(-1)
        target = target.masked_fill(~mask, 0)[..., None]
        loss = -(1 - label_smoothing) * log_p.gather(-1, target)[..., 0]
        if label_smoothing:
            loss = loss - label_smoothing * log_p.mean(-1)
        ctx.save_for_backward(log_p, target, mask)
        ctx.label_smoothing = label_smoothing
        return loss.masked_fill(~mask, 0.0).sum()

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient):
        log_p, target, mask = ctx.saved_tensors
        smoothing = ctx.label_smoothing
        p = log_p.exp()
        if smoothing:
            p -= smoothing / p.shape[-1]
        p.scatter_add_(-1, target, p.new_full((), smoothing - 1).expand(target.shape))
        p *= gradient
        p[~mask] = 0.0
        return p, None, None, None


def summed_loss(
    logits: Float[Tensor, "B T V"],
    target: Int[Tensor, "B T"],
    mask: Bool[Tensor, "B T"],
    label_smoothing: float = 0.0,
) -> Float[Tensor, ""]:
    """Cross-entropy in nats, summed over the positions where the mask is True.

    With label smoothing e the true token has probability 1 - e + e/V and every other one e/V
    (Szegedy et al. 2016, section 7; Vaswani et al. 2017, section 5.4).

    Args:
        logits: unnormalised log-probabilities; half precision is raised to single first.
        target: ids of the true tokens; at padding any integer.
        mask: True at real tokens.
        label_smoothing: e, from 0 to below 1.

    Raises:
        ValueError: a label smoothing out of range, or targets or a mask of another shape.
        RuntimeError: a real target is not in 0..V-1.
    """
    if not 0.0 <= label_smoothing < 1.0:
        raise ValueError(f"wanted a label smoothing from 0 to below 1, got {label_smoothing}")
    if not logits.shape[:-1] == target.shape == mask.shape:
        raise ValueError(
            f"want targets and a mask of shape {tuple(logits.shape[:-1])}, as the logits; got "
            f"{tuple(target.shape)} and {tuple(mask.shape)}"
        )
    if logits.dtype in (torch.float16, torch.bfloat16):
        logits = logits.float()
    return _SummedCrossEntropy.apply(logits, target.long(), mask, label_smoothing)


def token_loss(
    logits: Float[Tensor, "B T V"],
    target: Int[Tensor, "B T"],
    mask: Bool[Tensor, "B T"],
    label_smoothing: float = 0.0,
) -> Loss:
    """`summed_loss` together with the number of tokens that it was summed over."""
    return Loss(summed_loss(logits, target, mask, label_smoothing), int(mask.sum()))


def perplexity(nats: float, tokens: int) -> float:
    """exp(nats / tokens): among how many equally likely tokens the model hesitates.

    Only un-smoothed nats from teacher forcing give a perplexity that can be compared. Too large
    for a float, it is infinite.

    Raises:
        ValueError: no tokens.
    """
    if tokens < 1:
        raise ValueError(f"wanted at least one token, got {tokens}")
    try:
        return math.exp(nats / tokens)
    except OverflowError:
        return math.inf
