"""The stamp moves with what can change an output, and with nothing else."""

import pytest

from tools.inputs import code, meaning
from tools.inputs.cells import cell_meaning, sources
from tools.inputs.code import facts
from tools.notebooks.stamp import stamp


def names(project, *cells):
    return [path.relative_to(project.root).as_posix() for path in sources(cells, project.root)]


ELSEWHERE = ["course_lib/__init__.py", "course_lib/elsewhere.py"]


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("import math", []),
        (
            "from course_lib.arithmetic import double",
            [f"course_lib/{name}.py" for name in ("__init__", "arithmetic", "words")],
        ),
        ("def f():\n    from course_lib.elsewhere import ANSWER", ELSEWHERE),
        ("%matplotlib inline\nimport course_lib.elsewhere", ELSEWHERE),
        (
            "import course_lib.room",
            [*ELSEWHERE, *(f"course_lib/room/{name}.py" for name in ("__init__", "inner"))],
        ),
        ("open('seeds.txt')", ["notebooks/seeds.txt"]),
        ("open('/etc/hostname'), open(''), open('absent')", []),
    ],
)
def test_the_walk_finds_every_import_and_what_a_cell_names(project, cell, found):
    project.write("course_lib/room/__init__.py", "from .inner import f\n")
    project.write("course_lib/room/inner.py", "from ..elsewhere import ANSWER\nf = ANSWER\n")
    project.write("notebooks/seeds.txt", "1")
    assert names(project, cell) == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("load('chain')", ["chain.css", "core.js", "web/chain.js", "chain.js"]),
        ("load('other')", []),
        ("load('runs')", ["runs.json"]),
        ("from course_lib import chain", ["chain.css", "chain.js", "core.js"]),
    ],
)
def test_data_counts_beside_a_module_and_other_files_where_they_are_named(project, code, found):
    for name in ("chain.js", "web/chain.js", "core.js", "words.txt", "runs.json", "room/list.txt"):
        project.write(f"course_lib/{name}", "")
    project.write("course_lib/chain.css", "@import url(core.js);")
    project.write("course_lib/room/__init__.py", "")
    if "import" in code:
        project.write("course_lib/chain.py", "")
    used = names(project, f"import course_lib\n{code}")
    wanted = {f"course_lib/{name}" for name in (*found, "words.txt")}
    assert {name for name in used if not name.endswith(".py")} == wanted


ALL_KINDS = '''\
"""Kinds of code whose tree some version of Python writes in a way of its own."""

from ..room import (a, b as c)


@dataclass(frozen=True)
class Row(Base, metaclass=Meta):
    """A row."""

    size: Float[Tensor, "B T"] = field(default=1e-7)

    async def read(self, x: int, /, *rest, y=..., **more) -> None:
        async with self.lock as held, other:
            n: int = 10**30
        return f"{x!r:>{y}} {{}} {n=}" f"{m:.2f}" + "a" "\\u2028" * -0.0


def walk(rows):
    try:
        yield from {**i, "a": j} if (z := rows[1:, ::2]) else [q async for q in j if q]
    except (OSError, ValueError) as error:
        raise RuntimeError from error
    match rows:
        case {"a": [1, *_], **rest} | Row(name="x") if rest is not None:
            return lambda *a, b=1: (yield)
'''
CLAIMS = """\
CLAIMS: dict = {
    "C05": "an unrolled net is deep",
    "C06": (
        "the LSTM cures"
    ),
}


def claim(name):
    return CLAIMS[name]
"""
MODEL = """\
import torch


class Cho(NamedTuple):
    width: int = 4

    def name(self) -> str:
        return "cho"
"""
PINS = "torch==1  # tensors\nruff==1  # lint\n"
FILES = {
    "course_lib/models/__init__.py": "",
    "course_lab/claims.py": CLAIMS,
    "course_lib/models/cho.py": MODEL,
    "course_lib/models/cho.json": "[1]",
    "course_lab/figures/chain.py": "",
    "course_lab/figures/chain.js": "let x = 1;",
    "course_lab/figures/chain.css": "a { color: blue }",
    "requirements.txt": PINS,
}
CELL = """from course_lab.claims import claim
from course_lab.figures import chain
from course_lib.models import cho

claim('C05')
print(double(0.25))"""
TIMES = "def times(n, x):\n    return n * x\n"
REMARKS = '''"""Words."""


def times(n: int, x: float) -> float:
    """n times x."""
    # a product
    y: float
    return (n *
            x)
'''


