"""Make `.venv` and keep it in step with requirements.txt. Standard library only.

A stamp inside `.venv` holds the hash of what was installed. It is taken away before pip starts
and written when all is done, so a set-up that was interrupted never counts as good: the next
run builds `.venv` from nothing.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.inputs.files import digest
from tools.inputs.pins import project, requirements
from tools.project import BUILD, ROOT, VENV, TaskError, say, venv_python

STAMP = ".course-setup"
_INSTALLED = ("build-system", "project", "tool.setuptools")
"""The tables of pyproject.toml that an installation is made from."""


def ensure(root: Path = ROOT) -> Path:
    """Bring `.venv` up to date if it is not; its interpreter.

    Where COURSE_PYTHON names an interpreter, that one is taken and nothing is installed.

    Raises:
        TaskError: this Python cannot make one, or pip failed; COURSE_PYTHON lacks a pinned package.
    """
    if given := os.environ.get("COURSE_PYTHON"):
        return _existing(root, given)
    with _alone(root):
        if not _is_current(root):
            _install(root)
    return venv_python(root / VENV.name)


def _existing(root: Path, given: str) -> Path:
    """The interpreter of an environment of the user's own, if it holds what is pinned."""
    # Not resolved: the link is what tells Python that it is in a virtual environment.
    python = Path(os.path.abspath(shutil.which(given) or Path(given).expanduser()))
    # Without an index pip installs nothing, and fails where something is missing.
    check = ["-m", "pip", "install", "-qq", "--no-deps", "--no-index", "-r", "requirements.txt"]
    try:
        done = subprocess.run([python, *check], cwd=root, capture_output=True, text=True)
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


def _is_current(root: Path) -> bool:
    stamp = root / VENV.name / STAMP
    if not (stamp.is_file() and stamp.read_text(encoding="utf-8").strip() == key(root)):
        return False
    return _runs(venv_python(stamp.parent))


def _runs(python: Path) -> bool:
    """False if the Python under the environment was removed since."""
    try:
        return subprocess.run([python, "-c", ""], capture_output=True).returncode == 0
    except OSError:
        return False


def _install(root: Path) -> None:
    python = venv_python(root / VENV.name)
    stamp = root / VENV.name / STAMP
    if stamp.is_file() and _runs(python):
        say("Set-up: requirements.txt or pyproject.toml changed, bringing .venv up to date ...")
        stamp.unlink()
    else:
        say("Set-up: making .venv and installing requirements.txt, once; minutes and 3 GB ...")
        _run([sys.executable, "-m", "venv", "--clear", str(root / VENV.name)], root)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-q"]
    _run([*pip, "-r", "requirements.txt"], root)
    _run([*pip, "--no-deps", "--no-build-isolation", "-e", "."], root)
    stamp.write_text(key(root) + "\n", encoding="utf-8")
    say("Set-up: done.")


def _run(command: list[str], root: Path) -> None:
    """venv and pip say themselves what is wrong: no python3-venv, no network, a full disk."""
    if subprocess.run(command, cwd=root).returncode:
        raise TaskError(
            f"the set-up stopped: what {command[2]} said stands above. Mend it, then run the same "
            "command again"
        )


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
