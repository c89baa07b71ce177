"""The static notebook check: a sound notebook passes, and each way to break one is seen."""

import nbformat
import pytest

from tools.gates.pairs import stored_state
from tools.notebooks.write import seal


def problems(project, notebook) -> str:
    project.store(notebook)
    result = stored_state(project.root)
    assert result.passed == (not result.output)
    return result.output


def printing(**output):
    return lambda cells, _: cells[1].outputs[0].update(output)


def error(text):
    return nbformat.v4.new_output("stream", name="stderr", text=text)


BROKEN = {
    "code cell 2 (from course_lib.arithmetic import double): was not executed": (
        lambda cells, _: cells[1].update(execution_count=None)
    ),
    "was executed as number 3, not 2": lambda cells, _: cells[1].update(execution_count=3),
    "raised TypeError and is not tagged": lambda cells, _: cells[2].metadata.pop("tags"),
    "is tagged raises-exception and raised nothing": lambda cells, _: cells[2].update(outputs=[]),
    "wrote to stderr": lambda cells, _: cells[1].outputs.append(error("UserWarning")),
    "printed a memory address": printing(text="<object at 0x7f3b5c0d2e90>"),
    "ids, metadata or outputs": lambda _, notebook: notebook.cells[0].update(id="a1b2c3d4"),
    "line 1 has 78 characters, and 75": lambda c, _: c[1].update(source=f"x = {'1 + ' * 18}10"),
    "21 lines, and 20 is the most": lambda cells, _: cells[1].update(source="x = 1\n" * 21),
    "stale": lambda cells, _: cells[3].update(source="double(3)"),
    "outputs are not those that were executed": printing(text="0.7\n"),
}


@pytest.mark.parametrize("said", BROKEN)
def test_each_defect_is_named(project, said):
    notebook = project.executed()
    assert problems(project, notebook) == ""
    BROKEN[said]([cell for cell in notebook.cells if cell.cell_type == "code"], notebook)
    assert said in problems(project, notebook)


def test_a_path_of_this_machine_a_changed_library_and_no_notebook_are_named(project):
    notebook = project.executed()
    project.write("course_lib/words.py", "def times(n, x):\n    return x * n\n")
    assert "stale" in problems(project, notebook)
    notebook.cells[2].outputs[0].text = f"{project.root}/course_lib\n"
    assert "printed a path of the machine" in problems(project, notebook)
    project.notebook.write_text("{", encoding="utf-8")
    assert "01_chapter.ipynb is not a notebook" in stored_state(project.root).output


@pytest.mark.parametrize(
    "exchange",
    [
        lambda output: output.data.update({"image/png": "REVG"}),
        lambda output: output.metadata["image/png"].update(alt="a falling line"),
        lambda output: output.data.update({"text/html": "<p>0.26</p>"}),
        lambda output: output.data.pop("image/png"),
    ],
)
def test_an_exchanged_picture_its_words_or_a_number_in_it_are_named(project, exchange):
    notebook = project.executed()
    picture = {"image/png": "QUJD", "text/plain": "<Picture>", "text/html": "<p>0.25</p>"}
    words = {"image/png": {"alt": "a rising line"}}
    output = nbformat.v4.new_output("display_data", picture, metadata=words)
    notebook.cells[2].outputs.append(output)
    seal(notebook, project.root)
    assert problems(project, notebook) == ""
    exchange(notebook.cells[2].outputs[-1])
    assert "outputs are not those that were executed" in problems(project, notebook)
