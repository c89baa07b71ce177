"""The judge's side of the zygote and of the workers: to start them, and to learn how they end."""

import json
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from course_lib.grading.jail import DISK, MEMORY, TIME, Limits, command, environment
from course_lib.grading.peer import Peer
from course_lib.grading.wire import Closed, Line, TooLate, WireError
from course_lib.grading.worker import FORK

STARTING = 300
"""Seconds in which a zygote has imported all."""

LATE, WIRE = "late", "wire"

TOLD = {
    TIME: "stopped after {cpu:g} seconds of the processor: is there a loop that does not end?",
    MEMORY: "stopped: it took more than {memory} MB of memory",
    DISK: "stopped: it wrote more than {disk} MB",
    LATE: "stopped: it waited {wall:g} seconds without computing",
    WIRE: "stopped: what it sent could not be read",
}
"""What the end of a worker by one of its limits is called."""


class JudgeError(Exception):
    """The grader itself does not work: nothing is known of the submission."""


class Broken(BaseException):
    """The worker, and not what it returned, ended a test. No test catches this.

    Attributes:
        status: of the test, as in `record.Test`.
        told: what happened, in a sentence.
    """

    def __init__(self, status: str, told: str):
        super().__init__(told)
        self.status, self.told = status, told


class Zygote:
    """The process from which workers are forked.

    Args:
        rung: of the jail.
        modules: to import before.
        hidden: the folder of the sources.
        limits: of a submission.
    """

    def __init__(self, rung: str, modules: Sequence[str], hidden: Path, limits: Limits):
        self.limits = limits
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        module = ["-m", "course_lib.grading.zygote"]
        program = [*module, str(theirs.fileno()), rung, json.dumps(list(modules))]
        self.process = subprocess.Popen(
            command(rung, program, hidden.resolve()),
            pass_fds=[theirs.fileno()],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        theirs.close()
        self.control.settimeout(STARTING)
        if self.control.recv(16) != b"ready":
            said = self.process.communicate()[1].decode(errors="replace").strip().splitlines()
            raise JudgeError(f"the zygote does not start: {said[-1] if said else 'no reason'}")

    def worker(self) -> "Worker":
        """A new worker, in a jail of its own.

        Raises:
            JudgeError: the zygote is gone.
        """
        leash, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        line, other = socket.socketpair()
        try:
            descriptors = [theirs.fileno(), other.fileno()]
            socket.send_fds(self.control, [json.dumps(self.limits).encode()], descriptors)
        except OSError as error:
            leash.close()
            line.close()
            raise JudgeError(f"the zygote is gone: {error}") from error
        finally:
            theirs.close()
            other.close()
        return Worker(leash, line, self.limits)

    def close(self) -> None:
        """Ends it, and with it every worker."""
        self.control.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()


class Worker:
    """One worker: the leash goes to its keeper outside its jail, the line to itself.

    Attributes:
        cpu: seconds of the processor that its processes have used so far.
    """

    def __init__(self, leash: socket.socket, line: socket.socket, limits: Limits):
        self.leash, self.peer, self.limits = leash, Peer(Line(line)), limits
        self.cpu = 0.0
        self._ended: dict = {}
        leash.settimeout(30)

    def run(self, cells: list[tuple[int, str]], told: Callable[[int, str], None]) -> int | None:
        """Runs the cells.

        Args:
            cells: each with its number.
            told: called with the number of a cell and what it raised.

        Returns:
            The number of the cell in which it died, for `end` to say how; None where all are done.
        """
        current = -1
        self.limit(self.limits.cpu, sweep=False)
        self.peer.line.deadline = time.monotonic() + self.limits.wall
        try:
            self.peer.send({"op": "cells", "cells": cells})
            while True:
                message = self.peer.receive()
                number = message.get("number")
                if message["op"] == "ready":
                    return None
                if type(number) is not int:
                    raise WireError("want the number of a cell")
                if message["op"] == "cell":
                    current = number
                    self.limit(self.limits.cpu, sweep=False)  # it runs already
                    self.peer.line.deadline = time.monotonic() + self.limits.wall
                else:
                    told(number, str(message.get("told")))
        except Closed:
            return current
        except (TooLate, WireError) as error:  # it lives, so its keeper says nothing
            self._ended = self._ended or {"end": LATE if isinstance(error, TooLate) else WIRE}
            return current

    def begin(self) -> socket.socket:
        """Forks for a test, which this stream goes to.

        Raises:
            Broken: the worker is gone.
        """
        self.limit(self.limits.cpu)
        stream, theirs = socket.socketpair()
        try:
            socket.send_fds(self.peer.line.stream, [FORK], [theirs.fileno()])
        except OSError:
            stream.close()
            raise self.end() from None
        finally:
            theirs.close()
        return stream

    def finish(self) -> bool:
        """Waits until the fork for a test has ended; False if it does not."""
        self.peer.line.deadline = time.monotonic() + 5
        try:
            return self.peer.receive()["op"] == "ended"
        except (Closed, TooLate, WireError):
            return False

    def limit(self, cpu: float, *, sweep: bool = True) -> float:
        """From now it may use so many seconds of the processor; those used since the last call.

        Args:
            cpu: seconds.
            sweep: whether all its processes are killed but the one that holds the cells' results.
        """
        before = self.cpu
        try:
            self.leash.send(json.dumps({"cpu": cpu, "sweep": sweep}).encode())
            answer = json.loads(self.leash.recv(1 << 10) or b"{}")
        except OSError:
            return 0.0
        if "end" in answer:  # it has just been stopped
            self._ended = answer
        self.cpu = answer.get("cpu", self.cpu)
        return self.cpu - before

    def end(self) -> Broken:
        """How it ended, once it is gone."""
        answer = self._ended
        with suppress(OSError):
            answer = answer or json.loads(self.leash.recv(1 << 10) or b"{}")
        self.cpu = answer.get("cpu", self.cpu)
        end = answer.get("end", "")
        if end in TOLD:
            memory, disk = self.limits.memory >> 20, self.limits.disk >> 20
            limits = {**self.limits._asdict(), "memory": memory, "disk": disk}
            return Broken(end, TOLD[end].format(**limits))
        if end.startswith("error"):
            raise JudgeError(end)
        return Broken("failed", "your code ended the process in which it ran")

    @property
    def stopped(self) -> bool:
        """Whether its keeper has stopped it for one of its limits."""
        return self._ended.get("end") in TOLD

    def close(self) -> None:
        """Kills it, with all that it has started, and waits until that is done."""
        self.peer.line.close()
        try:
            self.leash.shutdown(socket.SHUT_WR)
            while self.leash.recv(1 << 10):
                continue
        except OSError:
            pass
        self.leash.close()
