"""One training loop for every model: its objective says what a model is trained for.

A run is a function of its settings, its data, its first weights and the number of threads. From
step to step nothing is carried but the weights, the optimizer and `Progress`; the random numbers
of dropout are seeded anew at each step from (seed, step). So a run that was killed and resumed
from its last checkpoint ends with the same weights as an unbroken one, bit for bit.

    fit         the way in
    Loop        when a run steps, validates, saves and stops
    Updates     one update: forward, loss, backward, clip, AdamW
    validate    the objective and the metric on batches that training never sees
    Interrupt   Ctrl-C between two updates, never within one
"""

import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
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
from course_lib.training import distributed
from course_lib.training.average import Averaged
from course_lib.training.checkpoint import (
    Checkpoints,
    identity,
    load_weights,
    refuse_to_overwrite,
    weights_of,
)
from course_lib.training.config import FitConfig, learning_rate_factor
from course_lib.training.history import History, Progress, Record, require_finite
from course_lib.training.objective import Loss, Objective, measure, smoothed, translation_loss
from course_lib.training.run_folder import training_in

Metric = Callable[[nn.Module], float]
"""A validation metric of a model in eval mode; higher is better."""

# Reading a number from a GPU waits for everything queued on it, so there many steps are read at
# once.
_READ_TOGETHER = {"cpu": 1}
_READ_TOGETHER_ELSEWHERE = 50


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
    """Trains a model by AdamW (Loshchilov & Hutter 2019, algorithm 2).

    A step's loss is the objective's mean over its batches, for translators over the real target
    tokens. At the end the model has the weights with the best metric or, if nothing was validated,
    its last weights.

    Within `distributed.joined`, all processes call it with the same arguments and share out the
    rows of every batch. The run is the same for any number of processes, but for rounding, the
    draws of dropout, and objectives that compare rows with each other (`sampled_reward`).

    Args:
        model: is moved to the device and trained in place. Files name the weights as the model
            itself does, also inside `torch.compile` or `DistributedDataParallel`. Each part is in
            train or eval mode afterwards as before. A part in eval mode within a model in train
            mode stays in eval mode while it trains: its dropout was switched off on purpose.
        train: the training batches, `Batches` or another `BatchSource`.
        valid: the validation batches; None for none.
        config: how to train.
        objective: what the model is trained for; see `objective.py`.
        directory: where checkpoints, weights and history are kept; None keeps nothing.
        resume: continue from the checkpoint in `directory`; if there is none, start.
        device: by default the one of `course_lib.device.get_device`.
        progress: show a progress bar on standard error.
        metric: of the model in eval mode; higher is better; the same weights must give the same
            number. By default it is minus the validation loss.

    Returns:
        the history. After Ctrl-C its `interrupted` is True, and the state is saved if there is a
        directory: resuming continues from that very step.

    Raises:
        CourseError: impossible settings; a directory that holds another run, or in which another
            training is going on; a checkpoint that is damaged or cannot be written; a loss,
            gradient or metric that is not finite. The last good checkpoint stays in each case.
    """
    if resume and directory is None:
        raise ValueError("want the directory to resume from; got none")
    device = get_device() if device is None else torch.device(device)
    # Afterwards the caller's random numbers continue as if there had been no training.
    cuda = [device] if device.type == "cuda" else []
    with (
        # Whatever mode the caller is in: nothing can be learned without gradients.
        torch.inference_mode(False),
        torch.enable_grad(),
        torch.random.fork_rng(devices=cuda),
        training_in(directory),
        restoring_modes(model),
    ):
        try:
            loop = Loop(model.to(device), train, valid, config, device, objective, metric)
            loop.join()
            if directory is not None:
                loop.open(Path(directory), resume)
            return loop.run(progress)
        finally:
            # The last step's gradients would be added to the caller's next ones.
            model.zero_grad(set_to_none=True)


