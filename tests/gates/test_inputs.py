"""What makes a gate run again: one test for each kind of input, on a small project of its own."""

import json
import os

import nbformat
import pytest

from tools.gates import inputs, suites
from tools.inputs import machine, tests
from tools.inputs.files import content, one_moment
from tools.inputs.reach import reach_modules
from tools.project import ROOT

TEST = "tests/unit/test_words.py"
OTHER = "tests/unit/test_elsewhere.py"
PAGE, OTHER_PAGE = "notebooks/01_chapter.html", "book/index.html"
SEARCH_PAGE = "search.html"
LOOKS, FIGURES = "tests/book/test_looks.py", "tests/book/test_interactive_figures.py"
WRITER, FIREFOX = "tests/book/test_writer.py", "tests/book/test_firefox.py"
EACH_PAGE, EACH_CHAPTER = f"{suites.BY_PAGE}/test_page.py", f"{suites.BY_PAGE}/test_chapter.py"


@pytest.fixture
def course(project, monkeypatch, tmp_path_factory):
    """Two tests, two homeworks, two pages, two notebooks, and gates whose code is one line each."""
    data = tmp_path_factory.mktemp("data")
    (data / "pairs.txt").write_text("a b")
    for name in list(machine.os.environ):
        if name.startswith("COURSE_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COURSE_DATA", str(data))
    monkeypatch.setattr(inputs, "browser_version", lambda path: "Chromium 1")
    project.data = data
    write = project.write
    write("requirements.txt", "torch==1.0  # tensors\nruff==1.0  # lint\n")
    write("pyproject.toml", "[tool.x]\na = 1\n[project]\nname = 'x'\n")
    write("conftest.py", "")
    write("course_lib/arithmetic.json", "{}")
    write("course_lib/arithmetic.js", "let x;")
    write("course_lib/arithmetic.css", "a { color: blue }")
    write("tools/nbval_sanitize.cfg", "")
    write("tools/gates/suites.py", "import tools.gates.helper\n")
    write("tools/gates/helper.py", "")
    write("tools/gates/pages.py", "")
    write("tools/notebooks/tolerance.py", "")
    write("tests/conftest.py", "")
    write("tests/unit/conftest.py", "READS = ('LICENSE',)\n")
    write("LICENSE", "free")
    write(TEST, "from course_lib.arithmetic import double\nREADS = ('README.md', 'binder')\n")
    write("README.md", "read")
    write("binder/a.txt", "a")
    write("binder/start.py", "import course_lib.far\n")
    write("course_lib/far.py", "")
    write(OTHER, "from course_lib import elsewhere\n")
    write("tests/real/test_path.py", "import course_lib.arithmetic\n")
    write("tests/homework/test_homework.py", "import course_lib\n")
    named = "('homework', 'course_lib', 'tests/homework/wrong', 'book/homework.md')"
    write("tests/homework/conftest.py", f"READS = {named}\n")
    write("book/homework.md", "# Homework\n")
    for name in ("hw01_one", "hw02_two"):
        module = "arithmetic" if name == "hw01_one" else "elsewhere"
        write(f"homework/{name}/{name}.py", f"import course_lib.{module}\n")
        write(f"homework/{name}/student/{name}.ipynb", "{}")
        write(f"tests/homework/wrong/{name}.py", "WRONG = []\n")
    for path in (LOOKS, EACH_PAGE):
        write(path, "def test_all(visit): pass\n")
    write(EACH_CHAPTER, f"OPENS = ({OTHER_PAGE!r},)\ndef test_each(visit, chapter): pass\n")
    write(FIGURES, "# a <b>visitor</b> and innerHTML are no way to a page\nimport pytest\n")
    write(WRITER, f"OPENS = ({OTHER_PAGE!r},)\ndef test_one(visit): pass\n")
    write(f"_build/html/{PAGE}", '<img src="../_images/a.png"><script src="../_static/a.js">')
    write(f"_build/html/{OTHER_PAGE}", "<p>words</p>")
    write("_build/html/_images/a.png", "picture")
    write("_build/html/_static/a.js", "let y;")
    write("_build/html/_static/a.css", "a { color: blue }")
    write(f"_build/html/{SEARCH_PAGE}", '<script src="_static/course-search.js?v=12ab">')
    write("_build/html/_static/course-search.js", "")
    write("book/index.md", "# A page\n")
    project.store(project.executed())
    second = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")])
    nbformat.write(second, project.root / "notebooks" / "02_second.ipynb")
    return project