@pytest.mark.parametrize(
    ("name", "text", "moves"),
    [
        ("course_lib/words.py", TIMES.replace("n * x", "x * n"), True),
        ("course_lib/words.py", REMARKS, False),
        ("course_lib/elsewhere.py", "ANSWER = 43\n", False),
        ("_config.yml", 'repository:\n  url: "https://a.b/c"\n  branch: published\n', False),
        ("course_lab/claims.py", CLAIMS.replace("LSTM cures", "LSTM helps"), False),
        ("course_lab/claims.py", CLAIMS.replace("net is deep", "net is flat"), True),
        ("course_lib/models/other.py", "WIDTH = 4\n", False),
        ("course_lab/figures/other.js", "", False),
        ("course_lib/models/cho.json", "[2]", True),
        ("course_lib/models/cho.py", MODEL.replace("= 4", "= 5"), True),
        ("course_lib/models/cho.py", MODEL.replace("-> str", "-> bytes"), False),
        ("course_lab/figures/chain.js", "let x = 2;", True),
        ("course_lab/figures/chain.js", "// one\n  let x = 1;  /* it is */\n", False),
        ("course_lab/figures/chain.css", "/* the\nlook */\n\n  a { color: blue }\n", False),
        ("requirements.txt", PINS.replace("torch==1", "torch==2"), True),
        ("requirements.txt", PINS.replace("ruff==1", "ruff==2"), False),
    ],
)
def test_what_moves_the_stamp(project, name, text, moves):
    for path, content in FILES.items():
        project.write(path, content)
    project.text.write_text(project.text.read_text().replace("print(double(0.25))", CELL))
    notebook = project.executed()
    before = notebook.metadata["course"]["stamp"]
    assert stamp(notebook, project.root) == before
    (project.root / name).parent.mkdir(exist_ok=True)
    (project.root / name).write_bytes(text.encode())
    assert (stamp(notebook, project.root) != before) == moves


def test_a_module_that_moved_and_is_entered_moves_no_stamp(project, monkeypatch):
    """Its imports follow it; where it went is a new package with a docstring alone."""
    before = project.executed().metadata["course"]["stamp"]
    project.write("course_lib/sums/__init__.py", '"""Sums."""\n')
    (project.root / "course_lib/arithmetic.py").rename(project.root / "course_lib/sums/adding.py")
    text = project.text.read_text().replace("course_lib.arithmetic", "course_lib.sums.adding")
    project.text.write_text(text)
    assert project.executed().metadata["course"]["stamp"] != before
    monkeypatch.setattr(meaning, "MOVED", {"course_lib.arithmetic": "course_lib.sums.adding"})
    cell_meaning.cache_clear()
    facts.cache_clear()
    code._known.clear()
    assert project.executed().metadata["course"]["stamp"] == before


def test_the_meaning_of_code_is_written_alike_by_every_python():
    """Stored hashes are compared on all of them: a new one here makes every notebook stale."""
    assert facts(ALL_KINDS.encode()).untyped == "b9d8e57fd36eb93956a25836"


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("'a'", "'b'", False),  # alone at the end of a cell it is shown
        ("f = 1\n'a'\nf", "f = 1\n\n'a' # b\nf", True),
        ("print(f.__doc__)  # a", "print(f.__doc__)  # b", False),
        ("x = f'{a}b{c!r:>{w}}'", "x = (f'{a}'\n'b' f'{c!r:>{w}}')", True),
        ("x = 1", "x = 1.0", False),
    ],
)
def test_what_a_cell_means(before, after, same):
    assert (cell_meaning(before) == cell_meaning(after)) is same
