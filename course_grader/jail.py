"""Where a student's kernel runs: in bubblewrap, in a container, or, if you insist, unlocked.

In the first two there is no network, no other process and no file of this machine but Python and
its packages, which cannot be written; memory, processes and disk are limited.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from course_grader import GraderError

BUBBLEWRAP, WEAK = "bubblewrap", "none (--allow-weak)"


class Limits(NamedTuple):
    """What one submission may take: seconds on the clock, bytes, and processes at one time.

    `test` is for one test or one cell; `notebook` and the others are for all together.
    """

    test: float = 30.0
    notebook: float = 180.0
    memory: int = 3 << 30
    disk: int = 256 << 20
    processes: int = 64


LIMITS = Limits()


class Jail(NamedTuple):
    """What locks a kernel up: `name` for the records, and how it is started."""

    name: str
    engine: str = ""
    image: str = ""
    hidden: tuple[Path, ...] = ()

    def command(self, room: Path, limits: Limits) -> list[str]:
        """Return the command that starts the kernel whose connection file is in `room`."""
        kernel = ["-m", "ipykernel_launcher", "-f", str(room / "kernel.json")]
        kernel.append("--HistoryManager.enabled=False")
        if self.engine:
            return [*_container(self.engine, room, limits), self.image, "python", *kernel]
        command = [sys.executable, *kernel]
        if self.name == BUBBLEWRAP:
            command = [*_bubblewrap(room, limits, self.hidden), *command]
        if shutil.which("prlimit"):
            # Packages map more memory than they use; what is used is watched while the kernel runs.
            caps = [f"--as={limits.memory + (4 << 30)}", f"--nproc={limits.processes * 4}"]
            command = ["prlimit", *caps, f"--fsize={limits.disk}", "--core=0", *command]
        return command

    def stop(self, room: Path) -> None:
        """End a container, whose processes are not children of this one."""
        if self.engine:
            subprocess.run([self.engine, "kill", room.name], capture_output=True)


def choose(image: str = "", *, allow_weak: bool = False, hidden: tuple[Path, ...] = ()) -> Jail:
    """Return a container of this image, or else bubblewrap, or else no jail where that is allowed.

    The kernel does not see the folders `hidden`, even if they are among the packages.
    """
    if image:
        engine = next(filter(shutil.which, ("podman", "docker")), "")
        if not engine:
            raise GraderError("--image wants podman or docker; neither is installed")
        return Jail(f"container {image} ({engine})", engine, image)
    reason = "bubblewrap is not installed"
    if shutil.which("bwrap"):
        command = [*_bubblewrap(Path("/tmp"), LIMITS, ()), sys.executable, "-c", "pass"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return Jail(BUBBLEWRAP, hidden=tuple(path.resolve() for path in hidden))
        reason = f"bubblewrap does not work here ({done.stderr.strip()})"
    if not allow_weak:
        raise GraderError(
            f"want a jail for students' code, but {reason}. Install bubblewrap, name a container "
            "with --image, or say --allow-weak if you trust all submissions"
        )
    return Jail(WEAK)


def environment() -> dict[str, str]:
    """Return all that the kernel finds in its environment."""
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(str(path.parent) for path in _course())),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "OMP_NUM_THREADS": "1",
        "HOME": "/tmp",
        "USER": "student",
        "LANG": "C.UTF-8",
        "PIP_NO_INDEX": "1",  # there is no network: %pip fails at once
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def _bubblewrap(room: Path, limits: Limits, hidden: tuple[Path, ...]) -> list[str]:
    disk = ["--size", str(limits.disk), "--tmpfs"]
    options = ["bwrap", "--unshare-all", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL"]
    options += ["--die-with-parent", "--new-session", *disk, "/tmp"]
    python = Path(os.path.realpath(sys.executable)).parent
    installed = [Path(p) for p in sys.path if "site-packages" in p or "dist-packages" in p]
    packages = [Path("/usr"), Path(sys.prefix), Path(sys.base_prefix), python]
    packages += [*installed, *_course()]
    system = ["/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/sys/devices/system/cpu"]
    for path in dict.fromkeys(map(str, ("/bin", "/sbin", "/lib", "/lib64", *packages, *system))):
        link = os.path.islink(path) and path.count("/") == 1
        options += ["--symlink", os.readlink(path), path] if link else ["--ro-bind-try", path, path]
    for path in hidden:
        if any(each in path.parents for each in packages):
            options += ["--tmpfs", str(path)]
    options += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", *disk, "/dev/shm"]
    return [*options, "--bind", str(room), str(room), "--remount-ro", "/", "--chdir", "/tmp", "--"]


def _container(engine: str, room: Path, limits: Limits) -> list[str]:
    options = [engine, "run", "--rm", "--name", room.name, "--network", "none", "--read-only"]
    options += ["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--workdir", "/tmp"]
    options += ["--pids-limit", str(limits.processes), "--memory", str(limits.memory)]
    options += ["--ulimit", f"fsize={limits.disk}", "--tmpfs", f"/tmp:size={limits.disk}"]
    options += ["--volume", f"{room}:{room}", "--user", f"{os.getuid()}:{os.getgid()}"]
    options += ["--userns", "keep-id"] if engine == "podman" and os.getuid() else []
    for name, value in environment().items():  # but the image's own paths
        options += [] if name in ("PATH", "PYTHONPATH") else ["--env", f"{name}={value}"]
    return options


def _course() -> list[Path]:
    """Return the folders of the course's packages."""
    specs = (importlib.util.find_spec(n) for n in ("course_lib", "course_lab", "course_grader"))
    return [Path(path) for spec in specs if spec for path in spec.submodule_search_locations or ()]
