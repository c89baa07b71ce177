"""What the code of the real chapters reaches, and so what executes them again."""

import json

import pytest

from tools.inputs.cells import cell_parts, sources
from tools.project import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def code(path) -> list[str]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_chapter_reaches_a_list_of_all_models_or_figures(path):
    """Where one did, each new model or figure would execute it again."""
    found = {path.relative_to(ROOT).as_posix() for path in sources(code(path))}
    assert "course_lib/models/registry.py" not in found
    for folder in ("course_lib/models", "course_lab/figures/touch"):
        there = {p.relative_to(ROOT).as_posix() for p in (ROOT / folder).glob("*.py")}
        assert there - {"course_lib/models/registry.py"} - found, folder


def test_every_package_that_a_chapter_reaches_has_its_pin_under_its_own_name():
    """Otherwise a changed pin would make nothing stale."""
    cells = [cell for path in NOTEBOOKS for cell in code(path)]
    reached = {line.split()[0] for line in dict(cell_parts(cells))["pins"].decode().splitlines()}
    assert {"torch", "numpy", "matplotlib", "jaxtyping", "safetensors", "tokenizers"} <= reached
