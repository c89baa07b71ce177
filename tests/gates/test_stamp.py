"""The stamp moves with what can change an output, and with nothing else."""

import pytest

from tools.inputs import code, meaning
from tools.inputs.cells import cell_meaning, cell_parts, sources
from tools.inputs.code import facts
from tools.notebooks.check import read
from tools.notebooks.stamp import stamp
from tools.project import ROOT


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


def test_the_packages_around_a_module_count_and_what_they_import(project):
    project.write("course_lib/room/__init__.py", "from course_lib import elsewhere\n")
    project.write("course_lib/room/inner.py", "")
    assert names(project, "import course_lib.room.inner") == [
        "course_lib/__init__.py",
        "course_lib/elsewhere.py",
        "course_lib/room/__init__.py",
        "course_lib/room/inner.py",
    ]


def test_data_beside_a_module_counts(project):
    project.write("course_lib/lexicon.txt", "Hund")
    assert "course_lib/lexicon.txt" in names(project, "import course_lib")


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("load('chain.js')", ["chain.js"]),
        ("load('chain')", ["chain.css", "chain.js"]),
        ("load(f'{name}.css', 'see chain.css and core.js')", ["chain.css", "core.js"]),
        ("load('other')", []),
        ("from course_lib import chain", ["chain.css", "chain.js"]),
    ],
)
def test_scripts_and_styles_count_where_they_are_named_or_lie_beside_their_module(
    project, code, found
):
    for name in ("chain.js", "chain.css", "core.js"):
        project.write(f"course_lib/{name}", "/* nothing */")
    if "import" in code:
        project.write("course_lib/chain.py", "")
    used = names(project, f"import course_lib\n{code}")
    assert [name for name in used if not name.endswith(".py")] == [f"course_lib/{n}" for n in found]


def test_what_a_counted_style_names_counts_too(project):
    project.write("course_lib/chain.css", "@import url(core.css);")
    project.write("course_lib/core.css", "")
    assert "course_lib/core.css" in names(project, "import course_lib\nload('chain')")


def test_a_folder_of_data_belongs_to_the_modules_beside_it(project):
    project.write("course_lib/web/chain.js", "")
    project.write("course_lib/words_of_others/list.txt", "")
    project.write("course_lib/room/__init__.py", "")
    project.write("course_lib/room/table.txt", "")
    found = names(project, "import course_lib\nload('chain')")
    assert [name for name in found if not name.endswith(".py")] == [
        "course_lib/web/chain.js",
        "course_lib/words_of_others/list.txt",
    ]


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
    before = cell_parts(["open('seeds.json')"], project.root)
    project.write("notebooks/seeds.json", "[]")
    assert cell_parts(["open('seeds.json')"], project.root) != before


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


