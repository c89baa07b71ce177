"""One training loop for every model: its objective says what a model is trained for.

A run is a function of its settings, its data, its first weights and the number of threads. From
step to step nothing is carried but the weights, the optimizer and `Progress`; the random numbers
of dropout are seeded anew at each step from (seed, step). So a run that was killed and resumed
from its last checkpoint ends with the same weights as an unbroken one, bit for bit.
"""

import json
import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, is_dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm

from course_lib.data.batch_source import BatchSource
from course_lib.device import get_device, mixed_seed
from course_lib.errors import CourseError
from course_lib.models.protocol import evaluating, restoring_modes, unwrapped
from course_lib.training import checkpoint, distributed
from course_lib.training.average import MovingAverage
from course_lib.training.config import FitConfig, learning_rate_factor
from course_lib.training.history import History, Progress, Record
from course_lib.training.objective import Objective, measure, name_of, translation_loss

Metric = Callable[[nn.Module], float]
"""A validation metric of a model in eval mode; higher is better."""

# Reading a number from a GPU waits for all that is queued on it: there it is done every 50 steps.
_READ_EVERY = {"cpu": 1}


def fit(
    model: nn.Module,
    train: BatchSource,
    valid: BatchSource | None,
    config: FitConfig,
    *,
    objective: Objective = translation_loss,
    directory: Path | str | None = None,
    resume: bool = False,
    device: torch.device | str | None = None,
    progress: bool = True,
    metric: Metric | None = None,
) -> History:
    """Train a model by AdamW (Loshchilov & Hutter 2019, algorithm 2).

    A step's loss is the objective's mean over its batches, for translators over the real target
    tokens. At the end the model has the weights with the best metric or, if nothing was validated,
    its last weights. Within `distributed.process_group`, all processes call it with the same
    arguments and share the rows of every batch.

    Args:
        model: is moved to the device and trained in place, also inside `torch.compile`. Each part
            is in train or eval mode afterwards as before.
        train: the training batches, `Batches` or another `BatchSource`.
        valid: the validation batches; None for none.
        objective: what the model is trained for; see `objective.py`.
        directory: where checkpoints, weights and history are kept; None keeps nothing.
        resume: continue from the checkpoint in `directory`; if there is none, start.
        device: by default the one of `course_lib.device.get_device`.
        metric: of the model in eval mode; higher is better; the same weights must give the same
            number. By default it is minus the validation loss.

    After Ctrl-C the history's `interrupted` is True, and the state is saved if there is a
    directory. CourseError for impossible settings, a directory with another run, a damaged
    checkpoint, or a loss, gradient or metric that is not finite; the last good checkpoint stays.
    """
    if resume and directory is None:
        raise ValueError("want the directory to resume from; got none")
    device = get_device() if device is None else torch.device(device)
    # Afterwards the caller's random numbers continue as if there had been no training.
    cuda = [device] if device.type == "cuda" else []
    with torch.random.fork_rng(devices=cuda), checkpoint.locked(directory), restoring_modes(model):
        try:
            trainer = Trainer(model.to(device), train, valid, config, device, objective, metric)
            if distributed.world_size() > 1:
                trainer.synchronize()
            if directory is not None:
                trainer.open(Path(directory), resume)
            return trainer.run(progress)
        finally:
            # The last step's gradients would be added to the caller's next ones.
            model.zero_grad(set_to_none=True)


