"""The files that are made from the figures' code: as the code makes them, and no others."""

import shutil

import pytest

from course_lab.figures.drawn import two_words
from course_lab.figures.drawn.parts import Arrow, Box, Label
from course_lab.figures.drawn.shelf import drawing
from tools import drawings
from tools.project import ROOT, TaskError


@pytest.fixture
def root(tmp_path):
    """A copy of the files that are made, which are what the code draws."""
    for name in ("book/_static", "notebooks/drawings"):
        shutil.copytree(ROOT / name, tmp_path / name, dirs_exist_ok=True)
    assert drawings.problems(tmp_path) == []
    return tmp_path


def test_a_file_that_differs_is_missing_or_is_made_by_nothing_is_named(root):
    folder = root / "notebooks" / "drawings"
    shutil.copy(folder / "lags.png", folder / "one_vector.png")
    (folder / "attention_decoder.png").unlink()
    shutil.copy(ROOT / "book" / "_static" / "palette.css", folder / "old.svg")
    (root / drawings.STYLE).write_text("html {}")
    found = drawings.problems(root)
    assert "notebooks/drawings/old.svg: no drawing has this name" in found
    assert {line.split(":")[0] for line in found if "make drawings" in line} == {
        "notebooks/drawings/one_vector.png",
        "notebooks/drawings/attention_decoder.png",
        "book/_static/palette.css",
    }


def test_without_a_change_no_browser_is_needed(root, monkeypatch):
    monkeypatch.setattr(drawings, "browser_path", lambda: None)
    drawings.write(root)
    (root / "notebooks" / "drawings" / "one_vector.png").unlink()
    with pytest.raises(TaskError, match="COURSE_CHROMIUM"):
        drawings.write(root)


def test_every_drawing_is_shown_by_a_chapter():
    texts = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "book" / "chapters").glob("*.md")
    )
    for name in drawings.DRAWINGS:
        assert f"](drawings/{name}.png)" in texts, name


def test_two_words_by_hand_are_those_of_chapter_11():
    text = (ROOT / "book" / "chapters" / "11_decoding.md").read_text(encoding="utf-8")
    for first, (p, after) in two_words.AFTER.items():
        assert f'"{first}": {p:g}' in text
        told = ", ".join(f'"{second}": {q:g}' for second, q in after.items())
        assert f'("{first}",): {{{told}}}' in text
    for role, way in (
        ("target", ["0.6", "der", "Hund", "0.6 × 0.4 = 0.24", "greedy"]),
        ("weight", ["0.4", "ein", "Hund", "0.4 × 0.9 = 0.36", "best"]),
    ):
        marked = [part for part in drawing("two_words").parts if part.role == role]
        assert [part.text for part in marked if isinstance(part, Label | Box)] == way
        assert sum(isinstance(part, Arrow) for part in marked) == 2
