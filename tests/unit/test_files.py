"""A file is written whole or not at all, errors are one line, and JSON is checked when read."""

import errno
import os
import signal
import socket
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


def test_an_interrupt_in_the_block_leaves_no_temporary(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        fail_half_way(tmp_path / "a", KeyboardInterrupt())
    assert names(tmp_path) == []


def test_the_old_file_stands_until_the_block_ends(tmp_path):
    path = tmp_path / "a.txt"
    atomic_write(path, "old")
    with atomic_path(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
        assert temporary.parent == path.parent
        assert temporary.suffix == ".txt"
    assert path.read_text() == "new"


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


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(CourseError, match=r"no folder .*missing"):
        atomic_write(tmp_path / "missing" / "a.txt", "x")


def test_a_folder_in_the_way_is_reported(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(CourseError, match="a folder has that name"):
        atomic_write(tmp_path / "a", "x")
    assert names(tmp_path) == ["a"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_under_a_rust_library_is_recognised(tmp_path):
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    with pytest.raises(SafetensorError) as raised:
        save_file({"w": torch.zeros(4)}, "/dev/full/nothing")
    # The library's own exception, as it comes from the disk: only the text has the number.
    full = SafetensorError(str(raised.value).split("(os error")[0] + "(os error 28)")
    with pytest.raises(CourseError, match="disk is full"):
        fail_half_way(tmp_path / "w", full)
    assert names(tmp_path) == []


def test_a_course_error_in_the_block_is_not_reworded(tmp_path):
    with pytest.raises(CourseError, match=r"^my own words"):
        fail_half_way(tmp_path / "w", CourseError("my own words (os error 28)"))


def test_another_files_temporary_is_no_leftover_of_this_one(tmp_path):
    others = [".a-0123456789ab.part.json", ".b-0123456789ab.part.txt"]
    for name in (*others, ".a-0123456789ab.part.txt"):
        (tmp_path / name).write_text("half")
    remove_leftovers(tmp_path / "a.txt")
    assert names(tmp_path) == others


def test_the_usual_permissions_are_given(tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("x")
    atomic_write(tmp_path / "atomic", "x")
    assert (tmp_path / "atomic").stat().st_mode == plain.stat().st_mode


@pytest.mark.skipif(os.name != "posix", reason="symbolic links and SIGKILL as on POSIX")
def test_a_symbolic_link_stays_one(tmp_path):
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real" / "file")
    atomic_write(link, "x")
    assert link.is_symlink()
    assert (tmp_path / "real" / "file").read_text() == "x"


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


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices as on POSIX")
def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Opened for both ends, so that neither waits for the other.
    descriptor = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        atomic_write(pipe, "through")
        assert os.read(descriptor, 100) == b"through"
    finally:
        os.close(descriptor)
    assert pipe.is_fifo()
    assert names(tmp_path) == ["pipe"]


def device(path: Path, like: str) -> Path:
    """A device of our own: a test that fails as root must not take away everybody's."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.stat(like).st_rdev)
        os.close(os.open(path, os.O_WRONLY))
    except (OSError, AttributeError):
        pytest.skip("only root can make a device, and not on every file system")
    return path


@pytest.mark.parametrize("linked", [False, True])
def test_a_device_is_written_to_and_stays_one(tmp_path, linked):
    null = device(tmp_path / "null", "/dev/null")
    name = tmp_path / "name"
    name.symlink_to(null)
    atomic_write(name if linked else null, "into nothing")
    assert null.is_char_device()
    assert names(tmp_path) == ["name", "null"]


def test_a_device_that_takes_nothing_is_one_line(tmp_path):
    full = device(tmp_path / "full", "/dev/full")
    with pytest.raises(CourseError, match=r"cannot write .*full: the disk is full"):
        atomic_write(full, "x")
    assert full.is_char_device()


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


@pytest.mark.skipif(os.name != "posix", reason="sockets as on POSIX")
def test_a_socket_is_refused_and_stays_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        with pytest.raises(CourseError, match="it is a disk or a socket"):
            atomic_write("socket", "x")
    assert (tmp_path / "socket").is_socket()


@pytest.mark.parametrize("path", ["/", ".", "..", "x" * 5000, "a\0b"])
def test_a_name_that_no_file_can_have_is_one_line(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CourseError, match=r"^cannot write"):
        atomic_write(path, "x")
    assert names(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_what_nobody_else_may_read_stays_so(tmp_path):
    path = tmp_path / "private.json"
    atomic_write(path, "old")
    path.chmod(0o600)
    atomic_write(path, "new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_may_be_written_and_not_read(tmp_path, monkeypatch):
    opened = os.open

    def refusing(path, flags, *more, **also):
        if os.path.isdir(path):
            raise PermissionError(13, "Permission denied")
        return opened(path, flags, *more, **also)

    monkeypatch.setattr(os, "open", refusing)
    atomic_write(tmp_path / "file", "text")
    assert (tmp_path / "file").read_text() == "text"


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


def test_bytes_are_utf_8():
    assert parse_json('{"a": "ß"}'.encode()) == {"a": "ß"}
