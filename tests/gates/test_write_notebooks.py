"""`make notebooks`: the same bytes twice, nothing executed in vain, no hand edit lost."""

import pytest

from tools import book, commands
from tools.gates.pairs import agreement, stored_state
from tools.notebooks import write
from tools.notebooks.check import read
from tools.project import ROOT, TaskError

WORDS = '''\
"""Words."""


def times(n: int, x: float) -> float:
    """n times x."""
    return n * x  # a product
'''


@pytest.fixture
def stored(project):
    project.store(project.executed())
    return project


@pytest.fixture
def no_kernel(monkeypatch):
    """Any execution is an error."""

    def refuse(*arguments):
        raise AssertionError("a kernel was started")

    monkeypatch.setattr(write, "execute", refuse)


def test_a_chapter_is_executed_to_the_same_bytes_twice_and_passes_its_gates(project):
    contents = []
    for _ in range(2):
        project.notebook.unlink(missing_ok=True)
        write.write_all(root=project.root)
        contents.append(project.notebook.read_bytes())
    assert contents[0] == contents[1]
    assert stored_state(project.root).output == ""
    assert agreement(project.root).output == ""
    # What the other tests of this folder take for an executed notebook is one.
    assert read(project.notebook) == project.executed()


def test_a_failing_cell_is_told_and_nothing_is_written(project):
    project.text.write_text(project.text.read_text().replace("tags: [raises-exception]", "{}"))
    with pytest.raises(TaskError, match=r"notebooks/01_chapter.ipynb: a cell failed[^$]*TypeError"):
        write.write_all(root=project.root)
    assert list((project.root / "notebooks").iterdir()) == []


def test_an_unchanged_chapter_is_not_executed(stored, no_kernel):
    before = stored.notebook.read_bytes()
    write.write_all(root=stored.root)
    write.write_all(root=stored.root)
    assert read(stored.notebook) == stored.executed()
    assert stored.notebook.read_bytes().strip() == before.strip()


def test_changed_prose_is_taken_over_without_execution(stored, no_kernel):
    stored.text.write_text(stored.text.read_text().replace("one question", "two questions"))
    write.write_all(root=stored.root)
    assert "two questions" in read(stored.notebook).cells[0].source
    assert stored_state(stored.root).passed
    assert agreement(stored.root).passed


def test_a_comment_in_the_code_is_taken_over_without_execution(stored, no_kernel):
    stored.text.write_text(stored.text.read_text().replace("double(2)", "double(2)  # four"))
    (stored.root / "course_lib" / "words.py").write_text(WORDS)
    write.write_all(root=stored.root)
    assert "# four" in stored.notebook.read_text()
    assert stored_state(stored.root).passed
    assert agreement(stored.root).passed


@pytest.mark.parametrize("stale", [False, True])
def test_the_book_gets_the_new_prose_and_nothing_is_executed(stored, no_kernel, stale):
    assert not write.carry_over(stored.root)
    before = read(stored.notebook).metadata["course"]
    if stale:
        (stored.root / "course_lib" / "words.py").write_text("def times(n, x):\n    return 5\n")
    stored.text.write_text(stored.text.read_text().replace("one question", "two questions"))
    assert write.carry_over(stored.root)
    notebook = read(stored.notebook)
    assert "two questions" in notebook.cells[0].source
    assert agreement(stored.root).passed
    # What was stale stays stale.
    assert stored_state(stored.root).passed is not stale
    assert {**notebook.metadata["course"], "inputs": ""} == {**before, "inputs": ""}


@pytest.mark.parametrize("new", [False, True])
def test_the_book_is_not_built_from_the_outputs_of_other_code(stored, no_kernel, new):
    stored.text.write_text(stored.text.read_text().replace("double(2)", "double(3)"))
    if new:
        stored.notebook.unlink()
    with pytest.raises(TaskError, match="run make notebooks ARGS=01_chapter first"):
        write.carry_over(stored.root)


@pytest.mark.parametrize("command", ["book", "serve"])
def test_the_texts_come_before_the_pages(monkeypatch, command):
    done = []
    monkeypatch.setattr(write, "carry_over", lambda: done.append("texts"))
    monkeypatch.setattr(book, "build", lambda: done.append("pages") or ROOT)
    monkeypatch.setattr(book, "serve", lambda: None)
    assert commands.main([command]) == 0
    assert done == ["texts", "pages"]


def test_the_book_shows_a_notebook_that_was_edited_by_hand(stored, capsys):
    notebook = read(stored.notebook)
    notebook.cells[0].source += "\n\nAdded in JupyterLab."
    stored.store(notebook)
    assert not write.carry_over(stored.root)
    assert "edited by hand" in capsys.readouterr().out
    assert "Added" in stored.notebook.read_text()


@pytest.mark.parametrize("name", ["course_lib/words.py", "book/chapters/01_chapter.md"])
def test_changed_code_is_executed(stored, no_kernel, name):
    path = stored.root / name
    path.write_text(path.read_text().replace("n * x", "x * n").replace("(2)", "(3)"))
    with pytest.raises(AssertionError, match="a kernel was started"):
        write.write_all(root=stored.root)


def test_outputs_that_the_check_refuses_are_made_anew(stored, no_kernel):
    notebook = stored.executed()
    notebook.cells[2].execution_count = 7
    stored.store(notebook)
    with pytest.raises(AssertionError, match="a kernel was started"):
        write.write_all(root=stored.root)


def test_an_output_that_was_exchanged_is_not_sealed_anew(stored, no_kernel):
    notebook = stored.executed()
    notebook.cells[2].outputs[0].text = "0.7\n"
    stored.store(notebook)
    with pytest.raises(AssertionError, match="a kernel was started"):
        write.write_all(root=stored.root)


def test_a_hand_edit_is_not_overwritten(stored, no_kernel):
    notebook = read(stored.notebook)
    notebook.cells[0].source += "\n\nAdded in JupyterLab."
    stored.store(notebook)
    with pytest.raises(TaskError, match="was edited by hand"):
        write.write_all(root=stored.root)
    assert "Added" not in stored.text.read_text()
    write.write_all(root=stored.root, take="notebook")
    assert "Added in JupyterLab." in stored.text.read_text()
    assert agreement(stored.root).passed


def test_a_hand_edit_can_be_dropped(stored, no_kernel):
    notebook = read(stored.notebook)
    notebook.cells[0].source += "\n\nAdded in JupyterLab."
    stored.store(notebook)
    write.write_all(root=stored.root, take="text")
    assert "Added" not in stored.notebook.read_text()


def test_what_an_editor_leaves_behind_is_no_hand_edit(stored, no_kernel):
    notebook = read(stored.notebook)
    notebook.cells[0].metadata["editable"] = True
    notebook.metadata["language_info"]["version"] = "3.12.1"
    stored.store(notebook)
    write.write_all(root=stored.root)
    assert read(stored.notebook) == stored.executed()


def test_a_notebook_made_in_jupyterlab_gets_a_text(stored, no_kernel):
    stored.text.unlink()
    write.write_all(root=stored.root, take="notebook")
    assert agreement(stored.root).passed


@pytest.mark.parametrize("name", ["01", "01_chapter", "01_chapter.ipynb"])
def test_one_chapter_can_be_named(stored, no_kernel, name, capsys):
    write.write_all([name], root=stored.root)
    assert "01_chapter: outputs kept" in capsys.readouterr().out


def test_an_unknown_name_is_told(stored):
    with pytest.raises(TaskError, match="no chapter '07'; there are: 01_chapter"):
        write.write_all(["07"], root=stored.root)
