"""Cross-entropy, counted by tokens: a batch of long sentences weighs more than a short one.

What is trained by it is in `objective.py`. Padding is no token: whatever stands in its target or
its logits, the loss and every gradient stay the same.
"""

import math
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


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
        """The loss per token, sentence or sequence.

        Raises:
            ValueError: nothing was counted.
        """
        if self.count == 0:
            raise ValueError("want a token or more to take the mean over; got none")
        return self.total / self.count


class _SummedCrossEntropy(torch.autograd.Function):
    """Sum of -q . log p over the real positions, with its gradient p - q written out.

    The logits fill most of a step's memory. This reads them once on each way, which takes half
    the time of `F.cross_entropy` after a fill of the padding. Nothing at padding is multiplied,
    so an infinite or NaN logit there stays where it is.

    It also gives log p, which nobody reads: only what is an output can be saved for backward and
    still have a gradient of its own, which derivatives of derivatives need.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(logits, target, mask, label_smoothing):
        log_p = logits.log_softmax(-1)
        return _summed(log_p, target, mask, label_smoothing), log_p

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, target, mask, ctx.label_smoothing = inputs
        ctx.save_for_backward(output[1], target, mask)
        ctx.save_for_forward(output[1], target, mask)
        # Zeros for the unread log p would be as large as the logits.
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx, gradient, of_log_p):
        log_p, target, mask = ctx.saved_tensors
        smoothing = ctx.label_smoothing
        if gradient is not None and of_log_p is None and not torch.is_grad_enabled():
            p = log_p.exp()
            if smoothing:
                p -= smoothing / p.shape[-1]
            target = target.masked_fill(~mask, 0)[..., None]
            p.scatter_add_(-1, target, p.new_full((), smoothing - 1).expand(target.shape))
            try:
                p *= gradient
            except RuntimeError:  # many gradients at once (`is_grads_batched`) do not fit into one
                p = p * gradient
            return p.masked_fill_(~mask[..., None], 0.0), None, None, None
        # The same in operations that can be differentiated again; a NaN at padding is put away
        # first, for nothing times NaN is NaN.
        p = log_p.masked_fill(~mask[..., None], 0.0).exp()
        found = torch.zeros_like(log_p)
        if gradient is not None:
            q = torch.zeros_like(log_p).scatter(
                -1, target.masked_fill(~mask, 0)[..., None], 1 - smoothing
            )
            found = gradient * (p - q - smoothing / p.shape[-1])
        if of_log_p is not None:
            of_log_p = of_log_p.masked_fill(~mask[..., None], 0.0)
            found = found + of_log_p - p * of_log_p.sum(-1, keepdim=True)
        return found.masked_fill(~mask[..., None], 0.0), None, None, None

    @staticmethod
    def jvp(ctx, moved, *_):
        log_p, target, mask = ctx.saved_tensors
        moved = moved - (log_p.exp() * moved).sum(-1, keepdim=True)
        return _summed(moved, target, mask, ctx.label_smoothing), moved


def _summed(log_p: Tensor, target: Tensor, mask: Tensor, label_smoothing: float) -> Tensor:
    """Sum of -q . log p; it is linear in log p, so its own derivative along a direction too."""
    target = target.masked_fill(~mask, 0)[..., None]
    loss = -(1 - label_smoothing) * log_p.gather(-1, target)[..., 0]
    if label_smoothing:
        loss = loss - label_smoothing * log_p.mean(-1)
    return loss.masked_fill(~mask, 0.0).sum()


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

    It may be differentiated any number of times, forwards too, and under `torch.func`.

    Raises:
        ValueError: a label smoothing out of range, or targets or a mask of another shape.
        TypeError: targets that are no integers, or a mask that is not boolean.
        RuntimeError: a real target is not in 0..V-1.
    """
    if not 0.0 <= label_smoothing < 1.0:
        raise ValueError(f"wanted a label smoothing from 0 to below 1, got {label_smoothing}")
    if not logits.shape[:-1] == target.shape == mask.shape:
        raise ValueError(
            f"want targets and a mask of shape {tuple(logits.shape[:-1])}, as the logits; got "
            f"{tuple(target.shape)} and {tuple(mask.shape)}"
        )
    require_ids("targets", target)
    if mask.dtype != torch.bool:
        raise TypeError(f"want a boolean mask, True at real tokens; got {mask.dtype}")
    if logits.dtype in (torch.float16, torch.bfloat16):
        logits = logits.float()
    target = target.long()
    if torch.compiler.is_compiling():  # it cannot trace a `jvp`, and fuses these by itself
        real = logits.masked_fill(~mask[..., None], 0.0)
        return _summed(real.log_softmax(-1), target, mask, label_smoothing)
    return _SummedCrossEntropy.apply(logits, target, mask, label_smoothing)[0]


def require_ids(what: str, ids: Tensor) -> None:
    """TypeError unless they are integers: a fraction would be cut off, and True taken for 1."""
    if ids.dtype == torch.bool or ids.is_floating_point() or ids.is_complex():
        raise TypeError(f"want {what} as ids, of an integer type; got {ids.dtype}")


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
