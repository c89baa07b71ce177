"""What CONTRIBUTING.md and `help(course_lib)` say of the house, beside the house itself."""

import ast
import re
from pathlib import Path

import pytest

import course_lib

READS = ("course_lib", "CONTRIBUTING.md", "tests", "pyproject.toml")

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "course_lib"
PACKAGES = sorted(path.parent for path in LIBRARY.rglob("__init__.py"))


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
    assert len(heights) >= 11
    assert heights == sorted(heights)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_package_holds_one_sentence_and_no_names(package):
    body = ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body
    assert ast.get_docstring(ast.Module(body, []))
    extra = [ast.unparse(node) for node in body[1:]]
    # A process without a home gets one before anything else is imported.
    first = ["from course_lib.home import ensure_home", "ensure_home()"]
    own = [*first, f"__version__ = '{course_lib.__version__}'"]
    assert extra == (own if package == LIBRARY else [])


def test_what_contributing_says_of_the_house_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.split("## The house")[1].split("`help(course_lib)`")[0]
    paths = re.findall(r"`([\w./]+/)`", table)
    assert len(paths) >= 10
    for path in paths:
        places = [ROOT, LIBRARY / "data", LIBRARY / "experiments", LIBRARY / "figures"]
        if "name" not in path and "NN" not in path:
            assert any((place / path).is_dir() for place in places), path


def test_unit_tests_mirror_the_library():
    for path in sorted((ROOT / "tests" / "unit").rglob("test_*.py")):
        folder = path.parent.relative_to(ROOT / "tests" / "unit")
        assert (LIBRARY / folder).is_dir(), f"{path.name} tests no room of course_lib"


def test_a_perplexity_is_made_in_one_place():
    """Whoever divides nats by tokens and takes the power has a second one, without its checks."""
    made = [
        path.relative_to(LIBRARY).as_posix()
        for path in sorted(LIBRARY.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("math.exp")
        for argument in node.args
        if isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Div)
    ]
    assert made == ["training/loss.py"]


REACHED = {
    "cli/settings": "unit/cli/test_commands.py",
    "data/corpora/reasons": "unit/data/corpora/test_download.py",
    "data/mini_world/edits": "property/test_grammar_mapping.py",
    "data/mini_world/english": "property/test_grammar_mapping.py",
    "data/mini_world/lexicon/forms": "property/test_grammar_german.py",
    "data/mini_world/lexicon/nouns": "property/test_grammar_german.py",
    "experiments/bahdanau/equal": "unit/experiments/bahdanau/test_bottleneck.py",
    "training/interrupt": "unit/training/test_fit.py",
    "training/progress": "unit/training/test_fit.py",
    "training/seals": "unit/training/test_checkpoint.py",
    "training/state": "unit/training/test_checkpoint.py",
}
"""Modules that no test names, since they are seen from outside, and the test that sees them."""


def test_every_module_is_named_by_a_test_or_seen_by_one_from_outside():
    tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    shelf = (LIBRARY / "figures" / "drawn" / "shelf.py").read_text(encoding="utf-8")
    unseen = []
    for path in sorted(LIBRARY.rglob("*.py")):
        module = path.relative_to(LIBRARY).with_suffix("")
        if path.name.startswith("__"):
            continue
        package, _, name = f"course_lib.{'.'.join(module.parts)}".rpartition(".")
        named = re.compile(
            rf"{re.escape(package)}\.{name}\b"
            rf"|from {re.escape(package)} import (\([^)]*|[^\n(]*)\b{name}\b"
        )
        mirrored = ROOT / "tests" / "unit" / module.parent / f"test_{name}.py"
        # A drawing is tested because the shelf lists it, and never by its name.
        drawn = module.parent.name == "drawn" and name in shelf
        if not (mirrored.is_file() or drawn or any(map(named.search, tests))):
            unseen.append(module.as_posix())
    assert unseen == sorted(REACHED)
    assert all((ROOT / "tests" / test).is_file() for test in REACHED.values())
