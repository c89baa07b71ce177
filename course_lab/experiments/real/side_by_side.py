"""Many trainings at once on one machine, each in a process of its own, until a time is up.

The steps of a small network are many short operations. One process cannot keep a GPU busy with
them, so several share it, by NVIDIA's Multi-Process Service where that can be started: without it
the GPU serves one process after the other.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import torch

Job = TypeVar("Job")

# A forked process has the libraries loaded already. Other systems cannot fork safely.
_CONTEXT = get_context("fork" if sys.platform == "linux" else "spawn")
_CONTROL = "nvidia-cuda-mps-control"
_VARIABLES = ("CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY")
_PATIENCE = 20  # seconds: how long a GPU may take to answer the first process that asks


def side_by_side(
    work: Callable[[Job], None],
    jobs: Sequence[Job],
    logs: Path,
    *,
    processes: int,
    until: float | None = None,
    begin: Callable[[Job, float], bool] = lambda job, left: True,
) -> Iterator[tuple[Job, bool]]:
    """Does the jobs, so many at a time, in their order.

    Args:
        work: of a module; what it prints, and an error, goes into the job's log.
        jobs: their `name` names the log.
        logs: an existing folder.
        processes: how many at a time; each should use one thread.
        until: the time (`time.time()`) when all is over: what still runs then is stopped.
        begin: whether it is worth while to begin a job that has so many seconds until then; a job
            for which it is not is left out.

    Yields:
        each job as it ends, and whether it ended well.
    """
    waiting, running = list(jobs), {}
    while waiting or running:
        now = time.time()
        while waiting and len(running) < processes:
            job = waiting.pop(0)
            if until is not None and not begin(job, until - now):
                continue
            running[job] = _CONTEXT.Process(target=_child, args=(work, job, logs))
            running[job].start()
        for job, process in list(running.items()):
            if until is not None and now > until and process.is_alive():
                process.terminate()
                process.join(5)
            if not process.is_alive():
                del running[job]
                yield job, process.exitcode == 0
        time.sleep(0.05)


def _child(work: Callable[[Any], None], job: Any, logs: Path) -> None:
    with (
        open(logs / f"{job.name}.log", "w", encoding="utf-8", buffering=1) as log,
        redirect_stdout(log),
        redirect_stderr(log),
    ):
        try:
            work(job)
        except BaseException:
            traceback.print_exc()
            log.flush()
            # Not by an exception: that would be printed a second time.
            os._exit(1)


@contextmanager
def shared_gpu(wanted: bool) -> Iterator[bool]:
    """Lets the processes that are started inside compute on one GPU at the same time.

    This process must not have asked PyTorch for a GPU before. No setting of the GPU is changed.

    Yields:
        whether they can; without a GPU, or where the service does not work, they cannot.
    """
    program = shutil.which(_CONTROL) or shutil.which(_CONTROL, path="/usr/local/nvidia/bin")
    if not wanted or program is None:
        yield False
        return
    with tempfile.TemporaryDirectory(prefix="mps-") as folder:
        os.environ.update(dict.fromkeys(_VARIABLES, folder))
        began = False
        try:
            with suppress(OSError, subprocess.SubprocessError):
                path = f"{Path(program).parent}{os.pathsep}{os.environ.get('PATH', '')}"
                environment = {**os.environ, "PATH": path}
                # The service lives on: it must not hold this process's output open.
                subprocess.run(
                    [program, "-d"],
                    env=environment,
                    check=True,
                    timeout=_PATIENCE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                began = True
            works = began and _answers()
            if not works:
                for name in _VARIABLES:
                    os.environ.pop(name, None)
            yield works
        finally:
            if began:
                os.environ.update(dict.fromkeys(_VARIABLES, folder))
                with suppress(OSError, subprocess.SubprocessError):
                    subprocess.run(
                        [program],
                        input=b"quit\n",
                        timeout=_PATIENCE,
                        check=False,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                    )
            for name in _VARIABLES:
                os.environ.pop(name, None)


def _answers() -> bool:
    """Whether a process of its own can compute on the GPU."""
    process = _CONTEXT.Process(target=_ask)
    process.start()
    process.join(_PATIENCE)
    if process.is_alive():
        process.kill()
        process.join()
    return process.exitcode == 0


def _ask() -> None:
    os._exit(0 if float(torch.ones(8, device="cuda").sum()) == 8.0 else 1)
