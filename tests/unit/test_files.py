"""A file is written whole or not at all, errors are one line, and JSON is checked when read."""

import errno
import os
import signal
import stat
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from course_lib.errors import CourseError
from course_lib.files import atomic_path, atomic_write, fill, parse_json, remove_leftovers


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def fail_half_way(path: Path, error: BaseException) -> None:
    with atomic_path(path) as temporary:
        temporary.write_text("new, but only h")
        raise error


def test_text_and_bytes_arrive_unchanged(tmp_path):
    atomic_write(tmp_path / "a.txt", "Straße\n")
    atomic_write(tmp_path / "b.bin", b"\x00\r\n\xff")
    assert (tmp_path / "a.txt").read_bytes() == "Straße\n".encode()
    assert (tmp_path / "b.bin").read_bytes() == b"\x00\r\n\xff"
    assert names(tmp_path) == ["a.txt", "b.bin"]


def test_an_error_in_the_block_keeps_the_old_file_and_leaves_no_temporary(tmp_path):
    path = tmp_path / "weights.safetensors"
    atomic_write(path, "old")
    with pytest.raises(RuntimeError, match="half way"):
        fail_half_way(path, RuntimeError("half way"))
    assert path.read_text() == "old"
    assert names(tmp_path) == [path.name]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "read-only"),
        (errno.EIO, os.strerror(errno.EIO)),
    ],
)
def test_system_errors_become_one_line_and_keep_the_old_file(tmp_path, monkeypatch, number, words):
    path = tmp_path / "a.txt"
    atomic_write(path, "old")

    def refuse(descriptor):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(CourseError) as caught:
        atomic_write(path, "new")
    message = str(caught.value)
    assert words in message
    assert str(path) in message
    assert "\n" not in message
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_another_files_temporary_is_no_leftover_of_this_one(tmp_path):
    others = [".a-0123456789ab.part.json", ".b-0123456789ab.part.txt"]
    for name in (*others, ".a-0123456789ab.part.txt"):
        (tmp_path / name).write_text("half")
    remove_leftovers(tmp_path / "a.txt")
    assert names(tmp_path) == others


@pytest.mark.skipif(os.name != "posix", reason="symbolic links and SIGKILL as on POSIX")
def test_a_killed_writer_leaves_the_old_file_and_its_leftovers_can_be_removed(tmp_path):
    path = tmp_path / "a.txt"
    atomic_write(path, "old")
    program = textwrap.dedent(
        f"""
        import os, signal
        from course_lib.files import atomic_path
        with atomic_path({str(path)!r}) as temporary:
            temporary.write_text("half")
            os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    ended = subprocess.run([sys.executable, "-c", program], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert path.read_text() == "old"
    assert len(names(tmp_path)) == 2

    (tmp_path / ".a-notes.part.txt").write_text("another file of the user's")
    remove_leftovers(path)
    assert names(tmp_path) == [".a-notes.part.txt", "a.txt"]


@pytest.mark.parametrize(("kind", "stream"), [(stat.S_IFCHR, True), (stat.S_IFBLK, False)])
def test_a_device_of_any_kind_is_seen_without_being_root(tmp_path, monkeypatch, kind, stream):
    path, real = tmp_path / "device", os.stat
    path.write_text("what the device holds")

    def pretend(name, *arguments, **named):
        found = real(name, *arguments, **named)
        mode = kind | 0o666 if Path(name) == path else found.st_mode
        return os.stat_result((mode, *found[1:]))

    monkeypatch.setattr(os, "stat", pretend)
    if stream:
        before = path.stat().st_ino
        atomic_write(path, "through")
        assert names(tmp_path) == ["device"]
        assert path.stat().st_ino == before
        return
    with pytest.raises(CourseError, match="it is a disk or a socket; name a file"):
        atomic_write(path, "x")
    assert path.read_text() == "what the device holds"


@dataclass
class Settings:
    name: str
    width: int = 3
    rate: float = 0.5
    limit: float | None = None
    seed: int | None = None
    exact: bool = False


def test_whole_settings_are_filled_and_the_others_have_their_defaults():
    assert fill(Settings, {"name": "x", "rate": 2, "seed": 4}) == Settings("x", 3, 2.0, None, 4)
    assert type(fill(Settings, {"name": "x", "rate": 2}).rate) is float


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([], "want Settings as a dictionary; got list"),
        ({}, "name is missing"),
        ({"name": "x", "more": 1}, "unknown 'more'"),
        ({"name": 3}, "want a text as name; got '3'"),
        ({"name": "x", "width": 1.0}, "want a whole number as width; got '1.0'"),
        ({"name": "x", "width": True}, "want a whole number as width; got 'True'"),
        ({"name": "x", "rate": None}, "want a number as rate; got 'None'"),
        ({"name": "x", "rate": float("nan")}, "want a number as rate; got 'nan'"),
        ({"name": "x", "rate": 10**400}, "want a number as rate; got '1000"),
        ({"name": "x", "limit": "1"}, "want a number or null as limit; got '1'"),
        ({"name": "x", "seed": 1.5}, "want a whole number or null as seed; got '1.5'"),
        ({"name": "x", "exact": 1}, "want true or false as exact; got '1'"),
    ],
)
def test_what_does_not_fit_is_named(values, said):
    with pytest.raises(ValueError) as caught:
        fill(Settings, values)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "content", ["", "{", "[" * 100_000, b"\xff", "1" * 10_000, b"[" * 100_000], ids=range(6)
)
def test_what_is_no_json_is_a_value_error(content):
    with pytest.raises(ValueError):
        parse_json(content)
