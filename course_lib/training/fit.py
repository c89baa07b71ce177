"""One training loop for every model: what it is trained for is its objective.

A run is a function of its settings, its data, its first weights and the number of threads. From
step to step nothing is carried but the weights, the optimizer and `Progress`; the random numbers
of dropout begin anew at each step from (seed, step). So a run that was killed and resumed from
its last checkpoint ends with the very weights of one that was not.
"""

from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

from course_lib.device import get_device
from course_lib.models.protocol import restoring_modes
from course_lib.training.config import FitConfig
from course_lib.training.feed import Feed
from course_lib.training.folder import training_in
from course_lib.training.history import History
from course_lib.training.loop import Loop
from course_lib.training.objective import Objective, translation_loss


def fit(
    model: nn.Module,
    train: Feed,
    valid: Feed | None,
    config: FitConfig,
    *,
    objective: Objective = translation_loss,
    directory: Path | str | None = None,
    resume: bool = False,
    device: torch.device | str | None = None,
    progress: bool = True,
    score: Callable[[nn.Module], float] | None = None,
) -> History:
    """Trains a model by AdamW (Loshchilov & Hutter 2019, algorithm 2).

    A step's loss is the objective's mean over its batch, for translators over the real target
    tokens. At the end the model has the weights with the best score or, if nothing was scored, its
    last ones.

    Args:
        model: is moved to the device and trained in place; files have the names of its own weights
            where `torch.compile` or `DistributedDataParallel` is around it. Each part is in train
            or eval mode afterwards as before. A part in eval mode within a model in train mode
            stays so while it trains: its dropout was switched off on purpose.
        train: the training batches, `Batches` or another `Feed`.
        valid: the validation batches; None goes without.
        config: how to train.
        objective: what the model is trained for; see `objective.py`.
        directory: where checkpoints, weights and history are kept; None keeps nothing.
        resume: go on from the checkpoint in `directory`; where there is none, start.
        device: by default the one of `course_lib.device.get_device`.
        progress: show a progress bar on standard error.
        score: of the model in eval mode, higher is better, the same for the same weights. By
            default minus the validation loss.

    Returns:
        the history. After Ctrl-C its `interrupted` is True, and the state is saved if there is a
        directory: resuming goes on from the very step.

    Raises:
        CourseError: impossible settings; a directory that holds another run, or in which another
            training is going on; a checkpoint that is broken or cannot be written; a loss, gradient
            or score that is not finite. The last good checkpoint stays in each case.
    """
    if resume and directory is None:
        raise ValueError("wanted the directory to resume from, got none")
    device = get_device() if device is None else torch.device(device)
    # The caller's random numbers go on afterwards as if there had been no training.
    cuda = [device] if device.type == "cuda" else []
    with (
        # Whatever mode the caller is in: there is nothing to learn without gradients.
        torch.inference_mode(False),
        torch.enable_grad(),
        torch.random.fork_rng(devices=cuda),
        training_in(directory),
        restoring_modes(model),
    ):
        try:
            loop = Loop(model.to(device), train, valid, config, device, objective, score)
            if directory is not None:
                loop.open(Path(directory), resume)
            return loop.run(progress)
        finally:
            # The last step's gradients would be added to the caller's next ones.
            model.zero_grad(set_to_none=True)