class Trainer:
    """One run of `fit`, whose docstring explains the arguments."""

    def __init__(
        self,
        model: nn.Module,
        train: BatchSource,
        valid: BatchSource | None,
        config: FitConfig,
        device: torch.device,
        objective: Objective,
        metric: Metric | None,
    ) -> None:
        self.model, self.train, self.valid, self.config = model, train, valid, config
        self.device, self.objective, self.metric = device, objective, metric
        self.train_objective = objective
        if config.label_smoothing:
            self.train_objective = partial(objective, label_smoothing=config.label_smoothing)
        self.total = config.total_steps(train)
        factor = learning_rate_factor(config.schedule, config.warmup, self.total)
        self.learning_rate = lambda step: config.learning_rate * factor(step)
        self.parameters = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = adamw(self.parameters, config, device)
        self.average = None if config.average is None else MovingAverage(model, config.average)
        self.averaged = {} if self.average is None else self.average.weights
        bf16 = config.precision == "bf16"
        self.autocast = torch.autocast(device.type, torch.bfloat16) if bf16 else nullcontext()
        # Each process draws the dropout of its own rows.
        rank = distributed.rank()
        self.seed = mixed_seed(config.seed, -rank) if rank else config.seed
        self.progress = Progress()
        self.best: dict[str, Tensor] | None = None
        self.unread: list[tuple[int, int, Tensor]] = []  # step, count, (loss, gradient norm)
        self.directory: Path | None = None
        self.saved: int | None = None  # the step of the checkpoint on disk
        self.begun = time.monotonic()

    def run(self, show: bool) -> History:
        """Train until there is a reason to stop, and leave the best weights in the model."""
        hidden = not show or distributed.rank() > 0 or sys.stderr is None
        # In a file, each update of the bar is a line.
        interval = 0.1 if hidden or sys.stderr.isatty() else 5.0
        bar = tqdm(
            total=self.total,
            initial=self.progress.step,
            disable=hidden,
            unit="step",
            mininterval=interval,
        )
        with bar, noting_interrupts() as interrupts:
            try:
                stopped = self.loop(bar, interrupts)
            except KeyboardInterrupt:
                # A second Ctrl-C: the state in memory may be torn, the one on disk is whole.
                stopped = "interrupted"
            return self.finish(stopped)

    def loop(self, bar: tqdm, interrupts: list[int]) -> str:
        """Make updates until there is a reason to stop, and return the reason."""
        progress, config = self.progress, self.config
        self.model.train()
        while progress.stopped is None:
            batches = iter(self.train.epoch(progress.epoch, progress.batch))
            length = max(1, self.train.len_epoch(progress.epoch))
            while progress.batch < length and progress.stopped is None:
                if stopped := self.stop_requested(interrupts):
                    self.save()
                    return stopped
                number = min(config.accumulate, length - progress.batch)
                if len(next_batches := list(islice(batches, number))) < number:
                    raise ValueError(
                        f"want as many batches of epoch {progress.epoch} as the source's len_epoch "
                        "says, one or more; got fewer"
                    )
                self.update(next_batches)
                progress.batch += number
                progress.seconds = time.monotonic() - self.begun
                bar.update()
                bar.set_postfix_str(f"loss {progress.train_loss:.3f}", refresh=False)
                if config.validate_every is None:
                    due = progress.batch == length
                else:
                    due = progress.step % config.validate_every == 0
                if due or progress.step == self.total:
                    self.validate(progress.epoch + progress.batch / length)
                    self.save()
                elif config.checkpoint_every and progress.step % config.checkpoint_every == 0:
                    self.save()
            if progress.batch >= length:
                progress.epoch, progress.batch = progress.epoch + 1, 0
        return progress.stopped

    def stop_requested(self, interrupts: list[int]) -> str | None:
        """Why to stop between two updates, apart from what a validation says."""
        minutes = self.config.max_minutes
        late = minutes is not None and time.monotonic() - self.begun >= 60 * minutes
        if distributed.any_process(bool(interrupts)):
            return "interrupted"
        return "time" if distributed.any_process(late) else None

    def update(self, batches: list[Any]) -> None:
        """Make one update from one batch, or from several as if they were one.

        A loss or gradient that is infinite or NaN is a CourseError: on the CPU before the weights
        change, on a GPU within the next steps and in any case before they are saved.
        """
        step = self.progress.step = self.progress.step + 1
        torch.manual_seed(mixed_seed(self.seed, step))  # of the dropout
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate(step)
        self.optimizer.zero_grad(set_to_none=True)
        total, count = torch.zeros((), device=self.device), 0
        for batch in batches if distributed.world_size() == 1 else distributed.own_rows(batches):
            with self.autocast:
                loss = self.train_objective(self.model, batch.to(self.device))
            loss.total.backward()
            total, count = total + loss.total.detach(), count + loss.count
        if distributed.world_size() > 1:
            total, count = distributed.sum_gradients(self.parameters, total, count)
        torch._foreach_div_([p.grad for p in self.parameters if p.grad is not None], count)
        norm = nn.utils.clip_grad_norm_(self.parameters, self.config.clip_norm or math.inf)
        self.unread.append((step, count, torch.stack((total, norm.to(total)))))
        if len(self.unread) >= _READ_EVERY.get(self.device.type, 50):
            self.read_losses()
        self.optimizer.step()
        if self.average is not None:
            self.average.update(step)

    def read_losses(self) -> None:
        """Add up the losses and gradient norms of the steps since the last reading."""
        progress = self.progress
        if not self.unread:
            return
        steps, counts, values = zip(*self.unread, strict=True)
        values = torch.stack(values).tolist()
        for step, count, (nats, norm) in zip(steps, counts, values, strict=True):
            progress.nats += require_finite(nats, "training loss", step)
            progress.norms += require_finite(norm, "gradient norm", step)
            progress.tokens += count
            progress.steps += 1
        self.unread.clear()

    def validate(self, epochs: float) -> None:
        """Measure the model after so many epochs, and keep its weights if they are the best."""
        self.read_losses()
        progress, config = self.progress, self.config
        with nullcontext() if self.average is None else self.average.applied():
            measured = self.measure() if distributed.rank() == 0 else None
            valid_loss, metric = distributed.from_first(measured)
            progress.seconds = time.monotonic() - self.begun
            record = Record(
                step=progress.step,
                epoch=epochs,
                seconds=progress.seconds,
                train_loss=progress.train_loss,
                valid_loss=valid_loss,
                metric=metric,
                learning_rate=self.learning_rate(progress.step),
                gradient_norm=progress.norms / progress.steps,
            )
            if progress.add(record):
                self.best = {
                    k: v.detach().clone() for k, v in checkpoint.weights_of(self.model).items()
                }
        if progress.step == self.total:
            progress.stopped = "finished"
        elif config.patience is not None and progress.stale >= config.patience:
            progress.stopped = "patience"

    def measure(self) -> tuple[float | None, float | None]:
        """The mean of the objective on the validation batches, and the metric, if there are such.

        Random numbers are drawn anew from the seed: the same weights give the same numbers.
        """
        loss, metric, step = None, None, self.progress.step
        if self.valid is not None:
            torch.manual_seed(mixed_seed(self.config.seed, 0))
            total, count = measure(self.model, self.valid.sequential(), self.device, self.objective)
            if not count:
                raise CourseError("want at least one validation batch; got none: give valid=None")
            loss = require_finite(total / count, "validation loss", step)
            metric = -loss
        if self.metric is not None:
            torch.manual_seed(mixed_seed(self.config.seed, 0))
            with evaluating(self.model):
                metric = require_finite(float(self.metric(self.model)), "validation metric", step)
        return loss, metric

    def synchronize(self) -> None:
        """Begin alike in every process that trains this model."""
        if unwrapped(self.model) is not self.model:
            raise ValueError("want the model itself, for fit adds up the gradients; got a wrapper")
        first = next(iter(self.train.epoch(0)), None)
        distributed.synchronize([*checkpoint.weights_of(self.model).values()], first)

    def open(self, directory: Path, resume: bool) -> None:
        """Use the folder for this run, or return to where the run in it was."""
        self.settings = self.describe()
        if resume and (directory / checkpoint.LAST).exists():
            self.progress, self.best = checkpoint.load_checkpoint(
                directory, self.model, self.optimizer, self.settings, average=self.averaged
            )
            self.begun -= self.progress.seconds
            self.saved = self.progress.step
        elif distributed.rank() == 0:
            checkpoint.refuse_to_overwrite(directory)
        self.directory = directory if distributed.rank() == 0 else None

    def describe(self) -> dict[str, dict[str, Any]]:
        """What a checkpoint must have in common with the run that resumes from it."""
        model = unwrapped(self.model)
        config = getattr(model, "config", None)
        sizes = [len(s) if hasattr(s, "__len__") else None for s in (self.train, self.valid)]
        settings = {
            "training": self.config.to_dict() | {"objective": name_of(self.objective)},
            "model": {"model": type(model).__name__}
            | (asdict(config) if is_dataclass(config) else {}),
            "data": {
                "number of training pairs": sizes[0],
                "number of batches in the first epoch": self.train.len_epoch(0),
                "number of validation pairs": sizes[1],
            },
        }
        return json.loads(json.dumps(settings))  # as it will be read back: JSON has no tuples

    def save(self) -> None:
        """Write the checkpoint, and the best weights if they are new."""
        self.read_losses()
        progress = self.progress
        if self.directory is None or self.saved == progress.step:
            return
        checkpoint.save_checkpoint(
            self.directory,
            self.model,
            self.optimizer,
            progress,
            self.settings,
            best=self.best,
            average=self.averaged,
        )
        self.saved = progress.step
        if progress.best_step == progress.step:
            self.save_best(self.best)
        checkpoint.save_history(self.directory, progress.history(progress.stopped or "running"))

    def save_best(self, weights: dict[str, Tensor]) -> None:
        """Write the weights that `load_run` reads."""
        record = {"step": self.progress.best_step}
        checkpoint.write_tensors(self.directory / checkpoint.BEST, weights, record)

    def finish(self, stopped: str) -> History:
        """Copy the best weights into the model and write them to their file."""
        history = self.progress.history(stopped)
        if self.best is not None:
            checkpoint.load_weights(self.model, self.best, "the best weights")
        elif self.averaged:
            weights = checkpoint.weights_of(self.model) | self.averaged
            checkpoint.load_weights(self.model, weights, "the average")
        if self.directory is not None:
            # After a second Ctrl-C weights that were never validated may be torn.
            if self.best is not None or not history.interrupted:
                self.save_best(checkpoint.weights_of(self.model))
            checkpoint.save_history(self.directory, history)
        return history


def adamw(
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


def require_finite(number: float, what: str, step: int) -> float:
    """Return the number; raise CourseError if it is infinite or NaN."""
    if math.isfinite(number):
        return number
    raise CourseError(
        f"want a finite {what}; got {number} at step {step}; lower the learning rate, or clip the "
        "gradient with a smaller clip_norm"
    )


@contextmanager
def noting_interrupts() -> Iterator[list[int]]:
    """Within this context the first Ctrl-C only fills the list; the second one raises.

    An update that is interrupted half way would leave some weights new and others old.
    """
    noted: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if noted:
            raise KeyboardInterrupt
        noted.append(number)

    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored or threading.current_thread() is not threading.main_thread():
        yield noted
        return
    previous = signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, previous)