class Loop:
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
        self.kept_in_eval = [m for m in model.modules() if model.training and not m.training]
        self.total = config.updates_of(train)
        self.updates = Updates(model, config, self.total, device, objective)
        self.average = None if config.average is None else Averaged(model, config.average)
        self.progress = Progress()
        self.best: dict[str, Tensor] | None = None
        self.checkpoints: Checkpoints | None = None
        self.begun = time.monotonic()

    def join(self) -> None:
        """Begins alike in every process that trains this model."""
        if distributed.size() == 1:
            return
        if unwrapped(self.model) is not self.model:
            raise ValueError("want the model itself, for fit adds up the gradients; got a wrapper")
        found = identity(self.model, self.train, self.valid, self.config, self.objective)
        distributed.begin_alike([*weights_of(self.model).values()], found)

    def open(self, directory: Path, resume: bool) -> None:
        """Takes the folder for this run, or returns to where the run in it was."""
        found = identity(self.model, self.train, self.valid, self.config, self.objective)
        self.checkpoints = Checkpoints(directory, found)
        if resume:
            found = self.checkpoints.load_last(self.model, self.updates.optimizer, self._averaged())
            if found is not None:
                self.progress, self.best = found
                self.begun -= self.progress.seconds
        elif distributed.is_first():
            refuse_to_overwrite(directory)
        if not distributed.is_first():
            self.checkpoints = None  # the others have read what they need, and write nothing

    def run(self, show: bool) -> History:
        """Trains until there is a reason to stop."""
        bar = tqdm(
            total=self.total,
            initial=self.progress.step,
            disable=not (show and distributed.is_first()) or sys.stderr is None,
            unit="step",
            # In a file each update of the bar is one more line.
            mininterval=0.1 if getattr(sys.stderr, "isatty", bool)() else 5.0,
        )
        try:
            with bar, Interrupt() as interrupt:
                try:
                    stopped = self._train(bar, interrupt)
                except KeyboardInterrupt:
                    # A second Ctrl-C: the state in memory may be torn, the one on disk is whole.
                    stopped = "interrupted"
                return self._end(stopped, bar)
        except CourseError as error:
            if self.checkpoints is None or self.checkpoints.saved is None:
                raise
            raise CourseError(
                f"{error}; the checkpoint of step {self.checkpoints.saved} in "
                f"{self.checkpoints.directory} is kept"
            ) from error

    def _train(self, bar: tqdm, interrupt: "Interrupt") -> str:
        """Makes steps until there is a reason to stop, and returns the reason.

        Ctrl-C and the clock of one process stop all of them, at the same step.
        """
        progress, every = self.progress, self.config.checkpoint_every
        self._to_train_mode()
        self.batches_of_epoch = self.train.len_epoch(progress.epoch)
        batches = self._batches()
        while True:
            due = self._validation_is_due() and not distributed.anyone(interrupt.requested)
            if due and self._record(interrupt):
                self._save()
            if progress.stopped is not None:
                return progress.stopped
            if distributed.anyone(interrupt.requested):
                self._save()
                return "interrupted"
            if distributed.anyone(self._out_of_time()):
                self._save()
                # For the reader alone: a resumed run does not know of this record.
                if progress.step > progress.recorded:
                    self._record(interrupt)
                return "time"
            if progress.batch == 0:
                self.batches_of_epoch = self.train.len_epoch(progress.epoch)
            # One at least, so that a source that miscounts is asked, and told.
            number = max(1, min(self.config.accumulate, self.batches_of_epoch - progress.batch))
            self.updates.make(islice(batches, number), progress)
            if self.average is not None:
                self.average.update(progress.step)
            progress.count(number, self.batches_of_epoch)
            progress.seconds = time.monotonic() - self.begun
            bar.update()
            bar.set_postfix_str(f"loss {progress.train_loss:.3f}", refresh=False)
            if every and progress.step % every == 0 and not self._validation_is_due():
                self._save()

    def _batches(self) -> Iterator[Any]:
        """Batches without end, from where the run is."""
        while True:
            epoch, start = self.progress.epoch, self.progress.batch
            left, given = self.batches_of_epoch - start, 0
            for given, batch in enumerate(self.train.epoch(epoch, start), start=1):
                if given > left:
                    break
                yield batch
            if given != left or not left:
                raise ValueError(
                    f"want as many batches of epoch {epoch} as the source's len_epoch says, one or "
                    f"more; got {given} instead of {left}"
                )

    def _to_train_mode(self) -> None:
        """Train mode, except for the parts that the caller had put into eval mode."""
        self.model.train()
        for module in self.kept_in_eval:
            module.training = False

    def _validation_is_due(self) -> bool:
        """Whether it is time to validate and this has not been done yet."""
        progress, every = self.progress, self.config.validate_every
        if progress.step == progress.recorded:
            return False
        regular = progress.step % every == 0 if every else progress.batch == 0
        return regular or progress.step == self.total

    def _out_of_time(self) -> bool:
        limit = self.config.max_minutes
        return limit is not None and time.monotonic() - self.begun >= 60 * limit

    def _record(self, interrupt: "Interrupt") -> bool:
        """Validates and adds a record to the history; returns False if Ctrl-C came first."""
        progress = self.progress
        self.updates.read(progress)
        with nullcontext() if self.average is None else self.average.in_place():
            found = None
            if distributed.is_first():
                with suppress(KeyboardInterrupt), interrupt.allowed():
                    found = validate(
                        self.model,
                        self.valid,
                        self.metric,
                        self.device,
                        progress.step,
                        objective=self.objective,
                        seed=self.config.seed,
                    )
            found = distributed.from_first(found)
            if found is None:
                interrupt.requested = True
                return False
            valid_loss, metric = found
            progress.seconds = time.monotonic() - self.begun
            record = Record(
                step=progress.step,
                epoch=progress.epoch + progress.batch / self.batches_of_epoch,
                seconds=progress.seconds,
                train_loss=progress.train_loss,
                valid_loss=valid_loss,
                metric=metric,
                learning_rate=self.updates.learning_rate(progress.step),
                gradient_norm=progress.norms / progress.steps,
            )
            if progress.add(record):
                self.best = {k: v.detach().clone() for k, v in weights_of(self.model).items()}
        progress.stopped = self._reason_to_stop(metric)
        return True

    def _reason_to_stop(self, metric: float | None) -> str | None:
        """Why the run is over after a validation; None if it is not."""
        enough, patience = self.config.enough, self.config.patience
        if self.progress.step == self.total:
            return "finished"
        if enough is not None and metric is not None and metric >= enough:
            return "enough"
        if patience is not None and self.progress.stale >= patience:
            return "patience"
        return None

    def _averaged(self) -> dict[str, Tensor] | None:
        return None if self.average is None else self.average.weights

    def _save(self) -> None:
        if self.checkpoints is None:
            return
        progress = self.progress
        self.updates.read(progress)
        self.checkpoints.save_last(
            self.model,
            self.updates.optimizer,
            progress,
            best=self.best,
            average=self._averaged(),
        )
        if self.best is not None and progress.best_step == progress.step:
            self.checkpoints.save_best(self.best, progress.step, progress.best_metric)
        self.checkpoints.save_history(progress.history(progress.stopped or "running"))

    def _end(self, stopped: str, bar: tqdm) -> History:
        """Copies the best weights into the model and writes them to their file."""
        progress, checkpoints = self.progress, self.checkpoints
        history = progress.history(stopped)
        if self.best is not None:
            load_weights(self.model, self.best, "the best weights")
        elif self.average is not None:
            load_weights(self.model, weights_of(self.model) | self.average.weights, "the average")
        if checkpoints is not None:
            if self.best is not None:
                checkpoints.save_best(self.best, progress.best_step, progress.best_metric)
            elif stopped != "interrupted":
                checkpoints.save_best(weights_of(self.model), progress.step, None)
            checkpoints.save_history(history)
        if history.interrupted and not bar.disable:
            saved = "nothing is saved"
            if checkpoints is not None and checkpoints.saved is not None:
                saved = f"step {checkpoints.saved} is saved in {checkpoints.directory}"
            bar.write(f"interrupted at step {progress.step}: {saved}", file=sys.stderr)
        return history


