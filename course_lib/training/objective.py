"""What a model is trained for: objectives, from a model and a batch to a loss.

`fit` knows no kind of model. It hands model and batch to an objective, takes the gradient of the
mean loss, and measures the same objective on the validation batches. An objective is any function
(model, batch) -> `Loss`; one that can smooth labels also takes `label_smoothing=`.

    translation_loss        encoder-decoders, teacher forced         Batch
    language_model_loss     a model of the target side alone         Batch
    classification_loss     one label an example                     .inputs, .label
    sampled_reward          models that sample (Williams 1992)       Batch
"""

import inspect
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.data.batch import Batch
from course_lib.errors import CourseError
from course_lib.models.protocol import Output, evaluating
from course_lib.training.loss import Loss, require_ids, summed_loss

Objective = Callable[..., Loss]
"""(model, batch) -> Loss."""


def translation_loss(model: nn.Module, batch: Batch, *, label_smoothing: float = 0.0) -> Loss:
    """Cross-entropy of the true next tokens under teacher forcing, in nats, counted by tokens."""
    logits = model(batch.source, batch.source_mask, batch.target_in).logits
    return _of_targets(logits, batch, label_smoothing)


def language_model_loss(model: nn.Module, batch: Any, *, label_smoothing: float = 0.0) -> Loss:
    """The same of a model (B, T) -> logits (B, T, V) that reads the target side alone.

    Args:
        model: position t of its logits must not depend on tokens behind t. It gives logits, or a
            record with `logits`.
        batch: a `Batch`, or a record with its `target_in`, `target_out`, `target_mask`, `tokens`.
        label_smoothing: see `summed_loss`.
    """
    return _of_targets(logits_of(model(batch.target_in)), batch, label_smoothing)


def classification_loss(model: nn.Module, batch: Any, *, label_smoothing: float = 0.0) -> Loss:
    """Cross-entropy of the true labels, in nats, counted by examples.

    Args:
        model: from the tensors of `batch.inputs` to logits (B, C), or a record with `logits`.
        batch: a record with `inputs`, a tuple of what the model is called with, and `label` (B,).
        label_smoothing: probability taken from the true label and spread over all.

    Raises:
        ValueError: not one label for each row of logits.
        TypeError: labels that are no integers.
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
        # PyTorch would leave out -100 without a word, and it would be counted all the same.
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
    reward of the others in the batch: as it does not depend on the row's own sample, it changes
    the spread of the estimate and not its mean. The value is minus the rewards, counted by rows.

    Give it to `fit` as `functools.partial(sampled_reward, reward=...)`. It draws from torch's
    global generator on the CPU, which `fit` begins anew at every step.

    Args:
        model: gives the log-probability of its draws; see `EncoderDecoder`.
        batch: of sentence pairs. Draws at padded steps count for nothing.
        reward: of each row. It may depend on the weights itself, as the log-likelihood of the
            true words does (Xu et al. 2015, equations 10 to 12); then it is differentiated too.

    Raises:
        ValueError: the model says nothing of any draw, or there is not one reward a row.
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
            f"want one reward a row, of shape {tuple(drawn.shape)}; got {tuple(gained.shape)}"
        )
    rows = len(gained)
    baseline = (gained.sum() - gained) / (rows - 1) if rows > 1 else torch.zeros_like(gained)
    # Worth nothing, but with the gradient of log p.
    score = (gained - baseline).detach() * (drawn - drawn.detach())
    return Loss(-(gained + score).sum(), rows)


def smoothed(objective: Objective, label_smoothing: float) -> Objective:
    """The objective with smoothed labels.

    Raises:
        CourseError: it has no labels to smooth.
    """
    if not label_smoothing:
        return objective
    if "label_smoothing" not in inspect.signature(objective).parameters:
        raise CourseError(
            f"{name_of(objective)} takes no label_smoothing, got {label_smoothing:g}; set it to 0"
        )
    return partial(objective, label_smoothing=label_smoothing)


def name_of(objective: Objective) -> str:
    """An objective's name, for a checkpoint that has to tell one from another."""
    while isinstance(objective, partial):
        objective = objective.func
    return getattr(objective, "__name__", type(objective).__name__)


def measure(
    model: nn.Module,
    batches: Iterable[Any],
    device: torch.device | str = "cpu",
    objective: Objective = translation_loss,
) -> tuple[float, int]:
    """The objective over all batches, summed, and what it was counted by.

    For translators that is un-smoothed nats under teacher forcing, and tokens. Dropout is off; no
    gradient is kept, and every part of the model is in the mode afterwards that it was in before.
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
    """The logits that a model gave, bare or in a record."""
    return output if isinstance(output, Tensor) else output.logits
