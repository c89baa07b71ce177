"""When a training run steps, validates, saves and stops; `fit` is the way in."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm

from course_lib.errors import CourseError
from course_lib.training.average import Averaged
from course_lib.training.config import FitConfig
from course_lib.training.feed import Feed
from course_lib.training.history import History, Record
from course_lib.training.interrupt import Interrupt
from course_lib.training.objective import Objective
from course_lib.training.progress import Progress
from course_lib.training.state import RunFiles, identity
from course_lib.training.tensors import load_weights, weights_of
from course_lib.training.update import Updates
from course_lib.training.validation import validate


class Loop:
    """One run of `fit`, whose docstring says what the arguments are."""

    def __init__(
        self,
        model: nn.Module,
        train: Feed,
        valid: Feed | None,
        config: FitConfig,
        device: torch.device,
        objective: Objective,
        score: Callable[[nn.Module], float] | None,
    ) -> None:
        self.model, self.train, self.valid, self.config = model, train, valid, config
        self.device, self.objective, self.score = device, objective, score
        self.asleep = [m for m in model.modules() if model.training and not m.training]
        self.total = config.steps or sum(train.len_epoch(n) for n in range(config.epochs))
        self.updates = Updates(model, config, self.total, device, objective)
        self.average = None if config.average is None else Averaged(model, config.average)
        self.progress = Progress()
        self.best: dict[str, Tensor] | None = None
        self.files: RunFiles | None = None
        self.begun = time.monotonic()

    def open(self, directory: Path, resume: bool) -> None:
        """Makes the run's folder, or goes back to where the run in it stood."""
        found = identity(self.model, self.train, self.valid, self.config, self.objective)
        self.files = RunFiles(directory, found)
        self.files.claim(resume)
        found = None
        if resume:
            found = self.files.load_last(self.model, self.updates.optimizer, self.average)
        if found is not None:
            self.progress, self.best = found
            self.begun -= self.progress.seconds

    def run(self, show: bool) -> History:
        """Trains until there is a reason to stop."""
        bar = tqdm(
            total=self.total,
            initial=self.progress.step,
            disable=not show or sys.stderr is None,
            unit="step",
            # In a file each update of the bar is one more line.
            mininterval=0.1 if getattr(sys.stderr, "isatty", bool)() else 5.0,
        )
        try:
            with bar, Interrupt() as interrupt:
                try:
                    stopped = self._go_on(bar, interrupt)
                except KeyboardInterrupt:
                    # A second Ctrl-C: the state in memory may be torn, the one on disk is whole.
                    stopped = "interrupted"
                return self._end(stopped, bar)
        except CourseError as error:
            if self.files is None or self.files.saved is None:
                raise
            raise CourseError(
                f"{error}; the checkpoint of step {self.files.saved} in {self.files.directory} is "
                "kept"
            ) from error

    def _go_on(self, bar: tqdm, interrupt: Interrupt) -> str:
        """Steps until there is a reason to stop, and names it."""
        progress, every = self.progress, self.config.checkpoint_every
        self._wake()
        self.batches_of_epoch = self.train.len_epoch(progress.epoch)
        batches = self._batches()
        while True:
            if self._due() and not interrupt.requested and self._record(interrupt):
                self._save()
            if progress.stopped is not None:
                return progress.stopped
            if interrupt.requested:
                self._save()
                return "interrupted"
            if self._out_of_time():
                self._save()
                # For the reader alone: a resumed run does not know of this record.
                if progress.step > progress.recorded:
                    self._record(interrupt)
                return "time"
            self.updates.make(next(batches), progress)
            if self.average is not None:
                self.average.update(progress.step)
            progress.count(self.batches_of_epoch)
            progress.seconds = time.monotonic() - self.begun
            bar.update()
            bar.set_postfix_str(f"loss {progress.train_loss:.3f}", refresh=False)
            if every and progress.step % every == 0 and not self._due():
                self._save()

    def _batches(self) -> Iterator[Any]:
        """Batches without end, from where the run stands."""
        while True:
            epoch, start = self.progress.epoch, self.progress.batch
            left, given = self.batches_of_epoch - start, 0
            for given, batch in enumerate(self.train.epoch(epoch, start), start=1):
                if given > left:
                    break
                yield batch
            if given != left or not left:
                raise ValueError(
                    f"want as many batches of epoch {epoch} as the feed's len_epoch says, one or "
                    f"more; got {given} in the place of {left}"
                )
            self.batches_of_epoch = self.train.len_epoch(self.progress.epoch)

    def _wake(self) -> None:
        """Train mode, but for the parts that the caller had put into eval mode on their own."""
        self.model.train()
        for module in self.asleep:
            module.training = False

    def _due(self) -> bool:
        """Whether it is time to validate and this has not been done yet."""
        progress, every = self.progress, self.config.validate_every
        if progress.step == progress.recorded:
            return False
        regular = progress.step % every == 0 if every else progress.batch == 0
        return regular or progress.step == self.total

    def _out_of_time(self) -> bool:
        limit = self.config.max_minutes
        return limit is not None and time.monotonic() - self.begun >= 60 * limit

    def _record(self, interrupt: Interrupt) -> bool:
        """Validates and writes a line of history; False if Ctrl-C came first."""
        with nullcontext() if self.average is None else self.average.in_place():
            return self._validated(interrupt)

    def _validated(self, interrupt: Interrupt) -> bool:
        progress = self.progress
        self.updates.read(progress)
        try:
            with interrupt.allowed():
                valid_loss, score = validate(
                    self.model,
                    self.valid,
                    self.score,
                    self.device,
                    progress.step,
                    objective=self.objective,
                    seed=self.config.seed,
                )
        except KeyboardInterrupt:
            interrupt.requested = True
            return False
        progress.seconds = time.monotonic() - self.begun
        record = Record(
            step=progress.step,
            epoch=progress.epoch + progress.batch / self.batches_of_epoch,
            seconds=progress.seconds,
            train_loss=progress.train_loss,
            valid_loss=valid_loss,
            score=score,
            learning_rate=self.updates.learning_rate(progress.step),
            gradient_norm=progress.norms / progress.steps,
        )
        if progress.add(record):
            self.best = {k: v.detach().clone() for k, v in weights_of(self.model).items()}
        enough = self.config.enough
        if progress.step == self.total:
            progress.stopped = "finished"
        elif enough is not None and score is not None and score >= enough:
            progress.stopped = "enough"
        elif self.config.patience is not None and progress.stale >= self.config.patience:
            progress.stopped = "patience"
        return True

    def _save(self) -> None:
        if self.files is None:
            return
        progress = self.progress
        self.updates.read(progress)
        self.files.save_last(self.model, self.updates.optimizer, self.best, progress, self.average)
        if self.best is not None and progress.best_step == progress.step:
            self.files.save_best(self.best, progress.step, progress.best_score)
        self.files.save_history(progress.history(progress.stopped or "running"))

    def _end(self, stopped: str, bar: tqdm) -> History:
        """Puts the best weights into the model and into their file."""
        progress = self.progress
        history = progress.history(stopped)
        if self.best is not None:
            load_weights(self.model, self.best, "the best weights")
        elif self.average is not None:
            load_weights(self.model, weights_of(self.model) | self.average.weights, "the average")
        if self.files is not None:
            if self.best is not None:
                self.files.save_best(self.best, progress.best_step, progress.best_score)
            elif stopped != "interrupted":
                self.files.save_best(weights_of(self.model), progress.step, None)
            self.files.save_history(history)
        if history.interrupted and not bar.disable:
            saved = "nothing is saved"
            if self.files is not None and self.files.saved is not None:
                saved = f"step {self.files.saved} is saved in {self.files.directory}"
            bar.write(f"interrupted at step {progress.step}: {saved}", file=sys.stderr)
        return history
