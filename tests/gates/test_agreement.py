"""Text and notebook: whoever edits only one of them is told; so is a chapter that is too long."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.gates.pairs import agreement
from tools.notebooks.check import read
from tools.notebooks.length import (
    MAX_FOLDS,
    MAX_HEADINGS,
    MAX_PARAGRAPH,
    count_words,
    length_problems,
    running_text,
)
from tools.notebooks.text import from_text

FOLD = "<details><summary>Deeper</summary>\n\n{}\n\n</details>"


@pytest.fixture
def stored(project):
    project.store(project.executed())
    assert agreement(project.root).passed
    return project


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("one question", "two questions", "cell 1 (markdown) differs"),
        ("double(2)", "double(3)", "cell 5 (code) differs"),
        ("tags: [raises-exception]", "tags: [hide-input]", "cell 4 (code) differs"),
        ("That is all.", "That is all.\n\n+++\n\nNo.", "the text gives 7 cells and the notebook 6"),
        ("---\njupytext", "jupytext", "header of jupytext first"),
    ],
)
def test_an_edit_of_the_text_alone_is_named(stored, old, new, said):
    stored.text.write_text(stored.text.read_text().replace(old, new))
    assert said in agreement(stored.root).output


def test_an_edit_of_the_notebook_alone_is_named_and_half_a_pair(stored):
    notebook = read(stored.notebook)
    notebook.cells[0].source += " Or two."
    stored.store(notebook)
    assert "cell 1 (markdown) differs" in agreement(stored.root).output
    text = stored.text.read_text()
    stored.text.unlink()
    assert "has no text" in agreement(stored.root).output
    stored.text.write_text(text)
    stored.notebook.unlink()
    assert "has no notebook" in agreement(stored.root).output


@pytest.mark.parametrize(
    ("toc", "said"),
    [
        ("root: book/index\n", "_toc.yml: does not list notebooks/01_chapter"),
        ("root: book/index\nchapters:\n- file: notebooks/02_gone\n", "notebooks/02_gone, which is"),
        ("root: book/index\nchapters:\n- file: book/index\n", "_toc.yml: lists book/index twice"),
    ],
)
def test_a_page_that_the_contents_leave_out_or_invent_is_named(stored, toc, said):
    stored.write("book/index.md", "# A page\n")
    stored.write("_toc.yml", toc)
    assert said in agreement(stored.root).output


def test_the_repository_address_reaches_the_install_cell(stored):
    stored.write("_config.yml", 'repository:\n  url: "https://a.b/c"\n  branch: published\n')
    assert "cell 2 (code) differs" in agreement(stored.root).output
    cells = from_text(stored.text.read_text(), stored.root / "_config.yml").cells
    assert 'repository = "https://a.b/c"' in cells[1].source


def test_ids_follow_the_content_and_equal_cells_get_different_ones(project):
    text = project.text.read_text()
    first = {cell.source: cell.id for cell in from_text(text, project.root / "_config.yml").cells}
    more = "```{code-cell} ipython3\ndouble(9)\n```\n"
    notebook = from_text(f"{text}\n{more}\n{more}", project.root / "_config.yml")
    found = {cell.source: cell.id for cell in notebook.cells}
    assert first.items() <= found.items()
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("a dash - and a formula $x = y + z$ are words", 8),
        ("$$\nx = y\n$$\n\nnone of it", 3),
        ("![alternative text](drawings/a.png)\n*Its caption counts.*", 3),
        ("```{code-block} python\nx = 1 + 2\n```\n\nthree words here", 3),
        ('(label)=\n\n## One <span class="cl-word">one</span> <!-- not this --> two', 3),
        (f"one {FOLD.format('two' + FOLD.format('three') + 'four')} five", 2),
    ],
)
def test_what_a_reader_reads_is_counted(text, count):
    cells = [new_code_cell("x = 1"), *map(new_markdown_cell, text.split("\n\n"))]
    assert count_words(running_text(new_notebook(cells=cells))) == count


@pytest.mark.parametrize("more", [0, 1])
def test_too_many_headings_or_folds_and_a_long_paragraph_are_named(more):
    for text, said in (
        ("\n\n".join(["## One"] * (MAX_HEADINGS + more)), f"{MAX_HEADINGS + 1} headings"),
        ("\n\n".join([FOLD.format("x")] * (MAX_FOLDS + more)), f"{MAX_FOLDS + 1} folds"),
        (f"- It begins {'so ' * (MAX_PARAGRAPH - 2 + more)}", f"{MAX_PARAGRAPH + 1} words"),
    ):
        cells = [new_markdown_cell(f"one\n{text}\n\ntwo")]
        assert [said in each for each in length_problems(new_notebook(cells=cells))] == [
            True
        ] * more
