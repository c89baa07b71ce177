"""One training at a time in a folder of its own; what a killed one left is cleared away."""

import errno
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading

import pytest
from filelock import FileLock

from course_lib.atomic import atomic_path
from course_lib.errors import CourseError
from course_lib.training.folder import FILES, training_in

HOLD = """
    import sys, time
    from course_lib.training.folder import training_in
    with training_in({folder!r}):
        print("held", flush=True)
        sys.stdin.readline()
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that trains in the folder until it is let go."""
    program = textwrap.dedent(HOLD.format(folder=str(tmp_path)))
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def enter(folder) -> None:
    with training_in(folder):
        pass


def test_two_trainings_in_one_folder_are_refused(holder, tmp_path):
    with pytest.raises(CourseError, match=r"another training is going on in .*choose another"):
        enter(tmp_path)
    holder.communicate("go\n")
    enter(tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="killed as on POSIX")
def test_the_lock_dies_with_its_process_and_leftovers_go(holder, tmp_path):
    for name in (".config-0123456789ab.part.json", ".source_tokenizer-0123456789ab.part.json"):
        (tmp_path / name).write_text("half")
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    enter(tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_another_is_writing_is_left_alone(holder, tmp_path):
    half = tmp_path / ".last-0123456789ab.part.safetensors"
    half.write_text("half")
    with pytest.raises(CourseError):
        enter(tmp_path)
    assert half.exists()


def test_who_holds_the_lock_may_take_it_again_another_thread_may_not(tmp_path):
    refused = []

    def other():
        try:
            enter(tmp_path)
        except CourseError as error:
            refused.append(error)

    with training_in(tmp_path):
        enter(tmp_path)
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert len(refused) == 1
    enter(tmp_path)


def test_no_directory_needs_no_lock():
    enter(None)


@pytest.mark.parametrize(
    "name", ["thesis.tex", ".bashrc", ".locked", ".notes.part.txt", ".a-0123456789ab.json"]
)
def test_a_folder_of_other_things_is_refused_and_left_alone(name, tmp_path):
    (tmp_path / name).write_text("x")
    with pytest.raises(CourseError, match=rf"holds other things \({re.escape(name)}\) and no run"):
        enter(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", FILES)
def test_what_a_killed_run_left_is_no_other_thing(name, tmp_path):
    with atomic_path(tmp_path / name) as half:
        pass
    (tmp_path / name).unlink()
    half.write_text("half")
    (tmp_path / ".lock").touch()
    enter(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="a root folder as on POSIX")
def test_the_root_folder_is_refused():
    before = sorted(os.listdir("/"))
    with pytest.raises(CourseError, match="no run; choose a folder of its own"):
        enter("/")
    assert sorted(os.listdir("/")) == before


def test_a_run_with_notes_beside_it_may_be_resumed(tmp_path):
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "last.safetensors").write_text("x")
    enter(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["last.safetensors", "notes.txt"]


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_a_name_that_no_folder_can_have(name, tmp_path):
    with pytest.raises(CourseError, match="cannot make the folder"):
        enter(tmp_path / name)


def test_a_file_system_without_locks_is_told_of(tmp_path, monkeypatch, caplog):

    def refuse(*_, **__):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(FileLock, "acquire", refuse)
    enter(tmp_path)
    assert "cannot be locked here" in caplog.text