NOTEBOOK, SECOND = "notebooks/01_chapter.ipynb", "notebooks/02_second.ipynb"


def changed(course, gate, edit):
    """The parts of a gate that would run again after an edit."""
    with one_moment():
        before = gate(course.root)
    edit()
    with one_moment():
        after = gate(course.root)
    assert before.keys() == after.keys()
    return {part for part in before if before[part] != after[part]}


def append(name, text="\nx = 1\n"):
    def edit(course):
        path = course.root / name
        path.write_text(path.read_text() + text)

    return edit


def replace(name, old, new):
    def edit(course):
        path = course.root / name
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    return edit


def edit_notebook(change):
    def edit(course):
        notebook = json.loads(course.notebook.read_text())
        change([cell for cell in notebook["cells"] if cell["cell_type"] == "code"][1], notebook)
        course.notebook.write_text(json.dumps(notebook))

    return edit


def reorder_project(course):
    course.write("pyproject.toml", "[tool.x]\na = 1\n\n[project]\nname = 'x'\n")


REMARK = '\n# a comment\n"""And a string."""\n'
ALL_HW = {"hw01_one", "hw02_two", inputs.ALL_HOMEWORKS}
THE_CHAPTER = f"{EACH_CHAPTER}::{PAGE}"
EACH = {page: f"{EACH_PAGE}::{page}" for page in (PAGE, OTHER_PAGE, SEARCH_PAGE)}
ALL_PAGES = {LOOKS, FIGURES, WRITER, THE_CHAPTER, *EACH.values()}
BOTH = {NOTEBOOK, SECOND}
CASES = [
    # A test file: what it reaches, what it reads, and what stands over it.
    (inputs.of_tests, append(TEST), {TEST}),
    (inputs.of_tests, append("course_lib/words.py"), {TEST}),
    (inputs.of_tests, append("course_lib/elsewhere.py"), {OTHER}),
    (inputs.of_tests, append("course_lib/__init__.py"), {TEST, OTHER}),
    (inputs.of_tests, append("course_lib/arithmetic.json"), {TEST}),
    (inputs.of_tests, append("course_lib/arithmetic.js"), {TEST}),
    (inputs.of_tests, append("course_lib/arithmetic.css"), {TEST}),
    (inputs.of_notebooks, append("course_lib/arithmetic.css"), {NOTEBOOK}),
    (inputs.of_tests, append("README.md"), {TEST}),
    # A remark counts where the text itself is read, and in what is read as a text alone.
    (inputs.of_tests, append("course_lib/words.py", REMARK), set()),
    (inputs.of_tests, append("course_lib/words.py", "\ny: int = 1\n"), {TEST}),
    (inputs.of_tests, replace("course_lib/words.py", "(n, x)", "(n: int, x)"), {TEST}),
    (inputs.of_tests, append("course_lib/arithmetic.js", "  // a script\n"), set()),
    (inputs.of_tests, append("course_lib/arithmetic.css", "/* a style */\n"), set()),
    (inputs.of_tests, append("conftest.py", REMARK), set()),
    (inputs.of_tests, append(TEST, REMARK), set()),
    (inputs.of_tests, append("binder/start.py", REMARK), {TEST}),
    (inputs.of_tests, append("tools/gates/helper.py", REMARK), set()),
    (inputs.of_tests, append("requirements.txt", "# more\n"), set()),
    (inputs.of_tests, replace("requirements.txt", "1.0", "1.0; extra == 'x'"), {TEST, OTHER}),
    (inputs.of_tests, append("pyproject.toml", "# more\n[tool.ruff]\nline-length = 9\n"), set()),
    (inputs.of_tests, reorder_project, set()),
    (inputs.of_homework, append("course_lib/words.py", REMARK), set()),
    (inputs.of_homework, append("homework/hw01_one/hw01_one.py", REMARK), {"hw01_one"}),
    (inputs.of_book, append("tools/gates/pages.py", REMARK), set()),
    (inputs.of_notebooks, append("course_lib/words.py", REMARK), set()),
    (inputs.of_notebooks, replace("course_lib/words.py", "(n, x)", "(n: int, x)"), set()),
    (
        inputs.of_notebooks,
        edit_notebook(lambda cell, _: cell.update(source=f"# more\n{''.join(cell['source'])}")),
        set(),
    ),
    (inputs.of_tests, append("binder/a.txt"), {TEST}),
    (inputs.of_tests, lambda course: course.write("binder/b.txt", ""), {TEST}),
    (inputs.of_tests, append("course_lib/far.py"), {TEST}),  # a program in binder imports it
    (inputs.of_tests, append("LICENSE"), {TEST, OTHER}),
    (inputs.of_tests, append("conftest.py"), {TEST, OTHER}),
    (inputs.of_tests, append("tests/conftest.py"), {TEST, OTHER}),
    (inputs.of_tests, append("book/chapters/01_chapter.md"), set()),
    # The gate's own code, and the pins.
    (inputs.of_tests, append("tools/gates/suites.py"), {TEST, OTHER}),
    (inputs.of_tests, append("tools/gates/helper.py"), {TEST, OTHER}),
    (inputs.of_tests, append("requirements.txt", "numpy==1\n"), {TEST, OTHER}),
    (inputs.of_tests, append("pyproject.toml", "version = '2'\n"), {TEST, OTHER}),
    (inputs.of_homework, append("tools/gates/helper.py"), ALL_HW),
    (inputs.of_book, append("tools/gates/pages.py"), {inputs.WHOLE}),
    (inputs.of_browser, append("tools/gates/helper.py"), ALL_PAGES),
    (inputs.of_notebooks, append("tools/notebooks/tolerance.py"), BOTH),
    (inputs.of_notebooks, append("tools/nbval_sanitize.cfg"), BOTH),
    (inputs.of_notebooks, append("conftest.py"), BOTH),
    (inputs.of_notebooks, append("requirements.txt"), BOTH),
    # A homework: source, students' folder, slips, the library.
    (inputs.of_homework, append("homework/hw01_one/hw01_one.py"), {"hw01_one"}),
    (inputs.of_homework, append("homework/hw02_two/student/hw02_two.ipynb"), {"hw02_two"}),
    (inputs.of_homework, append("tests/homework/wrong/hw01_one.py"), {"hw01_one"}),
    (inputs.of_homework, append("course_lib/words.py"), {"hw01_one"}),
    (inputs.of_homework, append("course_lib/elsewhere.py"), {"hw02_two"}),
    (inputs.of_homework, append("course_lib/far.py"), set()),
    (inputs.of_homework, append("course_lib/__init__.py"), ALL_HW),
    (inputs.of_homework, append("tests/homework/test_homework.py"), ALL_HW),
    (inputs.of_homework, append("book/homework.md"), ALL_HW),
    # A page: itself, its pictures, what all pages share.
    (inputs.of_browser, append(f"_build/html/{PAGE}"), {EACH[PAGE], THE_CHAPTER, LOOKS}),
    (
        inputs.of_browser,
        append(f"_build/html/{OTHER_PAGE}"),
        {EACH[OTHER_PAGE], THE_CHAPTER, LOOKS, WRITER},
    ),
    (inputs.of_browser, append("_build/html/_images/a.png"), {EACH[PAGE], THE_CHAPTER, LOOKS}),
    (inputs.of_browser, append("_build/html/_static/a.js"), ALL_PAGES - {FIGURES}),
    (inputs.of_browser, append("_build/html/_static/a.css"), ALL_PAGES - {FIGURES}),
    # What the search finds matters to those that search the book, not to how its page looks.
    (inputs.of_browser, append("_build/html/_static/course-search.js"), {LOOKS}),
    (inputs.of_browser, replace(f"_build/html/{SEARCH_PAGE}", "12ab", "34cd"), set()),
    (inputs.of_browser, append(f"_build/html/{SEARCH_PAGE}"), {EACH[SEARCH_PAGE], LOOKS}),
    (inputs.of_browser, append(EACH_PAGE), set(EACH.values())),
    (inputs.of_browser, append(EACH_CHAPTER), {THE_CHAPTER}),
    (inputs.of_browser, append(FIGURES), {FIGURES}),
    # The book.
    (inputs.of_book, append("book/index.md"), {inputs.WHOLE}),
    (inputs.of_book, append("notebooks/02_second.ipynb"), {inputs.WHOLE}),
    (inputs.of_book, append("homework/hw01_one/student/hw01_one.ipynb"), {inputs.WHOLE}),
    # A notebook: code, outputs, what a cell says of itself, the library; prose does not count.
    (inputs.of_notebooks, append("course_lib/words.py"), {NOTEBOOK}),
    (
        inputs.of_notebooks,
        edit_notebook(lambda cell, _: cell.update(source="print(double(0.5))")),
        {NOTEBOOK},
    ),
    (
        inputs.of_notebooks,
        edit_notebook(lambda cell, _: cell["outputs"][0].update(text="0.7\n")),
        {NOTEBOOK},
    ),
    (
        inputs.of_notebooks,
        edit_notebook(lambda cell, _: cell["metadata"].update(tolerance={"rtol": 1.0})),
        {NOTEBOOK},
    ),
    (
        inputs.of_notebooks,
        edit_notebook(lambda _, notebook: notebook["cells"][0].update(source="# Another")),
        set(),
    ),
    # The real path, and the quick gates, which take the whole project.
    (inputs.of_real_data, append("course_lib/words.py"), {"tests/real/test_path.py"}),
    (inputs.everything, append("book/chapters/01_chapter.md"), {inputs.WHOLE}),
    (inputs.everything, append("_build/html/book/index.html"), set()),
]


