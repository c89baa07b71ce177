"""The static notebook check: a sound notebook passes, and each way to break one is seen."""

import nbformat
import pytest

from tools.gates.pairs import stored_state
from tools.notebooks.write import seal


def code(notebook, number):
    """The code cell with this number, counted from 1."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"][number - 1]


def problems(project, notebook) -> str:
    project.store(notebook)
    result = stored_state(project.root)
    assert result.passed == (not result.output)
    return result.output


def test_a_sound_notebook_passes(project):
    assert problems(project, project.executed()) == ""


def test_no_notebook_at_all_passes(project):
    assert stored_state(project.root).passed


def not_executed(notebook):
    code(notebook, 2).execution_count = None
    code(notebook, 2).outputs = []


def swapped(notebook):
    code(notebook, 2).execution_count, code(notebook, 3).execution_count = 3, 2


def executed_twice(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count += 4
    code(notebook, 4).outputs[0].execution_count += 4


def wrong_result_number(notebook):
    code(notebook, 4).outputs[0].execution_count = 3


def untagged_error(notebook):
    del code(notebook, 3).metadata["tags"]


def raised_nothing(notebook):
    code(notebook, 3).outputs = []


def to_stderr(notebook):
    warning = nbformat.v4.new_output("stream", name="stderr", text="UserWarning: beware\n")
    code(notebook, 2).outputs.append(warning)


def widget_state(notebook):
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {}}


def timed(notebook):
    code(notebook, 2).metadata["execution"] = {"iopub.execute_input": "2026-01-01T00:00:00Z"}


def address(notebook):
    code(notebook, 4).outputs[0].data["text/plain"] = "<object at 0x7f3b5c0d2e90>"


def time_of_day(notebook):
    code(notebook, 2).outputs[0].text = "started 2026-01-01 12:30\n"


def random_id(notebook):
    notebook.cells[0].id = "a1b2c3d4"


def kernel_version(notebook):
    notebook.metadata["language_info"]["version"] = "3.11.7"


def long_traceback(notebook):
    code(notebook, 3).outputs[0].traceback.insert(0, "File somewhere, line 3")


def split_streams(notebook):
    code(notebook, 2).outputs.append(nbformat.v4.new_output("stream", name="stdout", text="x"))


def emptied(notebook):
    code(notebook, 2).source = "  "


def semicolon(notebook):
    code(notebook, 4).source = "double(2);"


def long_line(notebook):
    code(notebook, 2).source = "x = " + "1 + " * 18 + "10"
    assert len(code(notebook, 2).source) == 78


def long_cell(notebook):
    code(notebook, 2).source = "\n".join(f"x{number} = 1" for number in range(21))


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (not_executed, "code cell 2 (from course_lib.arithmetic import double): was not executed"),
        (swapped, "was executed as number 3, not 2"),
        (executed_twice, "was executed as number 5, not 1"),
        (wrong_result_number, "its result bears another number"),
        (untagged_error, "raised TypeError and is not tagged raises-exception"),
        (raised_nothing, "is tagged raises-exception and raised nothing"),
        (to_stderr, "wrote to stderr"),
        (widget_state, "widget state is stored"),
        (timed, "holds the time of its execution"),
        (address, "printed a memory address"),
        (time_of_day, "printed a time of day"),
        (random_id, "not as `make notebooks` writes them"),
        (kernel_version, "not as `make notebooks` writes them"),
        (long_traceback, "not as `make notebooks` writes them"),
        (split_streams, "not as `make notebooks` writes them"),
        (emptied, "is empty"),
        (semicolon, "ends with ';'"),
        (long_line, "line 1 has 78 characters, and 75 is the most"),
        (long_cell, "21 lines, and 20 is the most"),
    ],
)
def test_each_defect_is_named(project, break_it, said):
    notebook = project.executed()
    break_it(notebook)
    assert said in problems(project, notebook)


def test_a_path_of_this_machine_is_named(project):
    notebook = project.executed()
    code(notebook, 2).outputs[0].text = f"{project.root}/course_lib\n"
    assert "printed a path of the machine" in problems(project, notebook)


def test_a_changed_library_makes_it_stale(project):
    notebook = project.executed()
    project.write("course_lib/words.py", "def times(n, x):\n    return x * n\n")
    assert "stale" in problems(project, notebook)


def test_a_changed_code_cell_makes_it_stale(project):
    notebook = project.executed()
    code(notebook, 4).source = "double(3)"
    assert "stale" in problems(project, notebook)


def test_a_file_that_is_no_notebook_is_named(project):
    project.notebook.write_text("{", encoding="utf-8")
    result = stored_state(project.root)
    assert not result.passed
    assert "01_chapter.ipynb is not a notebook" in result.output


PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)


@pytest.fixture
def with_figures(project):
    """The chapter with a picture that has words, and a figure to touch, sealed as executed."""
    notebook = project.executed()
    picture = {"image/png": "QUJD", "text/plain": "<Picture>", "text/html": "<p>0.25</p>"}
    words = {"image/png": {"alt": "a rising line"}}
    output = nbformat.v4.new_output("display_data", picture, metadata=words)
    code(notebook, 2).outputs.append(output)
    seal(notebook, project.root)
    assert problems(project, notebook) == ""
    return notebook


def one_pixel(output):
    output.data["image/png"] = PIXEL


def other_words(output):
    output.metadata["image/png"]["alt"] = "a falling line"


def other_number(output):
    output.data["text/html"] = "<p>0.26</p>"


def no_picture(output):
    del output.data["image/png"]


@pytest.mark.parametrize("exchange", [one_pixel, other_words, other_number, no_picture])
def test_an_output_that_was_exchanged_is_named(project, with_figures, exchange):
    exchange(code(with_figures, 2).outputs[-1])
    assert "outputs are not those that were executed" in problems(project, with_figures)


def test_outputs_without_a_seal_are_named(project):
    notebook = project.executed()
    del notebook.metadata["course"]["outputs"]
    assert "outputs are not those that were executed" in problems(project, notebook)
