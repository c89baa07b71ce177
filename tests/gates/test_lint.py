"""ruff, shown a breach in a module, in a test and in a code cell."""

import shutil

import nbformat
import pytest

from tools.gates.lint import ruff
from tools.project import ROOT


@pytest.fixture
def clean(project):
    for name in ("pyproject.toml", "notebooks/ruff.toml"):
        shutil.copy(ROOT / name, project.root / name)
    project.write("course_lib/__init__.py", '"""A library."""\n')
    for name in ("arithmetic", "words", "elsewhere"):
        project.write(f"course_lib/{name}.py", '"""A module."""\n\nANSWER = 42\n')
    project.store(project.executed())
    return project


def test_clean_code_passes(clean):
    result = ruff(clean.root)
    assert result.passed, result.output


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("course_lib/bad.py", '"""Bad."""\n\nimport os\n', "F401"),
        ("course_lib/bad.py", "ANSWER = 42\n", "D100"),
        ("tests/test_bad.py", "def test_it():\n    assert (1, 'never fails')\n", "F631"),
        ("tools/bad.py", "x = 'quotes'\n", 'x = "quotes"'),
    ],
)
def test_a_breach_in_a_file_is_named(clean, name, content, said):
    clean.write(name, content)
    result = ruff(clean.root)
    assert not result.passed
    assert said in result.output


@pytest.mark.parametrize(
    ("source", "said"),
    [("import os", "F401"), ("x = [1,2]", "x = [1, 2]"), ("x = 'a'", 'x = "a"')],
)
def test_a_breach_in_a_code_cell_is_named(clean, source, said):
    notebook = clean.executed()
    notebook.cells.append(nbformat.v4.new_code_cell(source))
    clean.store(notebook)
    result = ruff(clean.root)
    assert not result.passed
    assert said in result.output
