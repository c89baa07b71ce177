"""Text and notebook: whoever edits only one of them is told."""

import nbformat
import pytest

from tools.gates.pairs import agreement
from tools.notebooks.check import read
from tools.notebooks.text import INSTALL_TEXT, from_text, inputs, to_text
from tools.project import TaskError


@pytest.fixture
def stored(project):
    project.store(project.executed())
    return project


def test_a_pair_that_agrees_passes(stored):
    assert agreement(stored.root).passed


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("one question", "two questions", "cell 1 (markdown) differs"),
        ("double(2)", "double(3)", "cell 5 (code) differs"),
        ("tags: [raises-exception]", "tags: [hide-input]", "cell 4 (code) differs"),
        ("That is all.", "That is all.\n\n+++\n\nNo.", "the text gives 7 cells and the notebook 6"),
    ],
)
def test_an_edit_of_the_text_alone_is_named(stored, old, new, said):
    stored.text.write_text(stored.text.read_text().replace(old, new))
    result = agreement(stored.root)
    assert not result.passed
    assert said in result.output


def test_an_edit_of_the_notebook_alone_is_named(stored):
    notebook = read(stored.notebook)
    notebook.cells[0].source += " Or two."
    stored.store(notebook)
    assert "cell 1 (markdown) differs" in agreement(stored.root).output


def test_a_text_without_notebook_is_named(stored):
    stored.notebook.unlink()
    assert "has no notebook" in agreement(stored.root).output


def test_a_notebook_without_text_is_named(stored):
    stored.text.unlink()
    assert "has no text" in agreement(stored.root).output


def test_a_text_without_header_is_named(stored):
    stored.text.write_text("# A chapter\n")
    assert "must begin with the jupytext header" in agreement(stored.root).output


def test_the_repository_address_reaches_the_install_cell_and_nothing_else(stored):
    config = stored.root / "_config.yml"
    before = from_text(stored.text.read_text(), config)
    config.write_text('repository:\n  url: "https://example.org/a/b"\n  branch: published\n')
    after = from_text(stored.text.read_text(), config)
    assert 'repository = "https://example.org/a/b"' in after.cells[1].source
    changed = [
        number
        for number, (a, b) in enumerate(zip(inputs(before), inputs(after), strict=True))
        if a != b
    ]
    assert changed == [1]
    assert "cell 2 (code) differs" in agreement(stored.root).output


def test_the_way_back_gives_the_same_text(project):
    text = project.text.read_text().replace("# the install cell", INSTALL_TEXT)
    text = text.replace("---\ntags: [raises-exception]\n---\n", ":tags: [raises-exception]\n\n")
    assert to_text(project.executed()) == text


def test_ids_follow_the_content_alone(project):
    config = project.root / "_config.yml"
    text = project.text.read_text()
    first = {cell.source: cell.id for cell in from_text(text, config).cells}
    longer = text.replace("# A chapter", "# Another beginning\n\n+++\n\n# A chapter")
    second = {cell.source: cell.id for cell in from_text(longer, config).cells}
    assert all(second[source] == name for source, name in first.items())
    assert len(second) == len(first) + 1


def test_equal_cells_get_different_ids(project):
    cell = "```{code-cell} ipython3\ndouble(2)\n```\n"
    text = project.text.read_text() + "\n" + cell + "\n" + cell
    notebook = from_text(text, project.root / "_config.yml")
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    nbformat.validate(notebook)


def test_text_that_is_no_myst_is_a_task_error(project):
    broken = project.text.read_text().replace("tags: [raises-exception]", "tags: [raises: {")
    with pytest.raises(TaskError, match="cannot be read as MyST"):
        from_text(broken, project.root / "_config.yml")


@pytest.mark.parametrize(
    ("toc", "said"),
    [
        ("root: book/index\n", "_toc.yml: does not list notebooks/01_chapter"),
        ("root: notebooks/01_chapter\n", "_toc.yml: does not list book/index"),
        (
            "root: book/index\nchapters:\n- file: notebooks/01_chapter\n"
            "- file: notebooks/02_gone\n",
            "_toc.yml: lists notebooks/02_gone, which is not there",
        ),
        (
            "root: book/index\nchapters:\n- file: notebooks/01_chapter\n- file: book/index\n",
            "_toc.yml: lists book/index twice",
        ),
        ("", "_toc.yml: does not list notebooks/01_chapter"),
    ],
)
def test_a_page_that_the_contents_leave_out_or_invent_is_named(stored, toc, said):
    stored.write("book/index.md", "# A page\n")
    stored.write("_toc.yml", "root: book/index\nchapters:\n- file: notebooks/01_chapter.ipynb\n")
    assert agreement(stored.root).passed
    stored.write("_toc.yml", toc)
    assert said in agreement(stored.root).output
