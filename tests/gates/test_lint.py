"""ruff, shown a breach in a module, in a test and in a code cell."""

import shutil

import nbformat

from tools.gates.lint import ruff
from tools.project import ROOT


def test_clean_code_passes_and_each_breach_is_named(project):
    for name in ("pyproject.toml", "notebooks/ruff.toml"):
        shutil.copy(ROOT / name, project.root / name)
    for name in ("__init__", "arithmetic", "words", "elsewhere"):
        project.write(f"course_lib/{name}.py", '"""A module."""\n\nANSWER = 42\n')
    project.store(project.executed())
    result = ruff(project.root)
    assert result.passed, result.output
    project.write("course_lib/bad.py", "import os\n")
    project.write("tests/test_bad.py", "def test_it():\n    assert (1, 'never fails')\n")
    project.write("tools/bad.py", "x = 'quotes'\n")
    notebook = project.executed()
    notebook.cells.append(nbformat.v4.new_code_cell("import sys\ny = [1,2]"))
    project.store(notebook)
    result = ruff(project.root)
    assert not result.passed
    for said in ("`os` imported", "D100", "F631", '+x = "quotes"', "`sys` imported", "y = [1, 2]"):
        assert said in result.output, said
