"""Tiny Shakespeare: one text, its split, and one line where a file is none."""

import pytest

from course_lib.data.corpora import shakespeare
from course_lib.errors import CourseError


def test_the_text_and_its_split(course_data):
    text = shakespeare.load(progress=False)
    train, valid = shakespeare.split(text)
    assert (len(text), len(train), len(valid)) == (1115394, 1003854, 111540)  # as nanoGPT's
    assert train + valid == text
    assert text.startswith("First Citizen:")
    assert len(set(text)) == 65


def test_another_code_is_told(tmp_path):
    path = tmp_path / "input.txt"
    path.write_bytes("Brutus and Cæsar".encode("latin-1"))
    with pytest.raises(CourseError, match="no text in UTF-8"):
        shakespeare.read_text(path)
    with pytest.raises(CourseError, match="cannot read"):
        shakespeare.read_text(tmp_path / "none")
