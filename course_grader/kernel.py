"""A student's kernel and the conversation with it, by Jupyter's messages over IPC sockets.

A cell is run by an `execute_request`. A test is one, too, during which the kernel asks for input
again and again: each prompt is what the kernel says, and each line of input what the judge says.
What the notebook prints is published to nobody.
"""

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import zmq
from jupyter_client.connect import write_connection_file
from jupyter_client.session import Session

from course_grader import GraderError
from course_grader.jail import Jail, Limits, environment

STARTING = 120.0  # seconds until the kernel must have imported torch
MESSAGE = 64 << 20  # the most bytes of a kernel's message
WATCH = 0.2  # seconds between two looks at what the kernel's processes take


class Broken(BaseException):
    """The kernel ended, or was stopped, during a test or a cell. No test catches this."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise Broken after so many seconds, whatever this process does then."""

    def stop(*_: object) -> None:
        raise Broken(f"stopped after {seconds:.0f} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    # Once more after a second: an exception within a finalizer is lost.
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Kernel:
    """One running kernel; the constructor raises GraderError if it does not start."""

    def __init__(self, jail: Jail, limits: Limits):
        self.jail, self.limits = jail, limits
        self.room = Path(tempfile.mkdtemp(prefix="grader-"))
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self._context = zmq.Context()
        self._looked, self._request = 0.0, ""
        file, ip = str(self.room / "kernel.json"), str(self.room / "k")
        _, settings = write_connection_file(file, transport="ipc", ip=ip)
        self._allowed = {"kernel.json", *(f"k-{settings[n]}" for n in settings if "_port" in n)}
        self._session = Session(key=settings["key"].encode())
        streams = {"stdin": subprocess.DEVNULL, "stdout": self._log, "stderr": self._log}
        command = jail.command(self.room, limits)
        self._process = subprocess.Popen(command, cwd=self.room, env=environment(), **streams)
        self._shell = self._connect(settings["shell_port"])
        self._stdin = self._connect(settings["stdin_port"])
        try:
            with time_limit(STARTING):
                if error := self.run("__import__('course_grader.inside').inside.prepare()"):
                    raise Broken(error)
        except BaseException as error:
            self._log.seek(0)
            said = self._log.read()[-500:].decode(errors="replace").strip()
            self.close()
            told = GraderError(f"a kernel does not start: {error}; {said}")
            raise told if isinstance(error, Broken) else error from None

    def run(self, code: str) -> str:
        """Run a cell; return the exception that it raised, or nothing."""
        self._execute(code, allow_stdin=False)
        return self._ending()

    def start_test(self) -> None:
        """Begin the conversation of a test."""
        self._execute("__import__('course_grader.inside').inside.serve()", allow_stdin=True)
        self._prompt()

    def exchange(self, text: str) -> str:
        """Say something and return what the kernel says next."""
        self._say(text)
        return self._prompt()

    def end_test(self) -> None:
        """End the conversation; raise Broken if the kernel does not go along."""
        self._say('["dict", [["op", "end"]]]')
        if error := self._ending():
            raise Broken(error)

    def close(self) -> None:
        """End all processes of the kernel and remove its room."""
        with suppress(psutil.NoSuchProcess):
            processes = psutil.Process(self._process.pid).children(recursive=True)
            self.jail.stop(self.room)
            self._process.kill()
            for process in processes:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            psutil.wait_procs(processes, timeout=10)
        self._process.wait()
        self._context.destroy(linger=0)
        self._log.close()
        shutil.rmtree(self.room, ignore_errors=True)

    def _connect(self, port: int) -> zmq.Socket:
        socket = self._context.socket(zmq.DEALER)
        socket.identity = self._session.bsession  # so that requests for input find this side
        socket.maxmsgsize, socket.rcvhwm = MESSAGE, 4
        socket.connect(f"ipc://{self.room}/k-{port}")
        return socket

    def _execute(self, code: str, *, allow_stdin: bool) -> None:
        content = {"code": code, "silent": allow_stdin, "store_history": not allow_stdin}
        content |= {"allow_stdin": allow_stdin, "stop_on_error": False, "user_expressions": {}}
        message = self._session.send(self._shell, "execute_request", content)
        self._request = message["header"]["msg_id"]

    def _say(self, text: str) -> None:
        self._session.send(self._stdin, "input_reply", {"value": text})

    def _ending(self) -> str:
        """Return the exception with which the request ended, or nothing."""
        while True:
            message = self._next(self._shell, self._stdin)
            if message["msg_type"] == "input_request":  # of a function that goes on talking
                self._say('["dict", [["op", "end"]]]')
            elif message["parent_header"].get("msg_id") == self._request:
                content = message["content"]
                failed = content.get("status") != "ok"
                return f"{content.get('ename')}: {content.get('evalue')}"[:500] if failed else ""

    def _prompt(self) -> str:
        while True:
            message = self._next(self._stdin, self._shell)
            if message["msg_type"] == "input_request":
                return str(message["content"]["prompt"])
            if message["parent_header"].get("msg_id") == self._request:
                raise Broken(f"the kernel stopped the test: {message['content'].get('evalue')}")

    def _next(self, *sockets: zmq.Socket) -> dict:
        """Return the next message; look at the kernel's processes meanwhile."""
        poller = zmq.Poller()
        for socket in sockets:
            poller.register(socket, zmq.POLLIN)
        while True:
            if time.monotonic() > self._looked + WATCH:
                self._look()
            for socket, _ in poller.poll(1000 * WATCH):
                try:
                    message = self._session.recv(socket)[1]
                    if type(message["parent_header"]) is type(message["content"]) is dict:
                        return message
                except Exception as error:
                    raise Broken(f"what it sent is no message: {error}"[:500]) from None

    def _look(self) -> None:
        self._looked = time.monotonic()
        if self._process.poll() is not None:
            raise Broken("your code ended the process in which it ran")
        memory, count = 0, 0
        with suppress(psutil.NoSuchProcess):
            for process in psutil.Process(self._process.pid).children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    memory += process.memory_info().rss
                    count += 1
        if memory > self.limits.memory:
            raise Broken(f"stopped: it took more than {self.limits.memory >> 20} MB of memory")
        if count > self.limits.processes:
            raise Broken(f"stopped: it ran more than {self.limits.processes} processes")
        # The one folder that is not on a disk of its own.
        if any(e.name not in self._allowed or e.is_symlink() for e in self.room.iterdir()):
            raise Broken("stopped: it wrote where it may not")
