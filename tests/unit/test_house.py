"""What `help(course_lib)` says of the house, beside the house itself."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "course_lib"
LABORATORY = ROOT / "course_lab"
ROOMS = (LIBRARY, LABORATORY)
PACKAGES = sorted(path.parent for room in ROOMS for path in room.rglob("__init__.py"))


@pytest.mark.parametrize("package", PACKAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_package_says_what_it_is(package):
    assert ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "name", ["attention", "recurrent", "models", "decoding", "evaluation", "alignment"]
)
def test_a_package_exports_its_public_names(name):
    package = import_module(f"course_lib.{name}")
    assert all(callable(getattr(package, n)) or n.isupper() for n in package.__all__)
