"""Without HOME and under an unknown user id everything works, and nothing is made in the way."""

import os
import pwd
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from course_lib.home import ensure_home

# A user whom the system does not know; what the commands import looks it up while it starts.
NOBODY = """
import pwd, sys
def unknown(*_): raise KeyError("getpwuid(): uid not found: 54321")
pwd.getpwuid = pwd.getpwnam = unknown
from course_lib.cli.parser import main
import matplotlib, getpass
matplotlib.get_cachedir(), getpass.getuser()
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def nobody(monkeypatch, tmp_path) -> Path:
    """No home, no name, and a place for temporary files of their own."""

    def unknown(*_: object) -> None:
        raise KeyError("uid not found")

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for name in ("HOME", "USER", "LOGNAME", "LNAME", "USERNAME", "MPLCONFIGDIR"):
        monkeypatch.setenv(name, "set, so that it is put back")
        monkeypatch.delenv(name)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("given", [{}, {"HOME": "/nonexistent"}])
def test_a_command_needs_no_home(given, tmp_path):
    here = tmp_path / "here"
    here.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", NOBODY, "data", "list"],
        capture_output=True,
        text=True,
        check=False,
        cwd=here,
        env={"PATH": "/bin", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        | {"TMPDIR": str(tmp_path)}
        | given,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "multi30k" in done.stdout
    assert {path.name for path in here.iterdir()} <= {"mpl-any"}


def test_a_home_is_given_once_and_is_nobody_elses(nobody):
    ensure_home()
    home = Path(os.environ["HOME"])
    assert home.parent == nobody
    assert home.stat().st_mode & 0o777 == 0o700
    assert os.environ["USER"]
    del os.environ["HOME"]
    ensure_home()
    assert Path(os.environ["HOME"]) == home


def test_a_folder_that_others_can_write_to_is_not_used(nobody):
    taken = nobody / f"course_lib-{os.getuid()}"
    taken.mkdir()
    taken.chmod(0o777)
    ensure_home()
    assert Path(os.environ["HOME"]) != taken
    assert Path(os.environ["HOME"]).parent == nobody
