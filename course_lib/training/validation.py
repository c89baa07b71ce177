"""How good the weights are now, on sentences that training never sees."""

from collections.abc import Callable

import torch

from course_lib.data.batch import Batches
from course_lib.models.protocol import EncoderDecoder
from course_lib.training.loss import measure
from course_lib.training.progress import require_finite


def validate(
    model: EncoderDecoder,
    valid: Batches | None,
    score: Callable[[EncoderDecoder], float] | None,
    device: torch.device,
    step: int,
) -> tuple[float | None, float | None]:
    """The validation loss in nats per token, and the score by which weights are chosen.

    Each is None where there is nothing to compute it from. `score` gets the model in eval mode
    and may leave it there.

    Raises:
        CourseError: one of them is infinite or NaN.
    """
    loss, value = None, None
    if valid is not None:
        nats, tokens = measure(model, valid.sequential(), device)
        loss = require_finite(nats / tokens, "validation loss", step)
        value = -loss
    if score is not None:
        model.eval()
        with torch.inference_mode():
            value = require_finite(float(score(model)), "validation score", step)
    return loss, value
