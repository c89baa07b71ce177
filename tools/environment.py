"""Make `.venv` and keep it in step with requirements.txt. Standard library only.

A stamp inside `.venv` holds the hash of what was installed. It is taken away before pip starts
and written when all is done, so a set-up that was interrupted never counts as good: the next
run builds `.venv` from nothing.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.inputs.files import digest
from tools.inputs.pins import project, requirements
from tools.project import BUILD, ROOT, VENV, TaskError, say, shown, venv_python

STAMP = ".course-setup"
_INSTALLED = ("build-system", "project", "tool.setuptools")
"""The tables of pyproject.toml that an installation is made from."""
NEEDED_BYTES = 3 * 1024**3
_NO_NETWORK = ("NewConnectionError", "name resolution", "Max retries exceeded", "timed out")


def ensure(root: Path = ROOT) -> Path:
    """Bring `.venv` up to date if it is not; its interpreter.

    Where COURSE_PYTHON names an interpreter, that one is taken and nothing is installed.

    Raises:
        TaskError: this Python cannot make one, the disk is full, or pip failed; COURSE_PYTHON lacks
            a pinned package.
    """
    if given := os.environ.get("COURSE_PYTHON"):
        return _existing(root, given)
    venv = root / VENV.name
    python = venv_python(venv)
    if _is_current(root, venv):
        return python
    with _alone(root):
        if _is_current(root, venv):  # somebody else did it while this process waited
            return python
        _check_machine(root, whole=not (venv / STAMP).exists())
        _install(root, venv)
    return python


def _existing(root: Path, given: str) -> Path:
    """The interpreter of an environment of the user's own, if it holds what is pinned."""
    # Not resolved: the link is what tells Python that it is in a virtual environment.
    python = Path(os.path.abspath(shutil.which(given) or Path(given).expanduser()))
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install"]
    # Without an index pip installs nothing, and fails where something is missing.
    check = [*pip, "--quiet", "--no-deps", "--no-index", "-r", "requirements.txt"]
    try:
        done = subprocess.run(check, cwd=root, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise TaskError(f"COURSE_PYTHON={given} cannot be run: {error.strerror}") from None
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["no output"])[-1]
        raise TaskError(
            f"COURSE_PYTHON={given}: {said}. Bring it up to date with {given} -m pip install "
            "-r requirements.txt, or leave COURSE_PYTHON out and make setup makes .venv"
        )
    return python


def key(root: Path = ROOT) -> str:
    """What the environment is made from, as a hash."""
    # An environment holds absolute paths, so a project that moved needs a new one.
    parts = [*requirements(root), project(root, *_INSTALLED), str(root)]
    return digest(("part", part.encode()) for part in parts)


def _is_current(root: Path, venv: Path) -> bool:
    stamp = venv / STAMP
    if not (stamp.is_file() and stamp.read_text(encoding="utf-8").strip() == key(root)):
        return False
    return _runs(venv_python(venv))


def _runs(python: Path) -> bool:
    """False if the Python under the environment was removed since."""
    try:
        return subprocess.run([python, "-c", ""], capture_output=True).returncode == 0
    except OSError:
        return False


def _check_machine(root: Path, *, whole: bool) -> None:
    missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if missing:
        raise TaskError(
            f"{sys.executable} has no {missing[0]} module; install it (on Debian and Ubuntu: "
            "apt install python3-venv), then run the same command again"
        )
    free = shutil.disk_usage(root).free
    if whole and free < NEEDED_BYTES:
        raise TaskError(
            f"the set-up needs about {NEEDED_BYTES / 1e9:.0f} GB in {root} and {free / 1e9:.1f} GB "
            "are free; make room, then run the same command again"
        )


def _install(root: Path, venv: Path) -> None:
    python = venv_python(venv)
    stamp = venv / STAMP
    log = root / BUILD.name / "setup.log"
    log.parent.mkdir(exist_ok=True)
    log.write_bytes(b"")
    if stamp.is_file() and _runs(python):
        say("Set-up: requirements.txt or pyproject.toml changed, bringing .venv up to date ...")
        stamp.unlink()
    else:
        say("Set-up: making .venv and installing requirements.txt, once; minutes ...")
        _run([sys.executable, "-m", "venv", "--clear", str(venv)], root, log)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    _run([*pip, "-r", "requirements.txt"], root, log)
    _run([*pip, "--no-deps", "--no-build-isolation", "-e", "."], root, log)
    stamp.write_text(key(root) + "\n", encoding="utf-8")
    say(f"Set-up: done (what pip said: {shown(log, root)}).")


def _run(command: list[str], root: Path, log: Path) -> None:
    """Run with the output in the log; on a terminal, show which package is at work."""
    live = sys.stdout.isatty()
    with (
        log.open("a", encoding="utf-8") as file,
        subprocess.Popen(
            command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process,
    ):
        for line in process.stdout:
            file.write(line)
            if live and line.startswith(("Collecting", "Installing collected")):
                print(f"\r\033[K  {' '.join(line.split()[:2])}", end="", flush=True)
    if live:
        print("\r\033[K", end="", flush=True)
    if process.returncode:
        raise TaskError(_explain(log.read_text(encoding="utf-8"), shown(log, root)))


def _explain(output: str, log: str) -> str:
    if "No space left on device" in output:
        return "the set-up stopped: the disk is full; make room, then run the same command again"
    if any(sign in output for sign in _NO_NETWORK):
        return f"the set-up stopped: no package index can be reached; is there a network? See {log}"
    errors = [line for line in output.splitlines() if line.startswith("ERROR:")]
    last = errors[-1] if errors else (output.strip().splitlines() or ["no output"])[-1]
    return f"the set-up stopped: {last[:300]} (everything pip said: {log})"


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """One set-up at a time, for `make -j` and for two terminals."""
    if os.name == "nt":  # no flock there; two set-ups at once are rare
        yield
        return
    import fcntl

    folder = root / BUILD.name
    folder.mkdir(exist_ok=True)
    with (folder / ".setup.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