@pytest.mark.parametrize(("gate", "edit", "parts"), CASES)
def test_what_changed_is_run_again_and_nothing_else(course, gate, edit, parts):
    assert changed(course, gate, lambda: edit(course)) == parts


GATES = (
    inputs.everything,
    inputs.of_tests,
    inputs.of_homework,
    inputs.of_book,
    inputs.of_browser,
    inputs.of_notebooks,
    inputs.of_real_data,
)


def another_python(course, monkeypatch):
    monkeypatch.setattr(machine.sys, "version", "3.99.0")


def another_processor(course, monkeypatch):
    monkeypatch.setattr(machine, "processor", lambda: "x86_64 avx2")


def more_cores(course, monkeypatch):
    count = machine.cores() + 1
    monkeypatch.setattr(machine, "cores", lambda: count)


def another_variable(course, monkeypatch):
    monkeypatch.setenv("COURSE_DEVICE", "cuda")


def another_instruction_set(course, monkeypatch):
    now = os.environ.get("ATEN_CPU_CAPABILITY")
    monkeypatch.setenv("ATEN_CPU_CAPABILITY", "avx2" if now == "default" else "default")


def another_package(course, monkeypatch):
    monkeypatch.setattr(machine, "packages", lambda: ["torch-9.dist-info"])


