"""The jail of a submission, on one of three rungs, and what this machine allows.

1. `namespaces`: the zygote in bubblewrap, each worker in namespaces of its own.
2. `landlock`: where user namespaces are forbidden, but the judge is root: each worker is a user of
   its own, sees by Landlock only the packages and its folder, and has no network.
3. `weak`: none of these; only for code that is trusted.
"""

import importlib.util
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from course_lib.errors import CourseError
from course_lib.grading import kernel

NAMESPACES, LANDLOCK, WEAK = "namespaces", "landlock", "weak"

FOLDER = "/submission"
"""Where a worker may write, on the first rung."""

MEMORY = "memory"
DISK = "disk"
TIME = "time"
FORKS = "forks"


class Limits(NamedTuple):
    """What one submission may take.

    Attributes:
        cpu: seconds of the processor, of a cell and of a test.
        wall: seconds on the clock, likewise.
        memory: bytes beside those of the packages.
        disk: bytes in its folder.
        processes: at the same time, threads counted.
        cells: seconds of the processor for all cells together.
    """

    cpu: float = 40.0
    wall: float = 90.0
    memory: int = 2 << 30
    disk: int = 64 << 20
    processes: int = 32
    cells: float = 80.0


def choose(wanted: str | None = None, *, allow_weak: bool = False) -> str:
    """The rung for this run: the one that is wanted, else the best one.

    Raises:
        CourseError: it cannot be had here, or is weak and nobody allowed that.
    """
    if wanted not in (None, NAMESPACES, LANDLOCK, WEAK):
        raise CourseError(f"want the jail {NAMESPACES}, {LANDLOCK} or {WEAK}; got {wanted!r}")
    missing = {NAMESPACES: _without_namespaces(), LANDLOCK: _without_landlock()}
    for rung in (NAMESPACES, LANDLOCK):
        if wanted in (None, rung) and not missing[rung]:
            return rung
    if wanted in missing:
        raise CourseError(f"want the jail {wanted}; got a machine where {missing[wanted]}")
    if not allow_weak:
        raise CourseError(
            f"want a jail for students' code; got a machine where {missing[NAMESPACES]}, and "
            f"{missing[LANDLOCK]}. Install bubblewrap, or run as root, or say --allow-weak if "
            "you trust all submissions"
        )
    return WEAK


def doctor() -> list[tuple[str, bool, str]]:
    """What a jail needs, whether this machine has it, and what was found."""
    namespaces, landlock = _without_namespaces(), _without_landlock()
    version = kernel.landlock_version() if sys.platform == "linux" else 0
    try:
        rung = choose()
    except CourseError:
        rung = "none: grading refuses, unless --allow-weak is given"
    found = shutil.which("bwrap")
    return [
        ("bubblewrap", bool(found), found or "not installed: apt install bubblewrap"),
        ("namespaces", not namespaces, namespaces or "a worker gets its own"),
        ("Landlock", version > 0, f"version {version}" if version else "not in this kernel"),
        ("user", _is_root(), "root: a worker becomes another user" if _is_root() else "not root"),
        ("second rung", not landlock, landlock or "can be had"),
        ("jail", rung in (NAMESPACES, LANDLOCK), rung),
    ]


def command(rung: str, program: list[str], hidden: Path | None = None) -> list[str]:
    """The command that runs a Python module as the zygote on this rung.

    Args:
        rung: of the jail.
        program: what follows the interpreter.
        hidden: a folder that must not be seen even if it lies in one of the packages'.
    """
    python = [sys.executable, "-s", *program]
    if rung != NAMESPACES:
        return python
    options = ["bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    options += ["--die-with-parent", "--new-session"]
    if not _is_root():
        options += ["--unshare-user", "--uid", str(kernel.NOBODY), "--gid", str(kernel.NOBODY)]
    # First, since the packages may lie in it.
    options += ["--perms", "1777", "--size", str(64 << 20), "--tmpfs", "/tmp"]
    above = {str(parent) for path in _packages() for parent in list(Path(path).parents)[:-1]}
    for path in sorted(above):  # /root, say, is for root alone
        options += ["--perms", "0755", "--dir", path]
    for path in ("/bin", "/sbin", "/lib", "/lib64", "/lib32"):
        if os.path.islink(path):
            options += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            options += ["--ro-bind", path, path]
    for path in (*_packages(), "/etc/ld.so.cache", "/etc/fonts", "/sys/devices/system/cpu"):
        options += ["--ro-bind-try", path, path]
    if hidden and any(Path(path) in hidden.parents for path in _packages()):
        options += ["--tmpfs", str(hidden)]
    options += ["--proc", "/proc", "--dev", "/dev"]
    # Root's files are not nobody's to write anyway; they are where the zygote is not root's.
    options += ["--dir", FOLDER, "--remount-ro", "/", "--chdir", "/", "--"]
    return [*options, *python]


def environment() -> dict[str, str]:
    """All that the zygote and the workers find in theirs."""
    return {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(str(Path(p).parent) for p in _course())),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        # Memory in large pages: to fork a process with torch in it takes 5 ms in place of 20.
        "PYTHONMALLOC": "malloc",
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": "/tmp",
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
    }


def confine(rung: str, folder: str, limits: Limits) -> None:
    """Takes from this process, and all it will fork, what the rung takes from a student's code."""
    os.environ.update(HOME=folder, TMPDIR=folder, MPLCONFIGDIR=folder)
    for name, most in (
        (resource.RLIMIT_FSIZE, limits.disk),
        (resource.RLIMIT_NOFILE, 128),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, _AT_START + limits.memory + (256 << 20)),
    ):
        resource.setrlimit(name, (most, most))
    if rung != WEAK:
        resource.setrlimit(resource.RLIMIT_NPROC, (limits.processes, limits.processes))
    if sys.platform == "linux":
        system = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/fonts"]
        devices = ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"]
        kernel.landlock([*_packages(), *system, *devices[1:]], [folder, devices[0]])
        kernel.filter_calls()


def _is_root() -> bool:
    return hasattr(os, "getuid") and os.getuid() == 0


def _without_namespaces() -> str:
    """Why the first rung cannot be had; empty if it can."""
    if sys.platform != "linux":
        return "there is no Linux"
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed"
    done = subprocess.run(
        command(NAMESPACES, ["-S", "-E", kernel.__file__]), capture_output=True, text=True
    )
    said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
    return f"user namespaces are forbidden ({said})" if done.returncode else ""


def _without_landlock() -> str:
    """Why the second rung cannot be had; empty if it can."""
    if sys.platform != "linux" or not kernel.landlock_version():
        return "the kernel has no Landlock"
    return "" if _is_root() else "only root can become another user"


def _course() -> list[str]:
    """The folders of the course's own packages."""
    specs = (importlib.util.find_spec(name) for name in ("course_lib", "course_lab"))
    return [path for spec in specs if spec for path in spec.submodule_search_locations or ()]


def _packages() -> list[str]:
    """The folders that a worker may read: Python, its packages, and the course's."""
    installed = [p for p in sys.path if "site-packages" in p or "dist-packages" in p]
    real = os.path.dirname(os.path.realpath(sys.executable))
    found = ["/usr", sys.prefix, sys.base_prefix, real, *installed, *_course()]
    return list(dict.fromkeys(path for path in found if os.path.isdir(path)))


_AT_START = 0


def measure() -> None:
    """Remembers the bytes of address space of this process, before a worker's /proc is gone."""
    global _AT_START
    with open("/proc/self/statm", encoding="ascii") as stream:
        _AT_START = int(stream.read().split()[0]) * resource.getpagesize()
