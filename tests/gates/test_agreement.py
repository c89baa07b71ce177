"""Text and notebook: whoever edits only one of them is told; so is a chapter that is too long."""

import nbformat
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
from tools.notebooks.text import INSTALL_TEXT, from_text, to_text
from tools.project import TaskError

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
        ("tags: [raises-exception]", "tags: [raises: {", "cannot be read as MyST"),
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
        ("root: notebooks/01_chapter\n", "_toc.yml: does not list book/index"),
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


def test_the_way_back_gives_the_same_text(project):
    text = project.text.read_text().replace("# the install cell", INSTALL_TEXT)
    text = text.replace("---\ntags: [raises-exception]\n---\n", ":tags: [raises-exception]\n\n")
    assert to_text(project.executed()) == text


def test_ids_follow_the_content_and_equal_cells_get_different_ones(project):
    config, text = project.root / "_config.yml", project.text.read_text()
    first = {cell.source: cell.id for cell in from_text(text, config).cells}
    more = "```{code-cell} ipython3\ndouble(9)\n```\n"
    longer = text.replace("# A chapter", "# Another\n\n+++\n\n# A chapter") + f"\n{more}\n{more}"
    notebook = from_text(longer, config)
    assert all(
        {c.source: c.id for c in notebook.cells}[source] == first[source] for source in first
    )
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    nbformat.validate(notebook)
    with pytest.raises(TaskError, match="header of jupytext"):
        from_text("# A chapter", config)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("# A title\n\nand two words.", 5),
        ("a dash - is no word", 5),
        ("a formula $x = y + z$ is one", 5),
        ("$$\nx = y\n$$\n\nnone of it", 3),
        ("[two words](../book/page.md#place), and what it says", 6),
        ("![alternative text](drawings/a.png)\n*Its caption counts.*", 3),
        ("```{code-block} python\nx = 1 + 2\n```\n\nthree words here", 3),
        ("(label)=\n\n## One", 1),
        ('<span class="cl-word">one</span> <!-- not this --> two', 2),
        ("| a | b |\n|---|---|\n| c | d |", 4),
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
