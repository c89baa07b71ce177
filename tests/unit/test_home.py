"""Without HOME and under an unknown user id a private home is made."""

import os
import pwd
import tempfile
from pathlib import Path

import pytest

from course_lib.home import ensure_home


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


@pytest.mark.parametrize("given", [None, "/nonexistent"])
def test_a_home_is_given_once_and_is_nobody_elses(given, nobody, monkeypatch):
    if given:
        monkeypatch.setenv("HOME", given)
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
