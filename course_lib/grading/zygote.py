"""The warm parent of all workers: it has imported torch, holds no secret, and forks on demand.

For each submission it forks a *keeper*, which forks the worker into the jail and watches over its
memory, time and disk. When the judge ends, or breaks the leash, all is killed.
"""

import gc
import importlib
import json
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator

from course_lib.grading import kernel
from course_lib.grading.jail import (
    DISK,
    FOLDER,
    LANDLOCK,
    MEMORY,
    NAMESPACES,
    TIME,
    Limits,
    confine,
    measure,
)

FIRST_USER = 100_000
"""On the second rung a worker's user has this number and its keeper's process number together."""

TICK = 0.05
"""Seconds between two looks of a keeper."""

_PAGE = os.sysconf("SC_PAGE_SIZE")
_CLOCK = os.sysconf("SC_CLK_TCK")


def main(control: socket.socket, rung: str, modules: list[str]) -> None:
    """Forks a keeper for each message, which brings its leash and the worker's line.

    Args:
        control: from the judge; the zygote ends with it.
        rung: of the jail.
        modules: to import first.
    """
    if sys.platform == "linux":
        kernel.die_with_parent()
        if rung == NAMESPACES and os.getuid() == 0:
            kernel.become(kernel.NOBODY)
            kernel.be_dumpable()
            kernel.die_with_parent()
    import torch

    from course_lib.grading import worker

    torch.set_num_threads(1)
    torch.zeros(1).half().float()  # torch looks at the processor now: a worker has no /proc
    for name in modules:
        try:
            importlib.import_module(name)
        except Exception:  # a cell that imports it will say so
            continue
    _silence()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    control.send(b"ready")
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1 << 12, 2)
        if not message:
            return
        if os.fork() == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            try:
                leash, line = (socket.socket(fileno=number) for number in descriptors)
                _keep(leash, line, rung, Limits(*json.loads(message)), worker.work)
            except BaseException as error:
                leash.send(json.dumps({"end": f"error: {error}"[:500]}).encode())
            finally:
                os._exit(0)
        for number in descriptors:
            os.close(number)


