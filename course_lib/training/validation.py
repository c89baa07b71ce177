"""How good the weights are now, on batches that training never sees."""

from collections.abc import Callable

import torch
from torch import nn

from course_lib.errors import CourseError
from course_lib.models.protocol import evaluating
from course_lib.training.feed import Feed
from course_lib.training.objective import Objective, measure
from course_lib.training.progress import require_finite
from course_lib.training.update import reseed


def validate(
    model: nn.Module,
    valid: Feed | None,
    score: Callable[[nn.Module], float] | None,
    device: torch.device,
    step: int,
    *,
    objective: Objective,
    seed: int,
) -> tuple[float | None, float | None]:
    """The mean of the objective on the validation batches, and the score that chooses weights.

    Each is None where there is nothing to compute it from. `score` gets the model in eval mode
    and may leave it in any. Whatever is drawn on the way is drawn from `seed`.

    Raises:
        CourseError: one of them is infinite or NaN, or there is no validation batch.
    """
    loss, value = None, None
    if valid is not None:
        reseed(seed, 0, device)
        total, count = measure(model, valid.sequential(), device, objective)
        if not count:
            raise CourseError("want a validation batch or more; got none: give valid=None")
        loss = require_finite(total / count, "validation loss", step)
        value = -loss
    if score is not None:
        reseed(seed, 0, device)
        with evaluating(model):
            value = require_finite(float(score(model)), "validation score", step)
    return loss, value
