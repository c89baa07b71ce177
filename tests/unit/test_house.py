"""What `help(course_lib)` says of the house, beside the house itself."""

import ast
import re
from pathlib import Path

import pytest

import course_lib

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "course_lib"
LABORATORY = ROOT / "course_lab"
ROOMS = (LIBRARY, LABORATORY)
PACKAGES = sorted(path.parent for room in ROOMS for path in room.rglob("__init__.py"))


def test_the_library_names_every_room_in_the_order_of_the_import_rules():
    text = course_lib.__doc__.split("in this list:")[1].split("A name is imported")[0]
    told = [name for line in text.splitlines() for name in line[:37].replace(",", " ").split()]
    rooms = {path.stem for path in LIBRARY.iterdir() if not path.name.startswith("__")}
    named = [name for name in told if name in rooms]
    assert set(named) == rooms
    rules = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    layers = re.search(r"^layers = \[\n(.*?)^\]", rules, re.MULTILINE | re.DOTALL)[1]
    rows = [re.findall(r"\w+", line) for line in layers.splitlines()]
    height = {name: -row for row, names in enumerate(rows) for name in names}
    # Below attention stand only the helpers of the first line, which know no room.
    heights = [height[name] for name in named[named.index("attention") :]]
    assert len(heights) >= 9
    assert heights == sorted(heights)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_package_holds_one_sentence_and_no_names(package):
    body = ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body
    assert ast.get_docstring(ast.Module(body, []))
    extra = [ast.unparse(node) for node in body[1:]]
    # A process without a home gets one before anything else is imported.
    first = ["from course_lib.home import ensure_home", "ensure_home()"]
    own = [*first, f"__version__ = '{course_lib.__version__}'"]
    assert extra == {LIBRARY: own, LABORATORY: first}.get(package, [])


def test_a_perplexity_is_made_in_one_place():
    """Whoever divides nats by tokens and takes the power has a second one, without its checks."""
    made = [
        path.relative_to(ROOT).as_posix()
        for package in ROOMS
        for path in sorted(package.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("math.exp")
        for argument in node.args
        if isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Div)
    ]
    assert made == ["course_lib/training/objective.py"]
