"""What holds a worker, looked at from within and from outside, each part by itself."""

import errno
import json
import os
import platform
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import course_lib
from course_lib.grading import jail, kernel
from course_lib.grading.jail import LANDLOCK, NAMESPACES
from tests.unit.grading.small import SOURCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a jail needs Linux")

ROOT = Path(__file__).parents[3]
KINDS = ("user", "pid", "net", "ipc", "uts", "mnt")

AS_ZYGOTE = """
import json, os, socket, sys, time
from course_lib.grading import kernel

def spaces(number):
    return {kind: os.readlink(f"/proc/{number}/ns/{kind}") for kind in sys.argv[3].split()}

def can(what, *given):
    try:
        return bool(what(*given))
    except OSError:
        return False

if os.getuid() == 0:
    kernel.become(kernel.NOBODY)
    kernel.be_dumpable()
seen = {
    "zygote": spaces("self"),
    "connects": can(socket.create_connection, ("127.0.0.1", int(sys.argv[1])), 2),
    "writes": [p for p in ("/", "/usr", "/submission", sys.prefix) if can(open, f"{p}/left", "w")],
    "hidden": os.listdir(sys.argv[2]),
    "user": [os.getuid(), os.getgid()],
    "processes": sum(map(str.isdigit, os.listdir("/proc"))),
}
there, done = os.pipe()
child = kernel.enter_namespaces("/submission", 1 << 20)
if child == 0:
    os.write(done, b"x")
    time.sleep(60)
os.read(there, 1)
lines = open(f"/proc/{child}/status").read().splitlines()
seen["worker"] = spaces(child)
seen["rights"] = [line.split()[1] for line in lines if line.startswith(("CapPrm", "CapEff", "NoN"))]
os.kill(child, 9)
print(json.dumps(seen))
"""


@pytest.mark.skipif(bool(jail._without_namespaces()), reason="no namespaces")
def test_what_the_zygote_and_a_worker_share_with_others():
    hidden = Path(course_lib.__file__).parent / "alignment"
    with socket.create_server(("127.0.0.1", 0)) as server:
        program = ["-c", AS_ZYGOTE, str(server.getsockname()[1]), str(hidden), " ".join(KINDS)]
        done = subprocess.run(
            jail.command(NAMESPACES, program, hidden),
            env=jail.environment(),
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    for kind in KINDS:
        assert seen["worker"][kind] != seen["zygote"][kind], kind
        if kind != "user":  # root's zygote needs none
            assert seen["zygote"][kind] != os.readlink(f"/proc/self/ns/{kind}"), kind
    assert (seen["connects"], seen["writes"], seen["hidden"]) == (False, [], [])
    assert seen["user"] == [kernel.NOBODY] * 2
    assert seen["processes"] <= 3
    assert [int(number, 16) for number in seen["rights"]] == [0, 0, 1]


DENIED = """
import ctypes, json, sys
from course_lib.grading import kernel
libc = ctypes.CDLL(None, use_errno=True)
kernel.filter_calls()
for number, *given in json.loads(sys.argv[1]):
    ctypes.set_errno(0)
    libc.syscall(*map(ctypes.c_ulong, [number, *given, *[0] * (6 - len(given))]))
    print(ctypes.get_errno())
"""


@pytest.mark.skipif(platform.machine() not in kernel._ARCHITECTURES, reason="calls are unknown")
def test_calls_that_reach_out_are_denied():
    column, _, new_socket, clone = kernel._ARCHITECTURES[platform.machine()]
    names = "ptrace process_vm_readv process_vm_writev mount umount2 unshare setns bpf keyctl "
    names += "perf_event_open userfaultfd io_uring_setup open_by_handle_at open_tree fsopen"
    calls = [[kernel._DENIED[name][column]] for name in names.split()]
    calls += [[clone, kernel.NEWUSER | signal.SIGCHLD], [new_socket, socket.AF_INET, 1]]
    calls += [[0x40000000 + 39]] * (platform.machine() == "x86_64")  # the same by x32's numbers
    calls += [[kernel._CLONE3], [new_socket, socket.AF_UNIX, 1]]
    done = subprocess.run(
        [sys.executable, "-c", DENIED, json.dumps(calls)],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    *denied, no_clone3, local = map(int, done.stdout.split())
    assert set(denied) == {errno.EPERM}, dict(zip(names.split(), denied, strict=False))
    assert (no_clone3, local) == (errno.ENOSYS, 0)


JUDGE = """
import sys
from pathlib import Path
from course_lib.grading.judge import Judge
code = "import subprocess\\nsubprocess.run(['/usr/bin/sleep', '98764'])"
with Judge("hw99", jail=sys.argv[1], homework=Path(sys.argv[2])) as judge:
    judge.grade({"cells": [{"cell_type": "code", "source": code}]}, student="sleeps")
"""


def _sleeper():
    """The process that the submission has started; None where there is none."""
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            if b"sleep\x0098764" in Path("/proc", number, "cmdline").read_bytes():
                return int(number)
        except OSError:
            continue
    return None


def _parent(number):
    return int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])


def _wait(good):
    until = time.monotonic() + 300
    while not good():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize("rung", [NAMESPACES, LANDLOCK])
@pytest.mark.parametrize("killed", ["judge", "keeper"])
def test_a_worker_ends_with_those_who_watch_it(rung, killed, tmp_path):
    if missing := {NAMESPACES: jail._without_namespaces, LANDLOCK: jail._without_landlock}[rung]():
        pytest.skip(missing)
    if (rung, killed) == (LANDLOCK, "keeper"):
        pytest.skip("without a namespace of its own only the worker itself ends with its keeper")
    (tmp_path / "hw99_small").mkdir()
    (tmp_path / "hw99_small" / "hw99_small.py").write_text(SOURCE, encoding="utf-8")
    judge = subprocess.Popen(
        [sys.executable, "-c", JUDGE, rung, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    try:
        _wait(_sleeper)
        sleeper = _sleeper()
        os.kill(judge.pid if killed == "judge" else _parent(_parent(sleeper)), signal.SIGKILL)
        _wait(lambda: _sleeper() != sleeper)
    finally:
        judge.kill()
        judge.wait()
    _wait(lambda: _sleeper() is None)