ALL_KINDS = '''\
"""Every kind of code whose tree some version of Python writes in a way of its own."""

from __future__ import annotations

import os.path as p
from . import words
from ..room import (a, b as c)


@dataclass(frozen=True)
class Row(Base, metaclass=Meta):
    """A row."""

    name: str = "ä\\u2028\\U0001fae8"
    size: Float[Tensor, "B T"] = field(default=1e-7)
    if TYPE_CHECKING:
        other: ClassVar[int]

    async def read(self, x: int, /, *rest, y=..., **more) -> None:
        """Reads."""
        async with self.lock as held, other:
            await x
        n: int = 10**30
        m: int
        return f"{x!r:>{y}} {{}} {n=}" f"{m:.2f}" + "a" "c" * -0.0


def walk(rows):
    try:
        for i, (j, *k) in enumerate(rows[1:, ::2]):
            yield from {**i, "a": j} if (z := k) else [q async for q in j if q]
    except (OSError, ValueError) as error:
        raise RuntimeError from error
    else:
        del rows[0], rows.x
    finally:
        global w
        w += 1j
    match rows:
        case {"a": [1, *_], **rest} | Row(name="x") if rest is not None:
            pass
        case None | True:
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


def new_claim(project):
    project.write("course_lib/claims.py", CLAIMS.replace("}\n", '    "C07": "pre-training",\n}\n'))


def claim_of_another(project):
    project.write("course_lib/claims.py", CLAIMS.replace("the LSTM cures", "the LSTM helps"))


def claim_of_its_own(project):
    project.write("course_lib/claims.py", CLAIMS.replace("net is deep", "net is flat"))


def how_claims_are_made(project):
    project.write("course_lib/claims.py", CLAIMS.replace("CLAIMS[name]", "CLAIMS[name] * 2"))


def new_model(project):
    project.write("course_lib/models/other.py", "WIDTH = 4\n")


def new_figure(project):
    for kind in ("py", "js", "css"):
        project.write(f"course_lab/figures/other.{kind}", "")


def new_results(project):
    project.write("course_lib/models/other.json", "[]")


def its_script(project):
    project.write("course_lab/figures/chain.js", "let x = 2;")


def its_style(project):
    project.write("course_lab/figures/chain.css", "a { color: red }")


def its_package(project):
    project.write("course_lib/models/__init__.py", "WIDTH = 1\n")


def its_results(project):
    project.write("course_lib/models/cho.json", "[2]")


def pin_of_its_own(project):
    project.write("requirements.txt", "torch==2  # tensors\nruff==1  # lint\n")


def pin_of_the_gates(project):
    project.write("requirements.txt", "torch==1  # tensors\nruff==2  # lint\n")


def words_about_a_pin(project):
    project.write("requirements.txt", "# The library\ntorch==1  # arrays\nruff==1\n")


def marker_of_a_pin(project):
    project.write("requirements.txt", 'torch==1; python_version < "3.12"\nruff==1\n')


def windows_line_ends(project):
    path = project.root / "course_lib" / "words.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def remarks_in_a_module(project):
    project.write(
        "course_lib/words.py",
        '"""Words."""\n\n\ndef times(n: int, x: float) -> float:\n    """n times x."""\n'
        "    # a product\n    y: float\n    return (n *\n            x)\n",
    )


def remarks_in_a_cell(project):
    text = project.text.read_text()
    project.text.write_text(text.replace("double(2)", "# twice\ndouble(2)  # chain.js"))


def remarks_in_script_and_style(project):
    project.write("course_lab/figures/chain.js", "// one\n  let x = 1;  /* it is */\n")
    project.write("course_lab/figures/chain.css", "/* the\nlook */\n\n  a { color: blue }\n")


def field_of_a_class(project):
    project.write("course_lib/models/cho.py", MODEL.replace("int", "float"))


def default_of_a_field(project):
    project.write("course_lib/models/cho.py", MODEL.replace("= 4", "= 5"))


def annotation_in_a_method(project):
    project.write("course_lib/models/cho.py", MODEL.replace("-> str", "-> bytes"))


def moved_module(project):
    """Its imports follow it; where it went is a new package with a docstring alone."""
    project.write("course_lib/sums/__init__.py", '"""Sums."""\n')
    (project.root / "course_lib/arithmetic.py").rename(project.root / "course_lib/sums/adding.py")
    text = project.text.read_text()
    project.text.write_text(text.replace("course_lib.arithmetic", "course_lib.sums.adding"))


MODEL = """\
import torch


class Cho(NamedTuple):
    width: int = 4

    def name(self) -> str:
        return "cho"
"""


@pytest.mark.parametrize(
    ("edit", "moves"),
    [
        (edit_module, True),
        (edit_code, True),
        (edit_far_module, False),
        (edit_prose, False),
        (fill_in_address, False),
        (windows_line_ends, False),
        (new_claim, False),
        (claim_of_another, False),
        (claim_of_its_own, True),
        (how_claims_are_made, True),
        (new_model, False),
        (new_figure, False),
        (new_results, False),
        (its_script, True),
        (its_style, True),
        (its_package, True),
        (its_results, True),
        (pin_of_its_own, True),
        (pin_of_the_gates, False),
        (words_about_a_pin, False),
        (marker_of_a_pin, True),
        (remarks_in_a_module, False),
        (remarks_in_a_cell, False),
        (remarks_in_script_and_style, False),
        (field_of_a_class, True),
        (default_of_a_field, True),
        (annotation_in_a_method, False),
        (moved_module, False),
    ],
)
def test_what_moves_the_stamp(project, edit, moves, monkeypatch):
    for path in ("models/__init__", "figures/__init__"):
        project.write(f"course_lib/{path}.py", "")
    project.write("course_lib/claims.py", CLAIMS)
    project.write("course_lib/models/cho.py", MODEL)
    project.write("course_lib/models/cho.json", "[1]")
    project.write("course_lab/figures/chain.py", "")
    project.write("course_lab/figures/chain.js", "let x = 1;")
    project.write("course_lab/figures/chain.css", "a { color: blue }")
    project.write("requirements.txt", "torch==1  # tensors\nruff==1  # lint\n")
    project.text.write_text(
        project.text.read_text().replace(
            "print(double(0.25))",
            "from course_lib.claims import claim\nfrom course_lab.figures import chain\n"
            "from course_lib.models import cho\n\nclaim('C05')\nprint(double(0.25))",
        )
    )
    before = project.executed().metadata["course"]["stamp"]
    edit(project)
    if edit is moved_module:
        assert project.executed().metadata["course"]["stamp"] != before
        monkeypatch.setattr(meaning, "MOVED", {"course_lib.arithmetic": "course_lib.sums.adding"})
        cell_meaning.cache_clear()
        facts.cache_clear()
        code._known.clear()
    notebook = project.executed()
    assert (stamp(notebook, project.root) != before) == moves


def test_the_meaning_of_code_is_written_alike_by_every_python():
    """Stored hashes are compared on all of them: a new one here makes every notebook stale."""
    assert facts(ALL_KINDS.encode()).untyped == "daedc170251e035908640f60"


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("'a'", "'b'", False),  # alone at the end of a cell it is shown
        ("f = 1\n'a'\nf", "f = 1\n\n'a' # b\nf", True),
        ("print(f.__doc__)  # a", "print(f.__doc__)  # b", False),
        ("!ls", "!ls -l", False),
        ("x = f'{a}b{c!r:>{w}}'", "x = (f'{a}'\n'b' f'{c!r:>{w}}')", True),
        ("x = 1", "x = 1.0", False),
        ("x = 1", "x = True", False),
        ("lambda: None", "lambda: 0", False),
        ("not Python", "not python", False),
    ],
)
def test_what_a_cell_means(before, after, same):
    assert (cell_meaning(before) == cell_meaning(after)) is same


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_no_real_chapter_reaches_a_list_of_all_models_figures_or_claims(path):
    """Where one did, each new model or figure would execute it again."""
    cells = [cell.source for cell in read(path).cells if cell.cell_type == "code"]
    found = {p.relative_to(ROOT / "course_lib").as_posix() for p in sources(cells)}
    models = {p.stem for p in (ROOT / "course_lib" / "models").glob("*.py")} - {"registry"}
    assert "models/registry.py" not in found
    assert {f"models/{name}.py" for name in models} - found
    assert {p.name for p in (ROOT / "course_lab/figures/touch").glob("*.py")} - {
        name.rpartition("/")[2] for name in found if name.startswith("figures/touch/")
    }


def test_every_package_that_a_chapter_reaches_has_its_pin_under_its_own_name():
    """Otherwise a changed pin would make nothing stale."""
    cells = [
        cell.source
        for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
        for cell in read(path).cells
        if cell.cell_type == "code"
    ]
    reached = {line.split()[0] for line in dict(cell_parts(cells))["pins"].decode().splitlines()}
    assert {"torch", "numpy", "matplotlib", "jaxtyping", "safetensors", "tokenizers"} <= reached
