"""`make test-lowest`, `make test-newest`: the tests with both ends of the ranges in pyproject.toml.

Each end has an environment of its own in `_build`. What the tests themselves need has the versions
of requirements.txt.
"""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from tools.project import BUILD, ROOT, TaskError, say, shown, venv_python

ENDS = ("lowest", "newest")
TESTS = ("tests/unit", "tests/property", "tests/parity", "--ignore=tests/unit/test_homework.py")
"""The homework's grader needs otter, whose pins are its own."""
TOOLS = ("beartype", "hypothesis", "ipykernel", "ipywidgets", "nbformat", "pytest")
TOOLS += ("pytest-xdist",)
"""What these tests import beside the library's own packages, and what runs them."""


def requirements(end: str, root: Path = ROOT) -> list[str]:
    """What pip is asked for: the library's packages at one end of their ranges, and `TOOLS`."""
    needed = metadata.requires("course-lib") or []
    if end == "lowest":
        needed = [one.replace(">=", "==", 1) for one in needed]
    pins = (root / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [*needed, *(pin.split()[0] for pin in pins if pin.partition("==")[0] in TOOLS)]


def run(end: str) -> int:
    """Install one end, as far as it is not there, and run the tests; their exit code.

    Raises:
        TaskError: pip cannot install it.
    """
    venv = BUILD / end
    say(f"The {end} admitted packages, in {shown(venv)} ...")
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    python = str(venv_python(venv))
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--upgrade"]
    if subprocess.run([*pip, *requirements(end)], cwd=ROOT).returncode:
        version = ".".join(map(str, sys.version_info[:2]))
        raise TaskError(
            f"pip cannot install the {end} admitted packages on Python {version}; some old ones "
            "exist up to 3.12 only: make PYTHON=python3.12 setup, then the same command again"
        )
    # Old packages warn of new ones that they use; that is no affair of the library.
    warnings = ("DeprecationWarning", "FutureWarning") if end == "lowest" else ()
    quiet = [part for each in warnings for part in ("-W", f"ignore::{each}")]
    cores = ["-n", str(min(os.cpu_count() or 2, 8)), "--dist=loadfile"]
    # The checkout is not installed there, and tests start processes of their own.
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    variables.pop("VIRTUAL_ENV", None)
    variables.update({"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"})
    command = [python, "-m", "pytest", *TESTS, *cores, *quiet]
    return subprocess.run(command, cwd=ROOT, env=variables).returncode