def _silence() -> None:
    """Nothing that runs here can print or read."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)


def _keep(leash: socket.socket, line: socket.socket, rung: str, limits: Limits, work) -> None:
    """Forks the worker, and watches it until it ends, breaks a limit, or the judge lets go."""
    if sys.platform == "linux":
        measure()
    user = FIRST_USER + os.getpid() if rung == LANDLOCK else None
    folder = FOLDER
    if rung == NAMESPACES:
        child = kernel.enter_namespaces(folder, limits.disk)
    else:
        folder = tempfile.mkdtemp(prefix="submission-")
        if user is not None:
            os.chown(folder, user, user)
        if sys.platform == "linux":
            kernel.adopt_orphans()
        child = os.fork()
    if child == 0:
        if user is not None:
            kernel.become(user, reading=True)
            kernel.die_with_parent()
        os.chdir(folder)
        confine(rung, folder, limits)
        leash.close()
        work(line)
        os._exit(0)
    line.close()
    keeper = Keeper(child, rung, user, folder, limits)
    try:
        end = keeper.watch(leash)
    finally:
        keeper.kill()
        if rung != NAMESPACES:
            shutil.rmtree(folder, ignore_errors=True)
    if end:
        leash.send(json.dumps(end).encode())


class Keeper:
    """Watches one worker from outside its jail.

    Args:
        child: the worker's first process.
        rung: of its jail.
        user: whose processes all belong to the worker; None where it is its descendants.
        folder: where it may write.
        limits: of the submission.
    """

    def __init__(self, child: int, rung: str, user: int | None, folder: str, limits: Limits):
        self.child, self.rung, self.user, self.folder = child, rung, user, folder
        self.limits, self.most = limits, limits.cpu
        self.start = self.cpu = 0.0
        self.usual = max(_pages(child), _pages(os.getpid()))

    def watch(self, leash: socket.socket) -> dict | None:
        """How it ended; None where the judge has let go."""
        while True:
            if select.select([leash], [], [], TICK)[0]:
                message = leash.recv(1 << 10)
                if not message:
                    return None
                told = json.loads(message)
                self.most = told["cpu"]
                if told["sweep"]:
                    self.sweep()
                _, self.start = self.usage()
                leash.send(json.dumps({"cpu": self.start}).encode())
            memory, self.cpu = self.usage()
            for broken, limit in (
                (memory > self.limits.memory, MEMORY),
                (self.cpu - self.start > self.most, TIME),
                (self.rung != NAMESPACES and self.written() > self.limits.disk, DISK),
            ):
                if broken:
                    return {"end": limit, "cpu": self.cpu}
            done, status = os.waitpid(self.child, os.WNOHANG)
            if done:
                return {"end": f"status {os.waitstatus_to_exitcode(status)}", "cpu": self.cpu}

    def usage(self) -> tuple[int, float]:
        """Bytes of memory now, beside what the zygote had, and seconds of the processor so far."""
        pages = ticks = 0
        for number, (_, used) in self.members().items():
            pages += max(0, _pages(number) - self.usual)
            ticks += used
        return pages * _PAGE, max(self.cpu, ticks / _CLOCK)

    def members(self) -> dict[int, tuple[int, int]]:
        """By number the parents and the ticks of the worker's processes."""
        every = dict(_processes(self.user))
        if self.user is not None:
            return every
        # Without a user of its own the descendants: orphans are adopted by their namespace's first
        # process, or by this one.
        new = [self.child] if self.rung == NAMESPACES else _children(every, [os.getpid()])
        found: dict[int, tuple[int, int]] = {}
        while new:
            found.update({number: every[number] for number in new if number in every})
            new = [number for number in _children(every, new) if number not in found]
        return found

    def sweep(self) -> int:
        """Kills what an earlier test has left running; how many processes these were."""
        strays = [number for number in self.members() if number != self.child]
        for number in strays:
            _kill(number)
        return len(strays)

    def written(self) -> int:
        """Bytes in the worker's folder."""
        total = 0
        for where, _, files in os.walk(self.folder):
            for file in files:
                try:
                    total += os.lstat(os.path.join(where, file)).st_blocks * 512
                except OSError:
                    continue
        return total

    def kill(self) -> None:
        """Leaves no process of the worker."""
        _kill(self.child)  # in namespaces of its own, all others die with it
        deadline = time.monotonic() + 10
        while self.rung != NAMESPACES and self.sweep() and time.monotonic() < deadline:
            _reap()
        _reap()


def _children(every: dict[int, tuple[int, int]], parents: list[int]) -> list[int]:
    return [number for number, (parent, _) in every.items() if parent in parents]


def _processes(user: int | None) -> Iterator[tuple[int, tuple[int, int]]]:
    """Each process with its parent and the ticks that it and its ended children have used."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            if user is not None and os.stat(f"/proc/{name}").st_uid != user:
                continue
            with open(f"/proc/{name}/stat", "rb") as stream:
                fields = stream.read().rpartition(b") ")[2].split()
        except OSError:  # it has ended
            continue
        if fields[0] != b"Z":
            yield int(name), (int(fields[1]), sum(map(int, fields[11:15])))


def _pages(number: int) -> int:
    """The pages of memory that a process shares with no file."""
    try:
        with open(f"/proc/{number}/statm", "rb") as stream:
            fields = stream.read().split()
        return int(fields[1]) - int(fields[2])
    except (OSError, IndexError):
        return 0


def _kill(number: int) -> None:
    try:
        os.kill(number, signal.SIGKILL)
    except OSError:
        return


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    except ChildProcessError:
        return


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), sys.argv[2], json.loads(sys.argv[3]))