def other_data(course, monkeypatch):
    (course.data / "pairs.txt").write_text("a b c")


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize(
    "change",
    [
        another_python,
        another_processor,
        more_cores,
        another_variable,
        another_instruction_set,
        another_package,
        other_data,
    ],
)
def test_another_machine_runs_everything_again(course, monkeypatch, gate, change):
    every = set(gate(course.root))
    assert every
    assert changed(course, gate, lambda: change(course, monkeypatch)) == every


def test_another_chromium_opens_every_page_again(course, monkeypatch):
    def newer():
        monkeypatch.setattr(inputs, "browser_version", lambda path: "Chromium 2")

    assert changed(course, inputs.of_browser, newer) == ALL_PAGES


def test_another_firefox_opens_the_pages_in_firefox_again(course, monkeypatch):
    course.write(FIREFOX, "import pytest\n")
    monkeypatch.setenv("COURSE_FIREFOX", "/somewhere/firefox")
    monkeypatch.setattr(inputs, "browser_version", lambda path: f"{path} 1")

    def newer():
        monkeypatch.setattr(
            inputs, "browser_version", lambda path: f"{path} {1 + ('firefox' in str(path))}"
        )

    assert changed(course, inputs.of_browser, newer) == {FIREFOX}


def test_the_variables_of_a_test_run_itself_and_of_bytecode_do_not_count(monkeypatch):
    before = machine.variables()
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw7")
    monkeypatch.setenv("HOME", "/nowhere")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "2")
    monkeypatch.setenv("PYTHONUNBUFFERED", "2")
    assert machine.variables() == before
    monkeypatch.setenv("PYTHONHASHSEED", "2")
    assert "PYTHONHASHSEED=2" in machine.variables()


