"""Make `.venv` and keep it in step with requirements.txt. Standard library only.

`COURSE_ENV=DIR` names an environment that is there already and is taken instead: it gets the
packages that it lacks, and keeps the versions that it has.

A stamp inside `.venv` holds the hash of what was installed. It is taken away before pip starts
and written when all is done, so a set-up that was interrupted never counts as good: the next
run builds `.venv` from nothing.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.inputs.files import contents, digest
from tools.project import BUILD, ROOT, VENV, TaskError, say, shown, venv_python

STAMP = ".course-setup"
NEEDED_BYTES = 3 * 1024**3
_TAKEN = "COURSE_ENV"
_LIST = (
    "import importlib.metadata as m, json; print(json.dumps([d.name for d in m.distributions()]))"
)
_NO_NETWORK = ("NewConnectionError", "name resolution", "Max retries exceeded", "timed out")


def ensure(root: Path = ROOT) -> Path:
    """Bring `.venv`, or the environment that `COURSE_ENV` names, up to date; its interpreter.

    Raises:
        TaskError: this Python cannot make one, the disk is full, pip failed, or no environment
            has the name that was given.
    """
    taken = os.environ.get(_TAKEN)
    venv = Path(taken).expanduser().absolute() if taken else root / VENV.name
    python = venv_python(venv)
    if taken and not _runs(python):
        raise TaskError(f"want an environment in {_TAKEN}; got {taken}, where no {python} runs")
    if _is_current(root, venv):
        return python
    with _alone(root):
        if _is_current(root, venv):  # somebody else did it while this process waited
            return python
        if taken:
            _complete(root, venv)
        else:
            _check_machine(root, whole=not (venv / STAMP).exists())
            _install(root, venv)
    return python


def key(root: Path = ROOT) -> str:
    """What the environment is made from, as a hash."""
    files = contents([root / "requirements.txt", root / "pyproject.toml"], root)
    # An environment holds absolute paths, so a project that moved needs a new one.
    return digest([*files, ("place", str(root).encode())])


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
    _pip(["-r", "requirements.txt"], root, venv, log)


def _complete(root: Path, venv: Path) -> None:
    """Install what an environment of somebody's own lacks, and touch nothing that it has."""
    log = root / BUILD.name / "setup.log"
    log.parent.mkdir(exist_ok=True)
    log.write_bytes(b"")
    (venv / STAMP).unlink(missing_ok=True)
    there = {_plain(name) for name in _installed(venv)}
    lines = (root / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line.partition("#")[0].strip() for line in lines]
    missing = [line for line in wanted if line and _plain(line) not in there]
    say(f"Set-up: taking {venv} as it is; it lacks {len(missing)} packages ...")
    _pip(missing, root, venv, log)


def _installed(venv: Path) -> list[str]:
    listed = subprocess.run([venv_python(venv), "-c", _LIST], capture_output=True, text=True)
    return listed.stdout.split()


def _plain(requirement: str) -> str:
    """The name of a package as all spellings of it are read."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement, maxsplit=1)[0]).lower()


def _pip(packages: list[str], root: Path, venv: Path, log: Path) -> None:
    python = str(venv_python(venv))
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    if packages:
        _run([*pip, *packages], root, log)
    _run([*pip, "--no-deps", "--no-build-isolation", "-e", "."], root, log)
    (venv / STAMP).write_text(key(root) + "\n", encoding="utf-8")
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
