"""The library as a user has it: a wheel, installed into an environment without the checkout.

The wheel is made from the sdist, and that from a clone with `core.autocrlf`. It lies in a folder
whose name has a blank and an umlaut, and nobody may write there. torch and all other packages are
seen from the project's environment. `CONDITIONS` are ways in which somebody may run it.
"""

import os
import platform
import shutil
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock

from tools.inputs.files import contents, digest, tree
from tools.inputs.machine import packages
from tools.project import BUILD, ROOT, TaskError, venv_python

PARTS = (
    *(
        "course_lib",
        "course_lab",
        "course_grader",
        "homework",
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "LICENSE-TEXT",
    ),
    ".gitattributes",
)
"""What users get."""
_STRANGER = "54321"
_UNKNOWN_USER = ("unshare", "--user", f"--map-user={_STRANGER}", f"--map-group={_STRANGER}")
_NAMES = ("USER", "LOGNAME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
_UNNAMED = tuple(word for name in _NAMES for word in ("-u", name))


class Condition(NamedTuple):
    """How the installed library is run.

    Attributes:
        name: in the name of a test, and of a kernel.
        words: what stands before the program.
        variables: of the environment, beside those that are there.
    """

    name: str
    words: tuple[str, ...] = ()
    variables: Mapping[str, str] = {}


PLAIN = Condition("plain")
# Python takes UTF-8 in a C locale by itself; without that, a file read with no encoding fails. What
# is printed stays UTF-8: an ASCII terminal gets one line that says so (course_lib/cli/streams.py).
_ASCII = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "utf-8"}
C_LOCALE = Condition("c-locale", (), {"LC_ALL": "C", "LANG": "C", **_ASCII})
# In a user namespace root has no rights of root, so that the installation is read-only for it, too.
# Jupyter does not start without a home, so a stranger's notebooks have one that cannot be written;
# matplotlib warns of that in a cell unless it is given another place.
STRANGER = Condition(
    "stranger",
    (*_UNKNOWN_USER, "env", *_UNNAMED),
    {"HOME": "/proc/self", "MPLCONFIGDIR": ".matplotlib"},
)
HOMELESS = Condition("homeless", (*_UNKNOWN_USER, "env", *_UNNAMED, "-u", "HOME"))
CONDITIONS = (PLAIN, C_LOCALE, STRANGER)
"""Those of the notebooks."""


class Installed(NamedTuple):
    """What was built, and where: `source` is the clone, `python` the environment's interpreter."""

    folder: Path
    source: Path
    wheel: Path
    sdist: Path
    python: Path

    def command(self, condition: Condition, *words: str) -> list[str]:
        """Python with these arguments, under a condition."""
        return [*condition.words, str(self.python), *words]

    def variables(self, condition: Condition) -> dict[str, str]:
        """What takes the checkout, its environment and real data out of sight; then the rest."""
        venv = str(self.python.parents[1])
        return {"PYTHONPATH": "", "COURSE_DATA": "", "VIRTUAL_ENV": venv, **condition.variables}


def missing(condition: Condition) -> str:
    """Why a condition cannot be had on this machine; empty if it can."""
    if not condition.words:
        return ""
    try:
        done = subprocess.run([*condition.words, "true"], capture_output=True, text=True)
    except OSError as error:
        return f"no unknown user here: {error}"
    return f"no unknown user here: {done.stderr.strip()}" if done.returncode else ""


def shipped(root: Path = ROOT) -> list[Path]:
    """What users get, every file that git tracks or would; without git, every file there is."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *PARTS]
    if not (root / ".git").exists() or shutil.which("git") is None:
        return [path for path in tree(root, *PARTS) if path.is_file()]
    done = subprocess.run(command, cwd=root, capture_output=True, check=True, text=True)
    files = [root / name for name in done.stdout.split("\0") if name]
    return sorted(path for path in files if path.is_file())


def install(root: Path = ROOT) -> Installed:
    """Build and install what is there now, unless that was done before.

    Raises:
        TaskError: what the programs said that could not do it.
    """
    top = root / BUILD.name / "outside"
    top.mkdir(parents=True, exist_ok=True)
    folder = top / "für alle"
    with FileLock(top / "lock"):
        files = shipped(root)
        environment = [sys.prefix, platform.python_version(), *packages()]
        parts = [*contents(files, root), ("environment", "\n".join(environment).encode())]
        stamp, key = folder / "stamp", digest(parts)
        if not (stamp.is_file() and stamp.read_text(encoding="utf-8") == key):
            _build(files, root, folder)
            stamp.write_text(key, encoding="utf-8")
        (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Installed(folder, folder / "source", wheel, sdist, venv_python(folder / "venv"))


def _build(files: list[Path], root: Path, folder: Path) -> None:
    _remove(folder)
    source, venv = folder / "source", folder / "venv"
    _clone(files, root, folder / "tracked", source)
    setuptools = "import sys, setuptools.build_meta as b; getattr(b, sys.argv[1])(sys.argv[2])"
    _run([sys.executable, "-c", setuptools, "build_sdist", str(folder)], source)
    (sdist,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(sdist, folder / "unpacked")
    (unpacked,) = (folder / "unpacked").iterdir()
    _run([sys.executable, "-c", setuptools, "build_wheel", str(folder)], unpacked)
    (wheel,) = folder.glob("*.whl")
    _run([sys.executable, "-m", "venv", "--without-pip", str(venv)], folder)
    python = str(venv_python(venv))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python]
    _run([*pip, "install", "--no-deps", "--no-index", str(wheel)], folder)
    where = subprocess.check_output(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
    )
    # Folders named here come behind the environment's own, and their *.pth files, by which an
    # editable install is found, are not read.
    places = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    (Path(where.strip()) / "project.pth").write_text("\n".join(places), encoding="utf-8")
    for path in (venv, *venv.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))


def _clone(files: list[Path], root: Path, tracked: Path, source: Path) -> None:
    """The files in a clone as git makes it on Windows; without git a copy."""
    for path in files:
        copy = tracked / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    if shutil.which("git") is None:
        tracked.rename(source)
        return
    git = ["git", "-c", "user.name=outside", "-c", "user.email=", "-c", "core.autocrlf=false"]
    _run([*git, "init", "-q"], tracked)
    _run([*git, "add", "-A", "-f"], tracked)
    _run([*git, "commit", "-q", "--no-gpg-sign", "--no-verify", "-m", "all"], tracked)
    _run(["git", "clone", "-q", "-c", "core.autocrlf=true", str(tracked), str(source)], tracked)
    _remove(tracked)


def _run(command: list[str], folder: Path) -> None:
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PYTHONPATH"))}
    done = subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, errors="replace"
    )
    if done.returncode:
        said = (done.stdout + done.stderr).rstrip()
        raise TaskError(f"the library cannot be installed: {' '.join(command[:4])}:\n{said}")


def _remove(folder: Path) -> None:
    """With what nobody may write to."""
    if folder.exists():
        for path in (folder, *(p for p in folder.rglob("*") if p.is_dir() and not p.is_symlink())):
            path.chmod(path.stat().st_mode | stat.S_IWUSR)
        shutil.rmtree(folder)
