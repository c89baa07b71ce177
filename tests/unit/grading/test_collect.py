"""Whatever is handed in is a row, with its reason where it has no notebook."""

import hashlib
import io
import json
import os
import zipfile

import pytest

from course_lib.errors import CourseError
from course_lib.grading import collect as module
from course_lib.grading.collect import collect, read_notebook, student_id

NAME = "hw01_recurrence"


def notebook(code="x = 1", name=NAME, **cell):
    cells = [f'grader = Homework("{name}")', code]
    return json.dumps(
        {"cells": [{"cell_type": "code", "source": each, **cell} for each in cells], "nbformat": 4}
    )


def packed(**files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return data.getvalue()


def only(folder):
    (found,) = collect(folder, NAME)
    return found


def test_a_file_an_archive_and_a_folder_are_a_student_each(tmp_path):
    (tmp_path / "ada.ipynb").write_text(notebook())
    (tmp_path / "ben.zip").write_bytes(packed(hw01_recurrence__ipynb=notebook(), zip_filename="x"))
    (tmp_path / "cem" / "deep").mkdir(parents=True)
    (tmp_path / "cem" / "deep" / "work.ipynb").write_text(notebook())
    (tmp_path / ".DS_Store").write_bytes(b"x")
    found = collect(tmp_path, NAME)
    assert [(s.student, s.file, s.reason) for s in found] == [
        ("ada", "ada.ipynb", ""),
        ("ben", "ben.zip/hw01_recurrence.ipynb", ""),
        ("cem", "cem/deep/work.ipynb", ""),
    ]
    assert {s.sha256 for s in found} == {hashlib.sha256(notebook().encode()).hexdigest()}
    assert all(s.notebook["cells"][1] == {"cell_type": "code", "source": "x = 1"} for s in found)


@pytest.mark.parametrize(
    ("name", "student", "number"),
    [
        ("doejane_LATE_123_456_hw01 (1).ipynb", "doejane", "123"),
        ("doejane_123_456_hw01-2.ipynb", "doejane", "123"),
        ("Jane Doe_123_assignsubmission_file_", "Jane Doe", "123"),
        ("jane_doe", "jane_doe", ""),
    ],
)
def test_names_of_canvas_and_moodle_give_name_and_number(tmp_path, name, student, number):
    path = tmp_path / name
    if path.suffix:
        path.write_text(notebook())
    else:
        path.mkdir()
        (path / "hw.ipynb").write_text(notebook())
    assert student_id(only(tmp_path).student) == (student, number)
    assert only(tmp_path).notebook
    assert only(tmp_path).reason == ("handed in late" if "LATE" in name else "")


def test_what_is_refused_and_late_says_both(tmp_path):
    (tmp_path / "doejane_LATE_123_456_answers.pdf").write_bytes(b"x")
    assert only(tmp_path).reason.startswith("handed in late; there is no notebook")


def test_a_folder_of_nothing_and_no_folder_are_the_teachers_mistake(tmp_path):
    with pytest.raises(CourseError, match="it is empty"):
        collect(tmp_path, NAME)
    with pytest.raises(CourseError, match="want a folder with a notebook"):
        collect(tmp_path / "none", NAME)


BAD = {
    "nothing in it": (b"", "the file is empty"),
    "text": (b"import torch", "not JSON"),
    "deep": (b"[" * 100_000, "not JSON"),
    "a list": (b"[1]", "it has no cells"),
    "half": (notebook().encode()[:40], "not JSON"),
    "no code": (b'{"cells": [{"cell_type": "code", "source": [" "]}]}', "has no code"),
    "odd cells": (b'{"cells": [1, {"source": {"a": 1}, "cell_type": []}]}', "has no code"),
    "old": (b'{"worksheets": []}', "old format"),
    "another homework": (notebook(name="hw03_alignment").encode(), "hw03_alignment; want hw01"),
}


@pytest.mark.parametrize(("content", "says"), BAD.values(), ids=BAD)
def test_a_file_that_is_no_notebook_of_this_homework_says_why(tmp_path, content, says):
    (tmp_path / "eva.ipynb").write_bytes(content)
    assert only(tmp_path).notebook is None
    assert says in only(tmp_path).reason


def test_a_link_a_pipe_and_a_huge_file_are_never_read(tmp_path, monkeypatch):
    outside = tmp_path / "outside.ipynb"
    outside.write_text(notebook())
    folder = tmp_path / "in"
    (folder / "dir").mkdir(parents=True)
    (folder / "a.ipynb").symlink_to(outside)
    (folder / "b").symlink_to(tmp_path)
    (folder / "dir" / "c").symlink_to(tmp_path)
    os.mkfifo(folder / "e.ipynb")
    (folder / "f.ipynb").write_text(notebook("#" * 5000))
    (folder / "g.zip").write_bytes(packed(a__ipynb=notebook("#" * 5000)))
    monkeypatch.setattr(module, "LARGEST", 4000)
    found = collect(folder, NAME)
    assert not [s for s in found if s.notebook]
    reasons = ["link", "link", "link", "no regular file", "larger", "holds more than"]
    for submission, says in zip(found, reasons, strict=True):
        assert says in submission.reason


def test_archives_that_are_broken_locked_empty_or_link_elsewhere_say_so(tmp_path):
    whole = packed(a__ipynb=notebook("y = 2\n" * 500))
    (tmp_path / "a.zip").write_bytes(whole[:60])
    (tmp_path / "b.zip").write_bytes(whole.replace(b"\x08\x00", b"\x63\x00"))
    (tmp_path / "c.zip").write_bytes(packed(report__pdf="x"))
    entry = zipfile.ZipInfo("d.ipynb")
    entry.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "d.zip", "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    locked = bytearray(whole)
    locked[6] |= 1
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "e.zip").write_bytes(bytes(locked))
    reasons = ["damaged or locked", "damaged or locked", "holds no notebook", "is a link"]
    for submission, says in zip(collect(tmp_path, NAME), [*reasons, "locked"], strict=True):
        assert submission.notebook is None
        assert says in submission.reason


