"""One update of the weights: forward, loss, backward, clip, AdamW."""

import hashlib
import math

import torch
from torch import Tensor

from course_lib.data.batch import Batch
from course_lib.models.protocol import EncoderDecoder
from course_lib.training.config import FitConfig
from course_lib.training.loss import summed_loss
from course_lib.training.progress import Progress, require_finite
from course_lib.training.schedule import learning_rate_factor

# To read a number from a GPU is to wait for it, so there many steps are read at once.
_READ_TOGETHER = {"cpu": 1}
_READ_TOGETHER_ELSEWHERE = 50


class Updates:
    """Makes the updates of one run and reads back what they measured.

    Args:
        model: already on its device.
        config: the run's settings.
        total: steps of the whole run, for the schedule.
        device: where the model is.

    Raises:
        CourseError: a schedule that cannot be.
        ValueError: the model has nothing to train.
    """

    def __init__(
        self, model: EncoderDecoder, config: FitConfig, total: int, device: torch.device
    ) -> None:
        self.model, self.config, self.device = model, config, device
        self.factor = learning_rate_factor(config.schedule, config.warmup, total)
        self.parameters = [p for p in model.parameters() if p.requires_grad]
        if not self.parameters:
            raise ValueError("wanted a model with weights to train, got none")
        self.optimizer = _adam(self.parameters, config, device)
        self._unread: list[tuple[int, int, Tensor]] = []
        self._most_unread = _READ_TOGETHER.get(device.type, _READ_TOGETHER_ELSEWHERE)

    def make(self, batch: Batch, progress: Progress) -> None:
        """Makes one update from one batch and counts it.

        Raises:
            CourseError: the loss or the gradient is infinite or NaN. On the CPU this is noticed
                before the weights are touched, on a GPU within the next few steps and in any
                case before they are saved.
        """
        progress.step += 1
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate(progress.step)
        reseed(self.config.seed, progress.step, self.device)
        here = batch.to(self.device)
        self.optimizer.zero_grad(set_to_none=True)
        logits = self.model(here.source, here.source_mask, here.target_in).logits
        loss = summed_loss(logits, here.target_out, here.target_mask, self.config.label_smoothing)
        (loss / batch.tokens).backward()
        clip = math.inf if self.config.clip_norm is None else self.config.clip_norm
        norm = torch.nn.utils.clip_grad_norm_(self.parameters, clip)
        measured = torch.stack((loss.detach(), norm.to(loss)))
        self._unread.append((progress.step, batch.tokens, measured))
        if len(self._unread) >= self._most_unread:
            self.read(progress)
        self.optimizer.step()

    def read(self, progress: Progress) -> None:
        """Adds up the losses and gradient norms of the steps since the last reading."""
        if not self._unread:
            return
        values = torch.stack([measured for _, _, measured in self._unread]).tolist()
        for (step, tokens, _), (nats, norm) in zip(self._unread, values, strict=True):
            progress.nats += require_finite(nats, "training loss", step)
            progress.norms += require_finite(norm, "gradient's norm", step)
            progress.tokens += tokens
            progress.steps += 1
        self._unread.clear()

    def learning_rate(self, step: int) -> float:
        """The learning rate of a step, counted from 1."""
        return self.config.learning_rate * self.factor(step)


def reseed(seed: int, step: int, device: torch.device) -> None:
    """Starts torch's global generators anew, so that a step's dropout depends on nothing before.

    Only those of the CPU and of the device are touched.
    """
    digest = hashlib.blake2b(f"{seed} {step}".encode(), digest_size=8).digest()
    number = int.from_bytes(digest, "big") >> 1
    torch.random.default_generator.manual_seed(number)
    if device.type == "cuda":
        with torch.cuda.device(device):
            torch.cuda.manual_seed(number)
    elif device.type == "mps":
        torch.mps.manual_seed(number)


def _adam(
    parameters: list[Tensor], config: FitConfig, device: torch.device
) -> torch.optim.Optimizer:
    """AdamW; weight decay is for matrices, not for biases and gains."""
    matrices = [p for p in parameters if p.dim() > 1]
    vectors = [p for p in parameters if p.dim() <= 1]
    groups = [
        {"params": matrices, "weight_decay": config.weight_decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(
        [group for group in groups if group["params"]],
        lr=config.learning_rate,
        betas=config.betas,
        eps=config.epsilon,
        # One pass over the weights; on the CPU about four times as fast as the plain loop.
        fused=device.type in ("cpu", "cuda"),
    )
