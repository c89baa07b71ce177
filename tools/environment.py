"""Make `.venv` and keep it in step with requirements.txt. Standard library only.

A stamp inside `.venv` holds the hash of what was installed. It is taken away before pip starts
and written when all is done, so a set-up that was interrupted never counts as good: the next
run builds `.venv` from nothing.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.inputs.files import digest
from tools.inputs.pins import project, requirements
from tools.project import ROOT, VENV, TaskError, say, venv_python

STAMP = ".course-setup"


def ensure(root: Path = ROOT) -> Path:
    """Bring `.venv` up to date if it is not; its interpreter.

    Where COURSE_PYTHON names an interpreter, that one is taken and nothing is installed.

    Raises:
        TaskError: this Python cannot make one, or pip failed; COURSE_PYTHON lacks a pinned package.
    """
    if given := os.environ.get("COURSE_PYTHON"):
        # Not resolved: the link is what tells Python that it is in a virtual environment.
        python = Path(os.path.abspath(shutil.which(given) or Path(given).expanduser()))
        # Without an index pip installs nothing, and fails where something is missing.
        check = ["-m", "pip", "install", "-qq", "--no-deps", "--no-index", "-r", "requirements.txt"]
        _run(
            [str(python), *check], root, f"bring COURSE_PYTHON={given} up to date, or leave it out"
        )
        return python
    python, stamp = venv_python(root / VENV.name), root / VENV.name / STAMP
    made = stamp.read_text(encoding="utf-8").strip() if stamp.is_file() and _runs(python) else ""
    if made == key(root):
        return python
    again = "mend it, then run the same command again"
    if made:
        say("Set-up: requirements.txt or pyproject.toml changed, bringing .venv up to date ...")
        stamp.unlink()
    else:
        say("Set-up: making .venv and installing requirements.txt, once; minutes and 3 GB ...")
        _run([sys.executable, "-m", "venv", "--clear", str(root / VENV.name)], root, again)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-q"]
    _run([*pip, "-r", "requirements.txt"], root, again)
    _run([*pip, "--no-deps", "--no-build-isolation", "-e", "."], root, again)
    stamp.write_text(key(root) + "\n", encoding="utf-8")
    say("Set-up: done.")
    return python


def key(root: Path = ROOT) -> str:
    """What the environment is made from, as a hash."""
    installed = project(root, "build-system", "project", "tool.setuptools")
    # An environment holds absolute paths, so a project that moved needs a new one.
    parts = [*requirements(root), installed, str(root)]
    return digest(("part", part.encode()) for part in parts)


def _runs(python: Path) -> bool:
    """False if the Python under the environment was removed since."""
    try:
        return subprocess.run([python, "-c", ""], capture_output=True).returncode == 0
    except OSError:
        return False


def _run(command: list[str], root: Path, remedy: str) -> None:
    """venv and pip say themselves what is wrong: no python3-venv, no network, a full disk."""
    try:
        code = subprocess.run(command, cwd=root).returncode
    except OSError as error:
        raise TaskError(f"{command[0]} cannot be run: {error.strerror}; {remedy}") from None
    if code:
        raise TaskError(f"{command[2]} failed and says why above: {remedy}")
