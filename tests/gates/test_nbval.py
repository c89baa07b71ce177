"""The notebooks under nbval, with a real kernel: what is true passes, what is wrong does not."""

import shutil
import time
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import nbformat
from nbformat.v4 import new_code_cell, new_output

from tools.gates.suites import validate
from tools.notebooks.twice import run_twice
from tools.project import ROOT


def printed(text):
    return new_output("stream", name="stdout", text=text)


def shown(text):
    return new_output("execute_result", {"text/plain": text}, execution_count=1)


def raised(text):
    return new_output("error", ename="ValueError", evalue=text, traceback=[])


def as_html(text):
    data = {"text/html": text, "text/plain": "<IPython.core.display.HTML object>"}
    return new_output("execute_result", data, execution_count=1)


def html(value):
    return f"from IPython.display import HTML\nHTML('<td>{value}</td>')"


COUNTED = "runs = globals().get('runs', 0) + 1\nruns"
WHERE = "import course_lib\n'für alle' in course_lib.__file__"
# Source, output as it is stored, the tolerance of the cell, and whether the gate lets it pass.
CELLS = [
    ("print(0.5)", printed("0.500001\n"), None, True),
    ("print(0.5)", printed("0.525\n"), None, False),  # wrong by five per cent
    ("print(0.5)", printed("0.525\n"), {"rtol": 0.06}, True),
    ("print(0.5)", printed("0.525\n"), {"atol": 0.02}, False),
    ("print('a', 2)", printed("b 2\n"), {"rtol": 0.06}, False),
    ("2 + 2", shown("5"), {"rtol": 0.5}, False),  # integers are exact
    ("[0.1, 2]", shown("[0.1000001, 2]"), None, True),
    ("raise ValueError('got 3')", raised("got 3"), None, True),
    ("raise ValueError('got 3')", raised("got 4"), None, False),
    (html(0.2), as_html("<td>0.2000001</td>"), None, True),
    (html(0.2), as_html("<td>0.21</td>"), None, False),
    ("print(0.5)", shown("0.5"), None, False),
    (WHERE, shown("True"), None, True),
    (COUNTED, shown("1"), None, True),
]


def test_nbval_passes_what_agrees_and_fails_what_does_not(project, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    project.write("course_lib/__init__.py", '__version__ = "0"\n')
    for name in ("conftest.py", "pyproject.toml", "README.md", "tools/nbval_sanitize.cfg"):
        (project.root / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, project.root / name)
    notebook = nbformat.v4.new_notebook()
    for number, (source, output, tolerance, _) in enumerate(CELLS, start=1):
        metadata = {"tolerance": tolerance} if tolerance else {}
        if output.output_type == "error":
            metadata["tags"] = ["raises-exception"]
        cell = new_code_cell(source, outputs=[output], execution_count=number, metadata=metadata)
        notebook.cells.append(cell)
    project.store(notebook)

    result = validate(project.root)

    report = ElementTree.parse(project.root / "_build" / "test" / "notebooks.xml")
    passed = [case.find("failure") is None for case in report.iter("testcase")]
    wanted = [agrees for *_, agrees in CELLS]
    second = [agrees and source != COUNTED for source, *_, agrees in CELLS]
    assert passed == wanted + second, result.output
    assert not result.passed
    assert (result.tests, result.failures) == (2 * len(CELLS), passed.count(False))


def test_a_second_run_ends_before_a_cell_that_takes_longer_than_what_is_left():
    ran = []
    run = run_twice(lambda item: (ran.append(item.cell_num), time.sleep(item.seconds)), 0.2)
    cells = [SimpleNamespace(metadata={}), SimpleNamespace(metadata={"again": True})]
    book = SimpleNamespace(nb=SimpleNamespace(cells=cells[:1] * 3 + cells[1:] * 3))
    for number, cell in enumerate(book.nb.cells):
        seconds = 0.3 if number % 3 == 1 else 0
        run(SimpleNamespace(parent=book, cell=cell, cell_num=number, seconds=seconds))
    assert ran == [0, 1, 2, 3]
