"""One update of the weights: forward, loss, backward, clip, AdamW."""

import math
from typing import Any

import torch
from torch import Tensor, nn

from course_lib.device import mixed_seed
from course_lib.training.config import FitConfig
from course_lib.training.objective import Objective, smoothed, translation_loss
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
        objective: what the model is trained for.

    Raises:
        CourseError: a schedule that cannot be, or labels that cannot be smoothed.
        ValueError: the model has nothing to train.
    """

    def __init__(
        self,
        model: nn.Module,
        config: FitConfig,
        total: int,
        device: torch.device,
        objective: Objective = translation_loss,
    ) -> None:
        self.model, self.config, self.device = model, config, device
        self.objective = smoothed(objective, config.label_smoothing)
        self.factor = learning_rate_factor(config.schedule, config.warmup, total)
        self.parameters = [p for p in model.parameters() if p.requires_grad]
        if not self.parameters:
            raise ValueError("wanted a model with weights to train, got none")
        self.optimizer = _adam(self.parameters, config, device)
        self._unread: list[tuple[int, int, Tensor]] = []
        self._most_unread = _READ_TOGETHER.get(device.type, _READ_TOGETHER_ELSEWHERE)

    def make(self, batch: Any, progress: Progress) -> None:
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
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.objective(self.model, batch.to(self.device))
        loss.mean.backward()
        clip = math.inf if self.config.clip_norm is None else self.config.clip_norm
        norm = torch.nn.utils.clip_grad_norm_(self.parameters, clip)
        total = loss.total.detach()
        measured = torch.stack((total, norm.to(total)))
        self._unread.append((progress.step, loss.count, measured))
        if len(self._unread) >= self._most_unread:
            self.read(progress)
        self.optimizer.step()

    def read(self, progress: Progress) -> None:
        """Adds up the losses and gradient norms of the steps since the last reading."""
        if not self._unread:
            return
        values = torch.stack([measured for _, _, measured in self._unread]).tolist()
        for (step, count, _), (nats, norm) in zip(self._unread, values, strict=True):
            progress.nats += require_finite(nats, "training loss", step)
            progress.norms += require_finite(norm, "gradient's norm", step)
            progress.tokens += count
            progress.steps += 1
        self._unread.clear()

    def learning_rate(self, step: int) -> float:
        """The learning rate of a step, counted from 1."""
        return self.config.learning_rate * self.factor(step)


def reseed(seed: int, step: int, device: torch.device) -> None:
    """Starts torch's global generators anew, so that a step's dropout depends on nothing before.

    Only those of the CPU and of the device are touched. Updates are steps 1, 2 and so on; step 0
    is every validation, which so draws the same for the same weights.
    """
    number = mixed_seed(seed, step)
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
