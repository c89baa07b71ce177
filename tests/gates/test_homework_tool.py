"""`make homework`: whole folders or none, points that add up, one clear line for a mistake."""

import json
import textwrap
import warnings
from pathlib import Path

import jupytext
import nbformat
import pytest

from tools import homework
from tools.own_line import with_own_line
from tools.project import TaskError

SOURCE = """\
    # ---
    # jupyter:
    #   kernelspec: {display_name: Python 3, language: python, name: python3}
    # ---

    # %% [raw]
    # # ASSIGNMENT CONFIG
    # name: hw91_small

    # %% [markdown]
    # # Homework 91: Small
    """

TESTS = """\
    OK_FORMAT = False
    from otter.test_files import test_case

    name = "q1"
    points = {points}


    @test_case(points=1, hidden=False)
    def test_one(f):
        assert f() == 1


    @test_case(points=19, hidden=True, failure_message="no")
    def test_two(f):
        assert f() == 1
    """


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "homework" / "hw91_small" / "hw91_small.py"
    path.parent.mkdir(parents=True)
    path.write_text(textwrap.dedent(SOURCE))
    return path


@pytest.fixture
def otter(monkeypatch):
    """otter itself needs a kernel and twenty seconds; here it is played."""
    played = {"points": 20, "said": ""}

    def main(master, result, *, no_run_tests):
        asked = jupytext.read(master)
        for part in ("student", "autograder"):
            folder = Path(result) / part
            (folder / "tests").mkdir(parents=True)
            asked.cells.append(nbformat.v4.new_markdown_cell(" "))
            asked.metadata["jupytext"] = {"formats": "py:percent"}
            nbformat.write(asked, folder / Path(master).name)
            text = textwrap.dedent(TESTS).format(points=played["points"])
            (folder / "tests" / "q1.py").write_text(text)
        (Path(result) / "autograder" / "at_noon.zip").write_text("")
        if played["said"]:
            raise RuntimeError(played["said"])

    with warnings.catch_warnings():
        # Packages that otter brings in complain about each other.
        warnings.simplefilter("ignore")
        monkeypatch.setattr("otter.assign.main", main)
    return played


def student(source):
    return source.parent / "student"


def test_the_folder_is_written_tidy_and_a_second_time_is_unchanged(source, otter, tmp_path, capsys):
    homework.write_all(root=tmp_path)
    first = {p.name: p.read_bytes() for p in student(source).rglob("*.*")}
    assert set(first) == {"hw91_small.ipynb", "q1.py"}
    notebook = json.loads(first["hw91_small.ipynb"])
    assert all("".join(cell["source"]).strip() for cell in notebook["cells"])
    assert "jupytext" not in notebook["metadata"]
    homework.write_all(["91"], root=tmp_path)
    assert first == {p.name: p.read_bytes() for p in student(source).rglob("*.*")}
    where = "homework/hw91_small/student"
    said = capsys.readouterr().out.splitlines()
    assert said == [f"hw91_small: written: {where}", f"hw91_small: unchanged: {where}"]


def test_a_stored_folder_that_differs_is_named_and_written_anew(source, otter, tmp_path):
    homework.write_all(root=tmp_path)
    (student(source) / "tests" / "q1.py").write_text("edited")
    (student(source) / "notes.txt").write_text("mine")
    (student(source) / ".ipynb_checkpoints").mkdir()
    (student(source) / ".ipynb_checkpoints" / "x.ipynb").write_text("left behind by JupyterLab")
    with homework.assigned(source) as made:
        assert not list(made.autograder.glob("*.zip"))
        assert homework.differences(made, student(source)) == ["notes.txt", "tests/q1.py"]
        homework.write_all(root=tmp_path)
        assert homework.differences(made, student(source)) == []


@pytest.mark.parametrize(
    ("played", "said"),
    [
        ({"points": 21}, "hw91_small, q1: wanted test cases that give the question's 21 points, "),
        ({"said": "q1 - 1 failed"}, r"(?s)otter assign refuses .*q1 - 1 failed"),
    ],
)
def test_what_otter_or_we_refuse_is_shown_and_the_old_folder_stays(
    source, otter, tmp_path, monkeypatch, played, said
):
    homework.write_all(root=tmp_path)
    otter.update(played)
    with pytest.raises(TaskError, match=said):
        homework.write_all(root=tmp_path)
    otter.update(points=20, said="")
    monkeypatch.setattr(homework, "POINTS", 25)
    with pytest.raises(TaskError, match="hw91_small: wanted 25 points in all, got 20"):
        homework.write_all(root=tmp_path)
    assert (student(source) / "hw91_small.ipynb").exists()


def test_a_private_variant_is_written_beside_the_book_and_leaves_the_source(
    source, otter, tmp_path
):
    (source.parent / "variants.txt").write_text("another name\n- Homework 91: Small\n+ Variant")
    before = source.read_text()
    folder = homework.release("hw91", "v1", root=tmp_path)
    assert folder == tmp_path / "_build" / "release" / "hw91_small-v1"
    assert "# Variant" in (folder / "student" / "hw91_small.ipynb").read_text()
    assert (folder / "solution.ipynb").exists()
    assert source.read_text() == before
    assert not student(source).exists()
    elsewhere = homework.release("91", "v1", source.parents[1], root=tmp_path / "project")
    assert (elsewhere / "student" / "hw91_small.ipynb").exists()
    otter.update(said="q1 - 1 failed")
    with pytest.raises(TaskError, match="q1 - 1 failed"):
        homework.release("hw91", "v1", root=tmp_path)
    for name, variant, said in (
        ("hw91", "v2", "want a variant of hw91_small"),
        ("hw", "v1", "no homework"),
    ):
        with pytest.raises(TaskError, match=said):
            homework.release(name, variant, root=tmp_path)


def test_what_a_function_raises_keeps_its_kind_and_names_the_innermost_own_line():
    own = {}
    code = "def step(x):\n    return x[9]\n\ndef f(x):\n    return step(x) + int('a')\n"
    exec(compile(code, "<a cell>", "exec"), own)
    with pytest.raises(IndexError, match=r"^list index out of range \(.* at line 2 of its cell\)$"):
        with_own_line(own["f"])([1])
    with pytest.raises(ValueError, match=r"'a' \(your code stopped at line 5 of its cell\)$"):
        with_own_line(own["f"])(range(10))
    with pytest.raises(TypeError, match=r"1 required positional argument: 'x'$"):
        with_own_line(own["f"])()
    assert with_own_line(own["step"])(range(10)) == 9
    assert with_own_line(None) is None
