"""What a model is trained for: objectives, from a model and a batch to a loss.

`fit` knows no kind of model: it takes the gradient of an objective's mean loss. An objective is any
function (model, batch) -> `Loss`; one that can smooth labels also takes `label_smoothing=`.

    translation_loss        encoder-decoders, teacher forcing        Batch
    language_model_loss     a model of the target side alone         Batch
    classification_loss     one label for each example               .inputs, .label
    sampled_reward          models that sample (Williams 1992)       Batch

Cross-entropy is summed over tokens. Padding is no token: whatever its target or its logits are, the
loss stays the same, and its logits get no gradient.
"""

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.data.batch import Batch
from course_lib.models.protocol import Output, evaluating

# In place of PyTorch's -100: no real target is this number, so a wrong one is never ignored.
_PADDING = torch.iinfo(torch.int64).min


class Loss(NamedTuple):
    """A sum, in nats for a cross-entropy, and the number of tokens or examples in it."""

    total: Float[Tensor, ""]
    count: int

    @property
    def mean(self) -> Float[Tensor, ""]:
        """The loss per token, sentence or example."""
        return self.total / self.count


Objective = Callable[..., Loss]
"""(model, batch) -> Loss."""


def translation_loss(model: nn.Module, batch: Batch, *, label_smoothing: float = 0.0) -> Loss:
    """Cross-entropy of the true next tokens under teacher forcing, in nats, counted by tokens."""
    logits = model(batch.source, batch.source_mask, batch.target_in).logits
    return _of_targets(logits, batch, label_smoothing)


def language_model_loss(model: nn.Module, batch: Any, *, label_smoothing: float = 0.0) -> Loss:
    """The same for a model (B, T) -> logits (B, T, V) that reads the target side alone.

    Of a `Batch` it needs `target_in`, `target_out`, `target_mask` and `tokens`.
    """
    return _of_targets(logits_of(model(batch.target_in)), batch, label_smoothing)


def classification_loss(model: nn.Module, batch: Any, *, label_smoothing: float = 0.0) -> Loss:
    """Cross-entropy of the true labels, in nats, counted by examples.

    The batch has `inputs`, the tuple of the model's arguments, and `label` (B,); the model returns
    logits (B, C), or a record with `logits`.
    """
    logits = logits_of(model(*batch.inputs))
    return Loss(_cross_entropy(logits, batch.label, label_smoothing), len(batch.label))


def sampled_reward(
    model: nn.Module, batch: Batch, *, reward: Callable[[Output, Batch], Float[Tensor, " B"]]
) -> Loss:
    """Minus the expected reward of a model that samples, by REINFORCE (Williams 1992).

    The gradient of E[R] is E[∇R + (R - b) ∇ log p(sample)]. The baseline b of a row is the mean
    reward of the other rows of the batch, so it changes the variance of the estimate and not its
    mean. The value is minus the rewards, counted by rows.

    Give it to `fit` as `functools.partial(sampled_reward, reward=...)`. It draws from torch's
    global generator on the CPU, which `fit` seeds anew at every step. `reward` gives a number for
    each row, else ValueError. It may depend on the weights, as the log-likelihood of the true words
    does (Xu et al. 2015, equations 10 to 12); then it is differentiated too.
    """
    draws = torch.random.default_generator
    output = model(batch.source, batch.source_mask, batch.target_in, generator=draws)
    if output.log_probability is None:
        raise ValueError(f"want the log-probability of draws; {type(model).__name__} gives none")
    drawn = output.log_probability.masked_fill(~batch.target_mask, 0.0).sum(-1)
    gained = reward(output, batch)
    if gained.shape != drawn.shape:
        raise ValueError(f"want rewards {tuple(drawn.shape)}; got {tuple(gained.shape)}")
    rows = len(gained)
    baseline = (gained.sum() - gained) / (rows - 1) if rows > 1 else torch.zeros_like(gained)
    # Zero in value, but with the gradient of log p.
    surrogate = (gained - baseline).detach() * (drawn - drawn.detach())
    return Loss(-(gained + surrogate).sum(), rows)


def name_of(objective: Objective) -> str:
    """An objective's name, by which a checkpoint distinguishes it from others."""
    while isinstance(objective, partial):
        objective = objective.func
    return getattr(objective, "__name__", type(objective).__name__)


def measure(
    model: nn.Module,
    batches: Iterable[Any],
    device: torch.device | str = "cpu",
    objective: Objective = translation_loss,
) -> tuple[float, int]:
    """The objective summed over all batches, and its count; dropout is off."""
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
    (Szegedy et al. 2016, section 7; Vaswani et al. 2017, section 5.4). Half precision is converted
    to float32 first. Targets may be any integer at padding.
    """
    if not logits.shape[:-1] == target.shape == mask.shape:
        raise ValueError(
            f"want targets and a mask of shape {tuple(logits.shape[:-1])}, as the logits; got "
            f"{tuple(target.shape)} and {tuple(mask.shape)}"
        )
    target = target.masked_fill(~mask, _PADDING).flatten()
    return _cross_entropy(logits.flatten(0, 1), target, label_smoothing)


def _cross_entropy(logits: Tensor, target: Tensor, label_smoothing: float) -> Tensor:
    if logits.dtype in (torch.float16, torch.bfloat16):
        logits = logits.float()
    smoothing = {"label_smoothing": label_smoothing}
    return F.cross_entropy(logits, target, ignore_index=_PADDING, reduction="sum", **smoothing)


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

    Only unsmoothed nats under teacher forcing give perplexities that can be compared.
    """
    try:
        return math.exp(nats / tokens)
    except OverflowError:
        return math.inf
