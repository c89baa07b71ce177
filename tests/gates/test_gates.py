"""`make test` itself: what each gate hangs on, what is not run again, what the table says."""

import json
import re

import pytest

from tools.gates import inputs, suites
from tools.gates.pytest_run import pytest as run_pytest
from tools.gates.result import Result, from_problems
from tools.gates.run import GATES, Gate, run
from tools.inputs import machine
from tools.inputs.files import one_moment
from tools.project import ROOT

PAGE, HOME = "notebooks/01_chapter.html", "book/index.html"
NOTEBOOK = "notebooks/01_chapter.ipynb"


@pytest.fixture(autouse=True)
def no_ci(monkeypatch):
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture
def course(project, monkeypatch):
    """A small project with something for each gate."""
    monkeypatch.setattr(inputs, "browser_version", lambda path: "Chromium 1")
    for name, text in {
        "requirements.txt": "torch==1.0  # tensors\n",
        "pyproject.toml": "[project]\nname = 'x'\n",
        "conftest.py": "",
        "README.md": "words",
        "book/index.md": "# A page",
        "tests/unit/test_words.py": "from course_lib import words\n",
        "tests/book/conftest.py": "",
        "tests/book/test_figure.py": "import course_lab.figures.chain\n",
        "tests/book/test_home.py": f"OPENS = ({HOME!r},)\ndef test_it(visit): ...\n",
        "tests/book/test_search.py": "def test_it(visit): ...\n",
        "tests/book/by_page/test_page.py": "def test_it(visit, page_name): ...\n",
        "course_lab/figures/chain.py": "",
        "course_lab/figures/chain.js": "let x;",
        f"_build/html/{PAGE}": '<img src="../_images/a.png">',
        f"_build/html/{HOME}": "<p>words</p>",
        "_build/html/_images/a.png": "picture",
        "_build/html/_static/a.js": "let y;",
        "_build/html/_static/course-search.js": "",
    }.items():
        project.write(name, text)
    project.store(project.executed())
    return project


def stale(course, edit) -> set[str]:
    """The gates that would run again after an edit, and their parts where they have any."""

    def hashes():
        with one_moment():
            return {
                part if gate.parts else gate.name: value
                for gate in GATES.values()
                for part, value in gate.inputs(course.root).items()
            }

    before = hashes()
    edit()
    after = hashes()
    return {key for key in before if before[key] != after.get(key)}


CHAPTERS = {"lint", "text", "stored", "claims", "shaken"}
CODE = CHAPTERS | {"tests", "homework", "outside", "real-data", "imports"}
REMARK = '\n# a comment\n"""And a string."""\n'


@pytest.mark.parametrize(
    ("name", "more", "gates"),
    [
        ("book/chapters/01_chapter.md", "A word.\n", CHAPTERS | {"book"}),
        ("course_lib/words.py", REMARK, {"lint"}),
        ("course_lab/figures/chain.js", "// a comment\n", {"lint", "outside"}),
        ("requirements.txt", "# a comment\n", {"lint"}),
        ("course_lib/words.py", "x = 1\n", CODE | {NOTEBOOK}),
        ("course_lib/elsewhere.py", "x = 1\n", CODE),
        ("course_lab/figures/chain.js", "let z;\n", CODE | {"figures"}),
        ("tests/unit/test_words.py", "x = 1\n", {"lint", "tests"}),
        ("README.md", "more", {"lint", "outside"}),
        (f"_build/html/{HOME}", "<p>", {HOME, "every page"}),
        ("_build/html/_images/a.png", "x", {PAGE, "every page"}),
        ("_build/html/_static/a.js", "x", {PAGE, HOME, "every page"}),
        ("tests/book/test_home.py", "x = 1\n", {"lint", HOME}),
        ("tests/book/test_figure.py", "x = 1\n", {"lint", "figures"}),
        ("tests/book/by_page/test_page.py", "x = 1\n", {"lint", PAGE, HOME}),
    ],
)
def test_what_an_edit_runs_again(course, name, more, gates):
    path = course.root / name
    assert stale(course, lambda: path.write_text(path.read_text() + more)) == gates


def test_a_notebook_hangs_on_its_outputs_and_everything_on_the_machine(course, monkeypatch):
    def exchange():
        notebook = json.loads(course.notebook.read_text())
        notebook["cells"][2]["outputs"][0]["text"] = "0.7\n"
        course.notebook.write_text(json.dumps(notebook))

    assert NOTEBOOK in stale(course, exchange)
    for name, value in (
        ("processor", lambda: "x86_64 avx2"),
        ("packages", lambda: ["torch-9.dist-info"]),
        ("data_files", lambda root: ["pairs.txt 3 1"]),
    ):
        moved = stale(
            course, lambda name=name, value=value: monkeypatch.setattr(machine, name, value)
        )
        assert moved >= CODE | {"book", NOTEBOOK, PAGE, HOME, "figures"}


