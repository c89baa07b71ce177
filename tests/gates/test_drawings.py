"""The files that are made from the figures' code: as the code makes them, and no others."""

import shutil

import pytest

from tools import drawings
from tools.notebooks.text import from_text, to_text
from tools.project import ROOT

READS = ("_config.yml", "book/_static", "book/chapters", "notebooks/drawings")


def test_the_files_are_what_the_code_draws():
    assert drawings.problems() == []


@pytest.fixture
def root(tmp_path):
    drawings.write(tmp_path)
    assert drawings.problems(tmp_path) == []
    return tmp_path


def test_a_file_that_differs_is_missing_or_is_made_by_nothing_is_named(root):
    folder = root / "notebooks" / "drawings"
    (folder / "one_vector.svg").write_text("<svg/>")
    (folder / "attention_decoder.svg").unlink()
    shutil.copy(ROOT / "book" / "_static" / "palette.css", folder / "old.svg")
    (root / drawings.STYLE).write_text("html {}")
    found = drawings.problems(root)
    assert "notebooks/drawings/old.svg: no drawing has this name" in found
    assert {line.split(":")[0] for line in found if "make drawings" in line} == {
        "notebooks/drawings/one_vector.svg",
        "notebooks/drawings/attention_decoder.svg",
        "book/_static/palette.css",
    }


def test_every_drawing_is_shown_by_a_chapter():
    texts = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "book" / "chapters").glob("*.md")
    )
    for name in drawings.DRAWINGS:
        assert f"](drawings/{name}.svg)" in texts, name


def test_a_published_notebook_shows_its_drawings_wherever_it_is_opened(tmp_path):
    text = (ROOT / "book" / "chapters" / "02_seq2seq.md").read_text(encoding="utf-8")
    here = "](drawings/one_vector.svg)"
    assert any(here in cell.source for cell in from_text(text).cells)
    config = tmp_path / "_config.yml"
    config.write_text(
        "repository:\n  url: https://example.org/a/b\n  branch: published\n", encoding="utf-8"
    )
    notebook = from_text(text, config)
    there = "](https://example.org/a/b/raw/published/notebooks/drawings/one_vector.svg)"
    assert any(there in cell.source for cell in notebook.cells)
    assert here in to_text(notebook)
    assert "example.org" not in to_text(notebook)
