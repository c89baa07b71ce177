"""What a model is trained for: objectives, from a model and a batch to a loss.

`fit` knows no kind of model. It gives model and batch to an objective, takes the gradient of the
mean loss, and measures the same objective on the validation batches. An objective is any function
(model, batch) -> `Loss`; one that can smooth labels also takes `label_smoothing=`.

    translation_loss        encoder-decoders, teacher forcing        Batch
    language_model_loss     a model of the target side alone         Batch
    classification_loss     one label for each example               .inputs, .label
    sampled_reward          models that sample (Williams 1992)       Batch

Cross-entropy is counted by tokens: a batch of long sentences weighs more than one of short
sentences. Padding is no token: whatever its target or its logits are, the loss and every gradient
stay the same.
"""

import inspect
import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.data.batch import Batch
from course_lib.errors import CourseError
from course_lib.models.protocol import Output, evaluating


class Loss(NamedTuple):
    """A sum with its count, so that a mean over several batches weighs every token alike.

    Attributes:
        total: scalar, the summed loss; in nats for a cross-entropy.
        count: the number of real tokens, sentences or examples over which it was summed.
    """

    total: Float[Tensor, ""]
    count: int

    @property
    def mean(self) -> Float[Tensor, ""]:
        """The loss per token, sentence or example.

        Raises:
            ValueError: nothing was counted.
        """
        if self.count == 0:
            raise ValueError("want at least one token to take the mean over; got none")
        return self.total / self.count


Objective = Callable[..., Loss]
"""(model, batch) -> Loss."""


def translation_loss(model: nn.Module, batch: Batch, *, label_smoothing: float = 0.0) -> Loss:
    """Cross-entropy of the true next tokens under teacher forcing, in nats, counted by tokens."""
    logits = model(batch.source, batch.source_mask, batch.target_in).logits
    return _of_targets(logits, batch, label_smoothing)


def language_model_loss(model: nn.Module, batch: Any, *, label_smoothing: float = 0.0) -> Loss:
    """The same for a model (B, T) -> logits (B, T, V) that reads the target side alone.

    Args:
        model: its logits at position t must not depend on tokens after t. It returns logits, or a
            record with `logits`.
        batch: a `Batch`, or a record with its `target_in`, `target_out`, `target_mask`, `tokens`.
        label_smoothing: see `summed_loss`.
    """
    return _of_targets(logits_of(model(batch.target_in)), batch, label_smoothing)


def classification_loss(model: nn.Module, batch: Any, *, label_smoothing: float = 0.0) -> Loss:
    """Cross-entropy of the true labels, in nats, counted by examples.

    Args:
        model: from the tensors of `batch.inputs` to logits (B, C), or a record with `logits`.
        batch: a record with `inputs`, the tuple of the model's arguments, and `label` (B,).
        label_smoothing: probability taken from the true label and spread over all labels.

    Raises:
        ValueError: not one label for each row of logits.
        TypeError: labels that are not integers.
        IndexError: a label that is not in 0..C-1.
    """
    logits = logits_of(model(*batch.inputs)).float()
    require_ids("labels", batch.label)
    if logits.shape[:-1] != batch.label.shape or batch.label.dim() != 1:
        raise ValueError(
            f"want logits (B, C) and labels (B,); got {tuple(logits.shape)} and "
            f"{tuple(batch.label.shape)}"
        )
    total = F.cross_entropy(
        logits,
        batch.label.long(),
        reduction="sum",
        label_smoothing=label_smoothing,
        # PyTorch would silently ignore -100, yet the example would still be counted.
        ignore_index=torch.iinfo(torch.int64).min,
    )
    return Loss(total, len(batch.label))


def sampled_reward(
    model: nn.Module,
    batch: Batch,
    *,
    reward: Callable[[Output, Batch], Float[Tensor, " B"]],
) -> Loss:
    """Minus the expected reward of a model that samples, by REINFORCE (Williams 1992).

    The gradient of E[R] is E[∇R + (R - b) ∇ log p(sample)]. The baseline b of a row is the mean
    reward of the other rows of the batch. It does not depend on the row's own sample, so it
    changes the variance of the estimate and not its mean. The value is minus the rewards, counted
    by rows.

    Give it to `fit` as `functools.partial(sampled_reward, reward=...)`. It draws from torch's
    global generator on the CPU, which `fit` seeds anew at every step.

    Args:
        model: returns the log-probability of its draws; see `EncoderDecoder`.
        batch: of sentence pairs. Draws at padded steps are ignored.
        reward: of each row. It may depend on the weights, as the log-likelihood of the true words
            does (Xu et al. 2015, equations 10 to 12); then it is differentiated too.

    Raises:
        ValueError: the model returns no log-probability, or there is not one reward for each row.
    """
    output = model(
        batch.source,
        batch.source_mask,
        batch.target_in,
        generator=torch.random.default_generator,
    )
    if output.log_probability is None:
        raise ValueError(f"want the log-probability of draws; {type(model).__name__} gives none")
    drawn = output.log_probability.masked_fill(~batch.target_mask, 0.0).sum(-1)
    gained = reward(output, batch)
    if gained.shape != drawn.shape:
        raise ValueError(
            f"want one reward for each row, of shape {tuple(drawn.shape)}; got "
            f"{tuple(gained.shape)}"
        )
    rows = len(gained)
    baseline = (gained.sum() - gained) / (rows - 1) if rows > 1 else torch.zeros_like(gained)
    # Zero in value, but with the gradient of log p.
    surrogate = (gained - baseline).detach() * (drawn - drawn.detach())
    return Loss(-(gained + surrogate).sum(), rows)


