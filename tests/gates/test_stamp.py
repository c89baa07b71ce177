"""The stamp moves with what can change an output, and with nothing else."""

import pytest

from tools.inputs.cells import sources
from tools.notebooks.stamp import stamp


def names(project, *cells):
    return [path.relative_to(project.root).as_posix() for path in sources(cells, project.root)]


def test_the_walk_finds_what_is_imported_directly_and_through_others(project):
    assert names(project, "from course_lib.arithmetic import double") == [
        "course_lib/__init__.py",
        "course_lib/arithmetic.py",
        "course_lib/words.py",
    ]


def test_code_without_course_lib_reaches_nothing(project):
    assert names(project, "import math", "math.pi") == []


@pytest.mark.parametrize(
    "cell",
    [
        "import course_lib.elsewhere",
        "from course_lib import elsewhere as e",
        "def f():\n    from course_lib.elsewhere import ANSWER",
        "%matplotlib inline\nimport course_lib.elsewhere",
    ],
)
def test_every_way_to_import_is_seen(project, cell):
    assert "course_lib/elsewhere.py" in names(project, cell)


def test_relative_imports_are_followed(project):
    project.write("course_lib/room/__init__.py", "from .inner import f\n")
    project.write("course_lib/room/inner.py", "from ..elsewhere import ANSWER\nf = ANSWER\n")
    found = names(project, "import course_lib.room")
    assert "course_lib/room/inner.py" in found
    assert "course_lib/elsewhere.py" in found


def test_data_beside_a_module_counts(project):
    project.write("course_lib/lexicon.txt", "Hund")
    assert "course_lib/lexicon.txt" in names(project, "import course_lib")


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        ("import course_lib\nload('runs')", True),
        ("import course_lib\nload('runs.json')", True),
        ("import course_lib\nload('other runs')", False),
        ("load('runs')", False),  # reaches no module that it stands beside
    ],
)
def test_json_counts_only_where_reached_code_names_it(project, code, counts):
    project.write("course_lib/runs.json", "[]")
    assert ("course_lib/runs.json" in names(project, code)) is counts


def test_a_file_that_a_cell_names_counts(project):
    project.write("notebooks/seeds.json", "{}")
    assert names(project, "open('seeds.json')") == ["notebooks/seeds.json"]
    assert names(project, "open('/etc/hostname')", "open('')", "open('absent')") == []


def test_a_cell_that_cannot_be_parsed_is_still_hashed(project):
    assert names(project, "this is not Python") == []


def edit_module(project):
    project.write("course_lib/words.py", "def times(n, x):\n    return x * n\n")


def edit_far_module(project):
    project.write("course_lib/elsewhere.py", "ANSWER = 43\n")


def edit_prose(project):
    project.text.write_text(project.text.read_text().replace("one question", "two"))


def edit_code(project):
    project.text.write_text(project.text.read_text().replace("double(2)", "double(3)"))


def fill_in_address(project):
    project.write("_config.yml", 'repository:\n  url: "https://a.b/c"\n  branch: published\n')


def windows_line_ends(project):
    path = project.root / "course_lib" / "words.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


@pytest.mark.parametrize(
    ("edit", "moves"),
    [
        (edit_module, True),
        (edit_code, True),
        (edit_far_module, False),
        (edit_prose, False),
        (fill_in_address, False),
        (windows_line_ends, False),
    ],
)
def test_what_moves_the_stamp(project, edit, moves):
    before = project.executed().metadata["course"]["stamp"]
    edit(project)
    notebook = project.executed()
    assert (stamp(notebook, project.root) != before) == moves