class Updates:
    """Makes the updates of one run and reads back what they measured.

    Args:
        model: already on its device.
        config: the run's settings.
        total: steps of the whole run, for the schedule.
        device: where the model is.
        objective: what the model is trained for.

    Raises:
        CourseError: an impossible schedule, labels that cannot be smoothed, or an LSTM in bf16
            on a processor without it.
        ValueError: the model has nothing to train, or its weights belong to inference mode.
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
        # Each process draws the dropout of its own rows.
        number = distributed.rank()
        self.seed = mixed_seed(config.seed, -number) if number else config.seed
        self.parameters = [p for p in model.parameters() if p.requires_grad]
        if not self.parameters:
            raise ValueError("want a model with weights to train; got none")
        if any(p.is_inference() for p in self.parameters):
            raise ValueError(
                "want weights that can be trained; got some that torch.inference_mode made; build "
                "the model outside of it"
            )
        if config.precision == "bf16" and any(isinstance(m, nn.LSTM) for m in model.modules()):
            _require_bf16_lstm(device)
        self.optimizer = _adamw(self.parameters, config, device)
        self._unread: list[tuple[int, int, Tensor]] = []
        self._most_unread = _READ_TOGETHER.get(device.type, _READ_TOGETHER_ELSEWHERE)

    def make(self, batches: Iterable[Any], progress: Progress) -> None:
        """Makes one update from one batch or several and counts it.

        Raises:
            CourseError: the loss or the gradient is infinite or NaN. On the CPU this is noticed
                before the weights change, on a GPU within the next few steps and in any case
                before they are saved.
        """
        progress.step += 1
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate(progress.step)
        reseed(self.seed, progress.step, self.device)
        self.optimizer.zero_grad(set_to_none=True)
        total, count = self._gradients(batches)
        clip = math.inf if self.config.clip_norm is None else self.config.clip_norm
        norm = torch.nn.utils.clip_grad_norm_(self.parameters, clip)
        measured = torch.stack((total, norm.to(total)))
        self._unread.append((progress.step, count, measured))
        if len(self._unread) >= self._most_unread:
            self.read(progress)
        self.optimizer.step()

    def _gradients(self, batches: Iterable[Any]) -> tuple[Tensor, int]:
        """Computes the gradients of the mean loss over all rows, of every process.

        Returns:
            the summed loss, a scalar, and the count over which it was summed.
        """
        total, count, unit = torch.zeros((), device=self.device), 0, 0
        for batch in batches:
            if (rows := distributed.own_rows(batch)) is None:
                continue
            with self._arithmetic():
                loss = self.objective(self.model, rows.to(self.device))
            # How many tokens are still to come nobody knows yet. Until then, all are divided by
            # the first batch's; where it is the only one, that is exact.
            unit = unit or loss.count
            Loss(loss.total, unit).mean.backward()
            total, count = total + loss.total.detach(), count + loss.count
        everyone, *used = distributed.sums(
            count, *(weight.grad is not None for weight in self.parameters)
        )
        trained = [weight for weight, n in zip(self.parameters, used, strict=True) if n]
        for weight in trained:
            if weight.grad is None:
                weight.grad = torch.zeros_like(weight)
        gradients = [weight.grad for weight in trained]
        if unit != everyone:
            torch._foreach_mul_(gradients, unit / everyone)
        distributed.add_up([*gradients, total])
        return total, int(everyone)

    def _arithmetic(self) -> AbstractContextManager:
        """Products in the precision of the run; the loss raises its logits to float32 by itself."""
        if self.config.precision == "float32":
            return nullcontext()
        return torch.autocast(self.device.type, torch.bfloat16)

    def read(self, progress: Progress) -> None:
        """Adds up the losses and gradient norms of the steps since the last reading."""
        if not self._unread:
            return
        values = torch.stack([measured for _, _, measured in self._unread]).tolist()
        for (step, count, _), (nats, norm) in zip(self._unread, values, strict=True):
            progress.nats += require_finite(nats, "training loss", step)
            progress.norms += require_finite(norm, "gradient norm", step)
            progress.tokens += count
            progress.steps += 1
        self._unread.clear()

    def learning_rate(self, step: int) -> float:
        """The learning rate of a step, counted from 1."""
        return self.config.learning_rate * self.factor(step)


def _require_bf16_lstm(device: torch.device) -> None:
    """oneDNN has no LSTM in bfloat16 for some processors, and says so only when one runs."""
    with torch.autocast(device.type, torch.bfloat16):
        try:
            nn.LSTM(8, 8, device=device)(torch.zeros(2, 1, 8, device=device))
        except RuntimeError:
            raise CourseError(
                "want a processor or GPU that computes an LSTM in bfloat16; got "
                f"{device.type}, which cannot here. Train with precision float32"
            ) from None


def _adamw(
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


def reseed(seed: int, step: int, device: torch.device) -> None:
    """Seeds torch's global generators, so that a step's dropout depends on nothing before it.

    Only the generators of the CPU and of the device change. Updates are steps 1, 2 and so on; step
    0 is every validation, which therefore draws the same for the same weights.
    """
    number = mixed_seed(seed, step)
    torch.random.default_generator.manual_seed(number)
    if device.type == "cuda":
        with torch.cuda.device(device):
            torch.cuda.manual_seed(number)
    elif device.type == "mps":
        torch.mps.manual_seed(number)


def validate(
    model: nn.Module,
    valid: BatchSource | None,
    metric: Metric | None,
    device: torch.device,
    step: int,
    *,
    objective: Objective,
    seed: int,
) -> tuple[float | None, float | None]:
    """The mean of the objective on the validation batches, and the metric that chooses weights.

    Each is None if there is nothing to compute it from. `metric` gets the model in eval mode and
    may leave it in any mode. All random numbers are drawn from `seed`.

    Raises:
        CourseError: one of them is infinite or NaN, or there is no validation batch.
    """
    loss, value = None, None
    if valid is not None:
        reseed(seed, 0, device)
        total, count = measure(model, valid.sequential(), device, objective)
        if not count:
            raise CourseError("want at least one validation batch; got none: give valid=None")
        loss = require_finite(total / count, "validation loss", step)
        value = -loss
    if metric is not None:
        reseed(seed, 0, device)
        with evaluating(model):
            value = require_finite(float(metric(model)), "validation metric", step)
    return loss, value


class Interrupt:
    """Within this context the first Ctrl-C only sets `requested`; the second one raises.

    An update that is interrupted half way would leave some weights new and others old. Where
    nothing can tear, `allowed` lets the first Ctrl-C raise at once. In a thread other than the main
    thread, where Python never delivers signals, nothing is installed.
    """

    def __init__(self) -> None:
        self.requested = False
        self._at_once = False
        self._previous = None

    def __enter__(self) -> "Interrupt":
        ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        if threading.current_thread() is threading.main_thread() and not ignored:
            self._previous = signal.signal(signal.SIGINT, self._receive)
        return self

    def __exit__(self, *_: object) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """Within this block Ctrl-C raises KeyboardInterrupt at once."""
        self._at_once = True
        try:
            yield
        finally:
            self._at_once = False

    def _receive(self, number: int, frame: FrameType | None) -> None:
        again, self.requested = self.requested, True
        if again or self._at_once:
            raise KeyboardInterrupt
