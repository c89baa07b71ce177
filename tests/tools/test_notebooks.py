"""Each notebook is its text, executed from top to bottom; the book lists each page."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from tools import ROOT, notebooks
from tools.text import NOTEBOOKS, chapters, pages_listed

VARIES = re.compile(r"\bat 0x[0-9a-fA-F]{6,}|\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}|/home/|/root/")
TEXT = """\
---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# A chapter

```{code-cell} ipython3
print(1 + 1)
```
"""


@pytest.mark.parametrize("text", chapters(), ids=lambda path: path.stem)
def test_the_notebook_is_its_text_executed_in_order(text):
    stored = nbformat.read(NOTEBOOKS / f"{text.stem}.ipynb", as_version=4)
    assert notebooks.inputs(stored) == notebooks.inputs(notebooks.written(text))
    code = notebooks.code(stored)
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
    for cell in code:
        kinds = [(output.output_type, output.get("name")) for output in cell.outputs]
        assert ("stream", "stderr") not in kinds, f"a warning or a progress bar: {cell.source}"
        # Where a tag means nothing (VS Code, a script), Run All would stop there.
        assert ("error", None) not in kinds, f"an error: {cell.source}"
        assert not VARIES.search(str(cell.outputs)), f"differs in every run: {cell.source}"


def test_the_book_lists_every_page_once():
    listed = pages_listed()
    own = {f"book/{path.stem}" for path in (ROOT / "book").glob("*.md")}
    assert sorted(listed) == sorted(own | {f"notebooks/{path.stem}" for path in chapters()})


@pytest.fixture
def chapter(tmp_path, monkeypatch) -> Path:
    """A chapter of one cell in a folder of its own."""
    monkeypatch.setattr(notebooks, "NOTEBOOKS", tmp_path)
    text = tmp_path / "90_small.md"
    text.write_text(TEXT)
    return text


def test_prose_keeps_outputs_code_is_executed_and_an_edited_notebook_is_not_overwritten(chapter):
    path = chapter.with_suffix(".ipynb")
    notebooks.write(chapter, run=False)
    assert nbformat.read(path, as_version=4).cells[1].outputs[0].text == "2\n"
    text = TEXT.replace("A chapter", "Another")
    chapter.write_text(text)
    path.write_text(path.read_text().replace('"2\\n"', '"kept\\n"'))
    with pytest.raises(FileExistsError, match="newer"):
        _write(chapter, older=True)
    _write(chapter)
    assert nbformat.read(path, as_version=4).cells[1].outputs[0].text == "kept\n"
    chapter.write_text(text.replace("1 + 1", "1 / 0"))
    before = path.read_text()
    with pytest.raises(CellExecutionError):
        _write(chapter)
    assert path.read_text() == before


def _write(chapter: Path, *, older: bool = False) -> None:
    """Write the notebook, as if the text had been edited after it or long before."""
    import os

    now = chapter.with_suffix(".ipynb").stat().st_mtime
    os.utime(chapter, (now, now - 60 if older else now + 60))
    notebooks.write(chapter, run=False)
