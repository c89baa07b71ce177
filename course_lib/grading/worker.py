"""In the jail: runs the cells of one notebook, then forks for each test and answers the judge.

Everything here runs beside the student's code and can be changed by it. The judge trusts nothing
that comes from here.
"""

import errno
import gc
import linecache
import os
import signal
import socket
import time
import traceback
from collections.abc import Callable
from typing import Any

import torch

from course_lib.grading.jail import DISK, FORKS, MEMORY
from course_lib.grading.peer import MODULE, Peer
from course_lib.grading.watch import Count, Watch
from course_lib.grading.wire import Line, TooLate, WireError

FORK = b"t"
"""The byte that brings a test's line."""

WATCHED, EACH = 0.3, 4
"""Seconds in which every call of a test is watched for the library, and then each fourth.

Code of many lines takes nearly twice its time while it is watched.
"""

try:
    from IPython.core.inputtransformer2 import TransformerManager
except ImportError:
    TransformerManager = None


def work(stream: socket.socket) -> None:
    """Runs the cells that come first, then a test for each line that comes.

    Args:
        stream: to the judge.
    """
    peer = Peer(Line(stream))
    names: dict[str, Any] = {"__name__": "__main__", "grader": _Grader()}
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for number, source in peer.receive()["cells"]:
        peer.send({"op": "cell", "number": number})
        told = _run(number, source, names)
        if told:
            peer.send({"op": "raised", "number": number, "told": told})
    gc.freeze()
    peer.send({"op": "ready"})
    while True:
        mark, descriptors, _, _ = socket.recv_fds(stream, 1, 1)
        if not mark:
            return
        child = os.fork()
        if child == 0:
            stream.close()
            _test(socket.socket(fileno=descriptors[0]), names)
            os._exit(0)
        os.close(descriptors[0])
        ended, status = os.wait()
        while ended != child:  # what an earlier test has left is this process's
            ended, status = os.wait()
        peer.send({"op": "ended", "status": os.waitstatus_to_exitcode(status)})


def _run(number: int, source: str, names: dict[str, Any]) -> str:
    """Runs a cell; what it raised."""
    name = f"<cell {number}>"
    try:
        code = TransformerManager().transform_cell(source) if TransformerManager else source
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        exec(compile(code, name, "exec"), names)
    except BaseException as error:  # SystemExit, too
        return f"{type(error).__name__}: {error}"[:500]
    return ""


class _Grader:
    """Stands for otter's: what a notebook asks of it here is not done."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *given, **named: None


def _test(stream: socket.socket, names: dict[str, Any]) -> None:
    student = Student(Line(stream), names)
    try:
        student.serve()
    except (WireError, TooLate, OSError):
        return


class NotAllowed(Exception):
    """Something was used that the question forbids."""


class Student(Peer):
    """Answers for the student's functions; its first object gives each of them by its name."""

    caught = BaseException  # SystemExit must not end a test's process
    methods = MODULE

    def __init__(self, line: Line, names: dict[str, Any]):
        super().__init__(line)
        self.names, self.steps, self.calls, self.watched = names, 0, 0, 0.0
        self.export(self.named)
        self.export(self.counted)

    def run(self, function: Callable, given: list, named: dict, message: dict) -> Any:
        """Calls a student's function, watched or counted if the judge says so.

        Raises:
            NotAllowed: it used what its question forbids, whatever came of that.
        """
        if function in (self.named, self.counted):
            return function(*given)
        if message.get("count"):
            count = Count(self.names)
            with count():
                function(*given, **named)
            self.steps = count.steps
            return None
        rules = message.get("rules", {})
        self.calls += 1
        if self.watched > WATCHED and self.calls % EACH and not rules.get("strict"):
            return function(*given, **named)
        watch, begun = Watch(self.names, rules), time.process_time()
        try:
            with watch():
                return function(*given, **named)
        finally:
            self.watched += time.process_time() - begun
            if watch.seen:
                raise NotAllowed(", ".join(watch.seen))

    def counted(self) -> int:
        """The steps of the call that was counted last."""
        return self.steps

    def named(self, name: str, seed: int, replaced: dict[str, Any]) -> Any:
        """One of the student's names, with the random state set and others of them replaced.

        Raises:
            NameError: there is none.
        """
        torch.default_generator.manual_seed(seed)
        self.names.update(replaced)
        if name not in self.names:
            raise NameError(f"name {name!r} is not defined")
        return self.names[name]

    def describe(self, error: BaseException) -> dict[str, Any]:
        """Which kind it is, its text, and the student's own line that stopped."""
        told = super().describe(error)
        steps = [
            (frame.f_code.co_filename, number)
            for frame, number in traceback.walk_tb(error.__traceback__)
            if frame.f_globals is self.names
        ]
        line = ""
        if steps:
            file, number = steps[-1]
            text = linecache.getline(file, number).strip()
            line = f"line {number} of its cell" + (f": `{text}`" if text else "")
        forbidden = isinstance(error, NotAllowed)
        return {**told, "line": line, "limit": _limit(error), "forbidden": forbidden}


def _limit(error: BaseException) -> str:
    """The limit that an exception speaks of, if it is one."""
    number = getattr(error, "errno", None)
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
        return MEMORY
    if number in (errno.ENOSPC, errno.EFBIG):
        return DISK
    return FORKS if number == errno.EAGAIN or "can't start new thread" in str(error) else ""