CPUINFO = """\
processor\t: 0
vendor_id\t: GenuineIntel
cpu MHz\t\t: {clock}
flags\t\t: fpu sse2 {flags} hypervisor
"""


@pytest.mark.parametrize(
    ("there", "then", "another"),
    [
        ({"clock": 2000, "flags": "avx2"}, {"clock": 3000, "flags": "avx2"}, False),
        ({"clock": 2000, "flags": "avx2"}, {"clock": 2000, "flags": "avx2 avx512f"}, True),
        ({"clock": 2000, "flags": "fma"}, {"clock": 2000, "flags": "smep"}, True),
        ({"clock": 2000, "flags": "smep"}, {"clock": 2000, "flags": "smap"}, False),
    ],
)
def test_the_processor_is_told_by_features_and_not_by_its_load(tmp_path, there, then, another):
    path = tmp_path / "cpuinfo"
    told = []
    for state in (there, then):
        path.write_text(CPUINFO.format(**state))
        told.append(machine.processor_of(path))
    assert (told[0] != told[1]) is another
    assert machine.processor() == machine.processor_of(machine.CPUINFO)


def test_every_installed_package_counts_with_its_version(tmp_path, monkeypatch):
    monkeypatch.setattr(machine.sysconfig, "get_path", lambda name: str(tmp_path))
    (tmp_path / "torch-1.0.dist-info").mkdir()
    (tmp_path / "torch").mkdir()
    assert machine.packages() == ["torch-1.0.dist-info"]
    assert machine.software()[1:] == machine.packages()
    (tmp_path / "torch-1.0.dist-info").rename(tmp_path / "torch-2.0.dist-info")
    assert machine.packages() == ["torch-2.0.dist-info"]


def test_a_browser_says_itself_which_it_is(tmp_path):
    path = tmp_path / "browser"
    for said in ("Chromium 1.2", "Chromium 3.4"):
        path.write_text(f"#!/bin/sh\necho {said}\n")
        path.chmod(0o755)
        assert machine.browser_version.__wrapped__(str(path)) == said
    path.chmod(0o644)
    assert machine.browser_version.__wrapped__(str(path)) == "no browser"


@pytest.mark.parametrize("place", ["~nobody-of-that-name/x", "x" * 5000, "/nowhere"])
def test_data_that_cannot_be_looked_at_spoil_no_gate(course, monkeypatch, place):
    monkeypatch.setenv("COURSE_DATA", place)
    assert machine.data_files(course.root) in ([], [f"data {place} unreadable"])
    assert machine.machine(course.root)


def test_a_notebook_that_is_none_has_inputs_of_its_own(course):
    assert changed(course, inputs.of_notebooks, lambda: course.notebook.write_text("{")) == {
        NOTEBOOK
    }


def test_the_gates_name_code_that_is_there():
    """A module that moved would be missing from the hash and nothing would say so."""
    from tools.project import ROOT

    for name in ("tools.gates.suites", "tools.gates.pages", "tools.notebooks.tolerance"):
        assert reach_modules([name], ROOT).files


def test_every_test_file_is_run_by_a_gate():
    """Where a folder has a gate of its own, that gate must find every file of it."""
    found = {folder: [] for folder in ("homework", "book", "real")}
    for path in tests.test_files(ROOT):
        found.get(path.parts[1], []).append(path)
    assert [path.as_posix() for path in found["homework"]] == [suites.HOMEWORK_TESTS]
    for folder, mark in (("book", "browser"), ("real", "real_data")):
        assert found[folder]
        for path in found[folder]:
            assert f"\npytestmark = pytest.mark.{mark}\n" in (ROOT / path).read_text(), path


def test_within_a_moment_a_file_is_as_it_was_first_read(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("before")
    with one_moment():
        assert content(path) == b"before"
        path.write_text("behind")
        assert content(path) == b"before"
        with one_moment():  # a moment of its own
            assert content(path) == b"behind"
        assert content(path) == b"before"
    assert content(path) == b"behind"


def test_seen_at_one_moment_the_inputs_are_the_same(course):
    for gate in GATES:
        alone = gate(course.root)
        with one_moment():
            assert gate(course.root) == alone
