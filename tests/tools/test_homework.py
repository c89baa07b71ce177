"""What `make homework` writes: a student's folder and its zip, the same bytes each time."""

import ast
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from tools import homework
from tools.text import install_code

SOURCE = Path(__file__).parents[2] / "homework" / "hw05_query_key_value" / "hw05_query_key_value.py"


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    return homework.build(SOURCE, tmp_path_factory.mktemp("built"))


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_folder_and_the_zip_hold_notebook_and_tests(built):
    names = {f"{built.name}.ipynb", *(f"tests/q{n}.py" for n in range(1, 6))}
    assert set(content(built)) == names
    with zipfile.ZipFile(built.with_suffix(".zip")) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
        assert {entry.date_time for entry in archive.infolist()} == {homework.ZIP_DATE}
    assert packed == {f"{built.name}/{name}": data for name, data in content(built).items()}
    assert content(built)["tests/q1.py"].startswith(b"# homework: hw05_query_key_value\n")
    notebook = nbformat.read(built / f"{built.name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert notebook.cells[0].source.endswith('grader = Homework("hw05_query_key_value")')
    assert "@" not in notebook.cells[0].source.replace("}@published", "")


def test_a_second_build_gives_the_same_bytes_and_loses_no_work(built):
    before, archive = content(built), built.with_suffix(".zip").read_bytes()
    notebook = built / f"{built.name}.ipynb"
    notebook.write_text("answers")
    homework.build(SOURCE, built.parent)
    assert built.with_suffix(".zip").read_bytes() == archive
    (kept,) = built.glob("*_until_*.ipynb")
    assert kept.read_text() == "answers"
    kept.unlink()
    assert content(built) == before


def test_no_test_has_a_string_inside_an_f_string():
    """From Python 3.12 on, otter writes both with the same quotes, which 3.11 cannot read."""
    for source in homework.find_sources():
        functions = ast.parse(source.read_text(encoding="utf-8")).body
        tests = (f for f in functions if getattr(f, "name", "").startswith("test_"))
        parts = [n for f in tests for n in ast.walk(f) if isinstance(n, ast.FormattedValue)]
        inner = [n for part in parts for n in ast.walk(part.value) if isinstance(n, ast.Constant)]
        assert [n.lineno for n in inner if isinstance(n.value, str)] == [], source.name


def test_names_choose_sources():
    first, *_, last = homework.find_sources()
    assert homework.find_sources(["hw01", "15"]) == [first, last]
    assert homework.find_sources([SOURCE.stem]) == [SOURCE]
    with pytest.raises(ValueError, match=r"want one of the homeworks hw01_.*; got 'hw1'"):
        homework.find_sources(["hw1"])


@pytest.mark.filterwarnings("ignore")  # from the kernel that otter starts
def test_a_private_variant_is_solved_by_its_own_solutions(tmp_path):
    source = homework.find_sources(["hw01"])[0]
    folder = homework.release(source, "v1", tmp_path)
    student = nbformat.read(folder / source.stem / f"{source.stem}.ipynb", as_version=4)
    public = homework.build(source, tmp_path / "public") / f"{source.stem}.ipynb"
    assert student.cells != nbformat.read(public, as_version=4).cells
    assert "BEGIN SOLUTION" not in str(student)
    assert (folder / "solution.ipynb").is_file()


@pytest.mark.parametrize("modules", [["no_such_package"], ["course_lib", "no_such_package"]])
def test_without_a_package_and_an_address_the_first_cell_stops_with_a_sentence(modules, tmp_path):
    code = install_code(*modules).replace("%pip", "pass #")
    code = re.sub('repository = ".*"', 'repository = ""', code)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"{' or '.join(modules)} is missing. Get the folder")