def test_no_notebook_names_what_is_there(tmp_path):
    (tmp_path / "gil").mkdir()
    (tmp_path / "gil" / "answers.pdf").write_bytes(b"x")
    assert only(tmp_path).reason == "there is no notebook (there is gil/answers.pdf)"


def test_two_that_differ_are_refused_and_a_copy_is_graded_and_told(tmp_path):
    folder = tmp_path / "hans"
    folder.mkdir()
    (folder / "hw.ipynb").write_text(notebook("x = 1"))
    (folder / "hw-Copy1.ipynb").write_text(notebook("x = 1", outputs=[{"text": "ran"}]))
    (folder / "hw.zip").write_bytes(packed(hw__ipynb=notebook("x = 1")))
    (folder / "hw02.ipynb").write_text(notebook("x = 3", name="hw02_seq2seq"))
    found = only(tmp_path)
    assert found.file == "hans/hw.ipynb"
    assert "hans/hw-Copy1.ipynb is a copy of hans/hw.ipynb" in found.reason
    assert "hw02_seq2seq" in found.reason
    (folder / "hw (2).ipynb").write_text(notebook("x = 2"))
    assert only(tmp_path).notebook is None
    assert "several notebooks that differ" in only(tmp_path).reason


def test_a_copy_beside_the_original_in_one_folder_is_the_same_student(tmp_path):
    for name in ("ida.ipynb", "ida-Copy1.ipynb", "ida (1).ipynb", "jo (1).ipynb"):
        (tmp_path / name).write_text(notebook())
    assert [s.student for s in collect(tmp_path, NAME)] == ["ida", "jo (1)"]


def test_a_notebook_without_its_first_cell_is_graded_and_told(tmp_path):
    (tmp_path / "kim.ipynb").write_text(notebook().replace("Homework", "Other"))
    assert only(tmp_path).notebook
    assert "does not say which homework" in only(tmp_path).reason


def test_otters_note_names_the_homework_where_no_cell_does(tmp_path):
    content = json.loads(notebook().replace("Homework", "Other"))
    for name, good in ((NAME, True), ("hw03_alignment", False)):
        content["metadata"] = {"otter": {"assignment_name": name}}
        (tmp_path / "kim.ipynb").write_text(json.dumps(content))
        assert bool(only(tmp_path).notebook) == good
        assert "does not say" not in only(tmp_path).reason
    for odd in (1, [], {"otter": []}, {"otter": {"assignment_name": {}}}):
        (tmp_path / "kim.ipynb").write_text(json.dumps({**content, "metadata": odd}))
        assert "does not say" in only(tmp_path).reason


def test_too_many_files_are_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST_FILES", 3)
    (tmp_path / "lou").mkdir()
    for number in range(5):
        (tmp_path / "lou" / f"{number}.ipynb").write_text(notebook())
    assert only(tmp_path).reason == "more than 3 files"


def test_half_a_character_in_a_cell_is_replaced():
    read = read_notebook(rb'{"cells": [{"cell_type": "code", "source": "a = \"\ud800\""}]}')
    assert read["cells"][0]["source"] == 'a = "?"'
