"""REINFORCE held against the truth: in a small case every way to look can be written out.

With S patches and T looks there are S^T ways. The expected reward is a sum over them, its gradient
follows by autograd, and the estimator's mean is another sum with the same probabilities.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.data.batch import Batch
from course_lib.models.captioner import Captioner


class Way(NamedTuple):
    """One way to look at a scene, one patch a step.

    Attributes:
        places: the patches, in order.
        log_probability: scalar, that a hard reader looks so.
        reward: scalar, log-likelihood of the true digits after these looks.
    """

    places: tuple[int, ...]
    log_probability: Float[Tensor, ""]
    reward: Float[Tensor, ""]


def along(model: Captioner, batch: Batch, places: Sequence[int]) -> Way:
    """Reads one scene with its looks prescribed; both numbers have their gradients.

    Args:
        model: a hard reader; a soft one of the same weights would do.
        batch: of one scene.
        places: a patch for each token.
    """
    memory = model.encode(batch.source, batch.source_mask)
    state, chance, gained = model.start(memory), torch.zeros(()), torch.zeros(())
    steps = zip(places, batch.target_in.unbind(1), batch.target_out.unbind(1), strict=True)
    for place, token, true in steps:
        share = model.soft_weights(state, memory)
        chance = chance + share[0, place].log()
        here = torch.zeros_like(share)
        here[0, place] = 1.0
        logits, state = model.step_with(token, state, memory, here)
        gained = gained + logits.log_softmax(-1)[0, true[0]]
    return Way(tuple(places), chance, gained)


def every_way(model: Captioner, batch: Batch) -> Iterator[Way]:
    """All S^T ways to look at one scene."""
    steps = batch.target_in.shape[1]
    for places in product(range(batch.source.shape[1]), repeat=steps):
        yield along(model, batch, places)


def exact_gradient(model: Captioner, batch: Batch, weights: Sequence[Tensor]) -> Tensor:
    """The gradient of the expected reward, Σ p(way) R(way), end to end."""
    expected = sum(way.log_probability.exp() * way.reward for way in every_way(model, batch))
    return _flat(expected, weights)


def mean_estimate(
    model: Captioner,
    batch: Batch,
    weights: Sequence[Tensor],
    baseline: Callable[[Way], float] = lambda way: 0.0,
) -> Tensor:
    """The mean of what REINFORCE would estimate, over all ways by their probabilities.

    Of a way that is ∇R + (R - b) ∇ log p (Williams 1992; Xu et al. 2015, equation 12).

    Args:
        model: the reader.
        batch: of one scene.
        weights: whose gradient it is.
        baseline: b. For an unbiased estimate it must not depend on where the way looks.
    """
    total = torch.zeros(sum(weight.numel() for weight in weights), dtype=weights[0].dtype)
    for way in every_way(model, batch):
        gain = way.reward.detach() - baseline(way)
        estimate = _flat(way.reward + gain * way.log_probability, weights)
        total += way.log_probability.detach().exp() * estimate
    return total


def _flat(value: Tensor, weights: Sequence[Tensor]) -> Tensor:
    gradients = torch.autograd.grad(value, weights, materialize_grads=True, allow_unused=True)
    return torch.cat([gradient.flatten() for gradient in gradients])
