"""`make notebooks`: the same bytes twice, nothing executed in vain, no hand edit lost."""

import pytest

from tools.gates.pairs import agreement, stored_state
from tools.notebooks import write
from tools.notebooks.check import read
from tools.project import TaskError

KERNEL = "a kernel was started"


@pytest.fixture
def stored(project):
    project.store(project.executed())
    return project


@pytest.fixture
def no_kernel(monkeypatch):
    """Any execution is an error."""

    def refuse(*arguments):
        raise AssertionError(KERNEL)

    monkeypatch.setattr(write, "execute", refuse)


def replace(project, old, new, name="book/chapters/01_chapter.md"):
    path = project.root / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_a_chapter_is_executed_to_the_same_bytes_twice_and_passes_its_gates(project):
    contents = []
    for _ in range(2):
        project.notebook.unlink(missing_ok=True)
        write.write_all(root=project.root)
        contents.append(project.notebook.read_bytes())
    assert contents[0] == contents[1]
    assert stored_state(project.root).output == agreement(project.root).output == ""
    # What the other tests of this folder take for an executed notebook is one.
    assert read(project.notebook) == project.executed()


def test_a_failing_cell_is_told_and_nothing_is_written(project):
    replace(project, "tags: [raises-exception]", "{}")
    with pytest.raises(TaskError, match=r"notebooks/01_chapter.ipynb: a cell failed[^$]*TypeError"):
        write.write_all(root=project.root)
    assert list((project.root / "notebooks").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("book/chapters/01_chapter.md", "one question", "two questions"),
        ("book/chapters/01_chapter.md", "double(2)", "double(2)  # four"),
        ("course_lib/words.py", "return n * x", '"""n times x."""\n    return n * x  # a product'),
    ],
)
def test_prose_and_comments_are_taken_over_without_execution(stored, no_kernel, name, old, new):
    replace(stored, old, new, name)
    write.write_all(["01"], root=stored.root)
    assert stored_state(stored.root).passed
    assert agreement(stored.root).passed


@pytest.mark.parametrize("name", ["course_lib/words.py", "book/chapters/01_chapter.md"])
def test_changed_code_is_executed(stored, no_kernel, name):
    replace(stored, *(("n * x", "x * n") if name.endswith("py") else ("(2)", "(3)")), name)
    with pytest.raises(AssertionError, match=KERNEL):
        write.write_all(root=stored.root)


@pytest.mark.parametrize("change", [{"execution_count": 7}, {"outputs": []}])
def test_outputs_that_the_check_refuses_or_were_exchanged_are_made_anew(stored, no_kernel, change):
    notebook = stored.executed()
    notebook.cells[2].update(change)
    stored.store(notebook)
    with pytest.raises(AssertionError, match=KERNEL):
        write.write_all(root=stored.root)


@pytest.mark.parametrize("stale", [False, True])
def test_the_book_gets_the_new_prose_and_nothing_is_executed(stored, no_kernel, stale):
    assert not write.carry_over(stored.root)
    before = read(stored.notebook).metadata["course"]
    if stale:
        replace(stored, "n * x", "5", "course_lib/words.py")
    replace(stored, "one question", "two questions")
    assert write.carry_over(stored.root)
    notebook = read(stored.notebook)
    assert "two questions" in notebook.cells[0].source
    assert agreement(stored.root).passed
    # What was stale stays stale.
    assert stored_state(stored.root).passed is not stale
    assert {**notebook.metadata["course"], "inputs": ""} == {**before, "inputs": ""}


def test_the_book_is_not_built_from_the_outputs_of_other_code(stored, no_kernel):
    replace(stored, "double(2)", "double(3)")
    with pytest.raises(TaskError, match="run make notebooks ARGS=01_chapter first"):
        write.carry_over(stored.root)


def test_a_hand_edit_is_shown_and_not_overwritten_until_it_may(stored, no_kernel, capsys):
    notebook = read(stored.notebook)
    notebook.cells[0].source += "\n\nAdded in JupyterLab."
    stored.store(notebook)
    assert not write.carry_over(stored.root)
    assert "edited by hand" in capsys.readouterr().out
    with pytest.raises(TaskError, match="was edited by hand"):
        write.write_all(root=stored.root)
    write.write_all(root=stored.root, overwrite=True)
    assert "Added" not in stored.notebook.read_text()
    with pytest.raises(TaskError, match="no chapter '07'; there are: 01_chapter"):
        write.write_all(["07"], root=stored.root)
