"""A file is written whole or not at all, and errors are one line."""

import errno
import os
import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from course_lib.errors import CourseError
from course_lib.files import atomic_path, atomic_write


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
        (errno.ENOSPC, os.strerror(errno.ENOSPC)),
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


@pytest.mark.skipif(os.name != "posix", reason="symbolic links and SIGKILL as on POSIX")
def test_a_killed_writer_leaves_the_old_file(tmp_path):
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
    assert len(names(tmp_path)) == 2  # `locked` removes what is left of a training


def test_a_symbolic_link_stays_one(tmp_path):
    file, link = tmp_path / "a.txt", tmp_path / "link.txt"
    link.symlink_to(file)
    atomic_write(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="named pipes")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    atomic_write(pipe, "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
