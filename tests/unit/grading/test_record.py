"""The record of a submission survives its file, and nothing else passes for one."""

import json

import pytest

from course_lib.errors import CourseError
from course_lib.grading.record import (
    Question,
    Record,
    Test,
    fingerprint,
    from_json,
    read,
    to_json,
    write,
)

RECORD = Record(
    "hw01_recurrence",
    "v0",
    "mira",
    score=1.5,
    points=20.0,
    questions=(
        Question(
            "q1", 4.0, 1.5, (Test("test_a", 1.0, 0.0, "failed", "want 1; got \ud800\x00 <b>"),)
        ),
    ),
    cells=("cell 3 raised NameError: x",),
)


def test_a_record_survives_its_file(tmp_path):
    write(RECORD, tmp_path / "mira.json")
    assert read(tmp_path / "mira.json") == RECORD


@pytest.mark.parametrize(
    "change",
    [
        {"score": "20"},
        {"questions": [{"name": "q1"}]},
        {"questions": {"q1": 4}},
        {"questions": 5},
        {"cells": None},
        {"cells": [1]},
        {"surplus": 1},
    ],
)
def test_what_is_no_record_is_refused_in_a_sentence(tmp_path, change):
    (tmp_path / "x.json").write_text(json.dumps({**json.loads(to_json(RECORD)), **change}))
    with pytest.raises(CourseError, match=r"no record of a submission .*grade again"):
        read(tmp_path / "x.json")


def test_half_a_file_and_no_file_are_refused(tmp_path):
    with pytest.raises(ValueError, match="want a record"):
        from_json("[]")
    (tmp_path / "half.json").write_text(to_json(RECORD)[:50])
    for name in ("half.json", "none.json"):
        with pytest.raises(CourseError):
            read(tmp_path / name)


def test_a_fingerprint_names_a_salt_without_telling_it():
    assert fingerprint(b"") == ""
    assert fingerprint(b"a") != fingerprint(b"b")
    assert "6b6579" not in fingerprint(b"key")
