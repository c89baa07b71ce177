"""What `help(course_lib)` says of the house, beside the house itself."""

import ast
from pathlib import Path

import pytest

import course_lib

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "course_lib"
LABORATORY = ROOT / "course_lab"
ROOMS = (LIBRARY, LABORATORY)
PACKAGES = sorted(path.parent for room in ROOMS for path in room.rglob("__init__.py"))


@pytest.mark.parametrize("package", PACKAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_package_holds_one_sentence_and_no_names(package):
    body = ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body
    assert ast.get_docstring(ast.Module(body, []))
    extra = [ast.unparse(node) for node in body[1:]]
    # A process without a home gets one before anything else is imported.
    first = ["from course_lib.home import ensure_home", "ensure_home()"]
    own = [*first, f"__version__ = '{course_lib.__version__}'"]
    assert extra == {LIBRARY: own, LABORATORY: first}.get(package, [])