def smoothed(objective: Objective, label_smoothing: float) -> Objective:
    """The objective with smoothed labels.

    Raises:
        CourseError: the objective takes no `label_smoothing`.
    """
    if not label_smoothing:
        return objective
    if "label_smoothing" not in inspect.signature(objective).parameters:
        raise CourseError(
            f"want label_smoothing 0, for {name_of(objective)} takes no label_smoothing; got "
            f"{label_smoothing:g}"
        )
    return partial(objective, label_smoothing=label_smoothing)


def name_of(objective: Objective) -> str:
    """An objective's name, by which a checkpoint tells it from others."""
    while isinstance(objective, partial):
        objective = objective.func
    return getattr(objective, "__name__", type(objective).__name__)


def measure(
    model: nn.Module,
    batches: Iterable[Any],
    device: torch.device | str = "cpu",
    objective: Objective = translation_loss,
) -> tuple[float, int]:
    """The objective summed over all batches, and the count over which it was summed.

    For translators these are unsmoothed nats under teacher forcing, and tokens. Dropout is off, no
    gradient is kept, and every part of the model keeps its train or eval mode.
    """
    total, count = 0.0, 0
    with evaluating(model):
        for batch in batches:
            loss = objective(model, batch.to(device))
            total, count = total + float(loss.total), count + loss.count
    return total, count


def _of_targets(logits: Float[Tensor, "B T V"], batch: Any, label_smoothing: float) -> Loss:
    total = summed_loss(logits, batch.target_out, batch.target_mask, label_smoothing)
    return Loss(total, batch.tokens)


def logits_of(output: Any) -> Tensor:
    """The logits that a model returned, by themselves or in a record."""
    return output if isinstance(output, Tensor) else output.logits


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
        target: ids of the true tokens; any integer at padding.
        mask: True at real tokens.
        label_smoothing: e, from 0 to below 1.

    It can be differentiated any number of times, in forward mode too, and under `torch.func`.

    Raises:
        ValueError: a label smoothing out of range, or targets or a mask of another shape.
        TypeError: targets that are not integers, or a mask that is not boolean.
        RuntimeError: a real target is not in 0..V-1.
    """
    if not 0.0 <= label_smoothing < 1.0:
        raise ValueError(f"want a label smoothing from 0 to below 1; got {label_smoothing}")
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
    if torch.compiler.is_compiling():  # torch.compile cannot trace a `jvp`, and fuses by itself
        real = logits.masked_fill(~mask[..., None], 0.0)
        return _summed(real.log_softmax(-1), target, mask, label_smoothing)
    return _SummedCrossEntropy.apply(logits, target, mask, label_smoothing)[0]


def require_ids(what: str, ids: Tensor) -> None:
    """Raises TypeError unless they are integers: 1.5 would be cut to 1, and True taken for 1."""
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
    """exp(nats / tokens): the number of equally likely tokens between which the model hesitates.

    Only unsmoothed nats under teacher forcing give perplexities that can be compared. A perplexity
    that is too large for a float is infinite.

    Raises:
        ValueError: no tokens.
    """
    if tokens < 1:
        raise ValueError(f"want at least one token; got {tokens}")
    try:
        return math.exp(nats / tokens)
    except OverflowError:
        return math.inf


class _SummedCrossEntropy(torch.autograd.Function):
    """Sum of -q . log p over the real positions, with its gradient p - q written out.

    The logits take most of a step's memory. This function reads them once forwards and once
    backwards, in half the time of `F.cross_entropy` after filling the padding. Nothing at padding
    is multiplied, so an infinite or NaN logit there has no effect elsewhere.

    It also returns log p, which nobody reads: only an output can be saved for backward and still
    have a gradient of its own, which second derivatives need.
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
        # Zeros as the gradient of the unread log p would be as large as the logits.
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
            except RuntimeError:  # with `is_grads_batched` the product is larger than p
                p = p * gradient
            return p.masked_fill_(~mask[..., None], 0.0), None, None, None
        # The same in operations that can be differentiated again. A NaN at padding is removed
        # first, because zero times NaN is NaN.
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
    """Sum of -q . log p. As it is linear in log p, it also is its own directional derivative."""
    target = target.masked_fill(~mask, 0)[..., None]
    loss = -(1 - label_smoothing) * log_p.gather(-1, target)[..., 0]
    if label_smoothing:
        loss = loss - label_smoothing * log_p.mean(-1)
    return loss.masked_fill(~mask, 0.0).sum()
