"""The lists of mutants fit the code; one that survives or does not fit fails the command."""

import pytest

from tools.mutants import lists
from tools.mutants.__main__ import main
from tools.project import ROOT

CODE = {
    "arithmetic.py": "def double(x):\n    return 2 * x\n",
    "tests/test_double.py": "from arithmetic import double\n\n\n"
    "def test_double():\n    assert double(2) == 4\n",
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
}
LIST = "@ arithmetic.py tests/test_double.py\n# {}\n-2 * x\n+{}\n"


@pytest.fixture
def project(tmp_path):
    for name, text in CODE.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_every_mutant_fits_the_code_and_has_its_tests():
    assert lists.misfits(lists.every(), ROOT) == []


def test_who_is_noticed_passes_and_who_survives_fails(project, capsys):
    noticed, unnoticed = (
        lists.read(LIST.format(*named), "sums")[0]
        for named in (("triple", "3 * x"), ("square", "x * x"))
    )
    assert main([], [noticed], project) == 0
    assert "killed   sums: triple (arithmetic.py) tests/test_double.py" in capsys.readouterr().out
    assert main(["-j2"], [noticed, unnoticed], project) == 1
    assert "SURVIVED sums: square (arithmetic.py)" in capsys.readouterr().out
    assert (project / "arithmetic.py").read_text(encoding="utf-8") == CODE["arithmetic.py"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [("x", "y", "got it 2 times"), ("x + x", "0", "got it 0 times"), ("2 * x", "2 *", "Python")],
)
def test_who_does_not_fit_is_named_and_fails(project, capsys, old, new, problem):
    text = LIST.format("slip", new).replace("-2 * x", f"-{old}")
    assert main([], lists.read(text, "sums"), project) == 1
    assert problem in capsys.readouterr().err