def test_every_folder_of_tests_is_run_by_a_gate():
    folders = {path.name for path in (ROOT / "tests").iterdir() if [*path.rglob("test_*.py")]}
    assert folders == {*suites.OF_OTHER_GATES, "unit", "property", "parity", "gates"}
    for folder, mark in (("book", "browser"), ("real", "real_data")):
        for path in (ROOT / "tests" / folder).rglob("test_*.py"):
            assert f"\npytestmark = pytest.mark.{mark}\n" in path.read_text(), path


class Played:
    """A gate of parts whose inputs and results are set by hand."""

    def __init__(self, root):
        self.root, self.inputs, self.asked = root, {"a": "1", "b": "1"}, []
        self.result, self.meanwhile = None, lambda: None

    def run(self, **options):
        """The parts that were run."""
        self.asked.clear()
        gate = Gate("played", "a gate", self._decide, lambda root: dict(self.inputs), parts=True)
        self.passed = run([gate], self.root, **options)
        return self.asked

    def _decide(self, root, parts):
        self.asked += parts or sorted(self.inputs)
        self.meanwhile()
        return self.result or Result(True, parts=dict.fromkeys(self.asked, 2), skips=("no GPU",))


@pytest.fixture
def played(tmp_path):
    return Played(tmp_path)


def test_what_passed_is_not_run_again_and_says_since_when(played, capsys, monkeypatch):
    assert played.run() == ["a", "b"]
    capsys.readouterr()
    assert played.run() == []
    printed = capsys.readouterr().out
    assert re.search(r"unchanged since \d{4}-\d\d-\d\d \d\d:\d\d\n", printed)
    assert "skipped in played: no GPU" in printed
    assert "==== 0 passed, 4 unchanged in" in printed
    played.inputs.update(b="2", c="1")
    assert played.run() == ["b", "c"]
    assert played.run(again=True) == ["a", "b", "c"]
    monkeypatch.setenv("CI", "true")
    assert played.run() == ["a", "b", "c"]


def test_what_failed_or_changed_meanwhile_has_no_stamp(played):
    played.run()
    played.result = Result(False, "wrong", parts={"a": 1}, failures=1)
    played.run(again=True)
    assert not played.passed
    assert played.run() == ["b"]
    played.result, played.meanwhile = None, lambda: played.inputs.update(b="2")
    played.run(again=True)
    # Back again: were it stamped for what it was before, it would not be run now.
    played.inputs, played.meanwhile = {"a": "1", "b": "1"}, lambda: None
    assert played.run() == ["b"]
    (played.root / "_build" / "stamps" / "played.json").write_text("[]")
    assert played.run() == ["a", "b"]


def test_a_gate_that_fails_or_breaks_does_not_hide_those_after_it(tmp_path, capsys):
    def broken(root):
        raise RuntimeError("a defect of the gate")

    good = Result(True, tests=3, skipped=1, skips=("no Chromium",))
    gates = [
        Gate("bad", "a gate", lambda root: from_problems(["it is wrong"], "")),
        Gate("odd", "a gate", lambda root: Result(True), broken),
        Gate("good", "a gate", lambda root: good),
    ]
    assert not run(gates, tmp_path)
    printed = capsys.readouterr().out
    assert "\nit is wrong\n" in printed
    assert "RuntimeError: a defect of the gate" in printed
    assert "\ngood       passed" in printed
    last, verdict = printed.strip().splitlines()[-2:]
    assert last.startswith("==== 2 failed, 2 passed, 1 skipped in ")
    assert verdict.startswith("Failed: bad, odd. Results: ")
    told = json.loads((tmp_path / "_build" / "test" / "summary.json").read_text())
    assert [entry["passed"] for entry in told] == [False, False, True]
    assert "it is wrong" in (tmp_path / "_build" / "test" / "bad.log").read_text()


TESTS = """\
import pytest

@pytest.mark.parametrize("x", [1, 2])
def test_a(x): pass
def test_b(): pytest.skip("no data")
def test_c(): assert "{0}" == "good"
"""


@pytest.mark.parametrize(
    ("source", "passed", "counts", "parts", "said"),
    [
        (TESTS.format("good"), True, (4, 0, 1), {"_a": 2, "_b": 1, "_c": 1}, "3 passed"),
        (TESTS.format("bad"), False, (4, 1, 1), {"_a": 2, "_b": 1}, "1 failed, 2 passed"),
        ("import nowhere", False, (1, 1, 0), {}, "1 error"),
        ("", True, (0, 0, 0), {}, "no tests of this kind"),
        ("import os\ndef test_a(): os._exit(9)", False, (1, 1, 0), {}, "exit code 9"),
    ],
)
def test_a_gate_of_pytest_says_what_pytest_said(tmp_path, source, passed, counts, parts, said):
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -q\n")
    (tmp_path / "test_it.py").write_text(source)
    asked = {"parts_of": lambda test: [test.name[4:6]], "parts": ["_a", "_b", "_c", "_d"]}
    result = run_pytest("it", ["test_it.py"], tmp_path, **asked)
    assert result.passed is passed, result.output
    assert (result.tests, result.failures, result.skipped) == counts
    assert result.parts == parts
    assert said in result.note
    assert result.skips == (("no data",) if counts[2] else ())
