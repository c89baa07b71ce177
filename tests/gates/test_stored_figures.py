"""What a stored notebook draws follows the page: every colour is one that a scheme can set."""

import json
import re

import pytest

from course_lab.figures.palette import ON_BETWEEN
from tools.project import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
_SET = re.compile(r'var\([^)]*\)|url\([^)]*\)|href="#[^"]*"|fill="#\w{6}" style="fill:color-mix')


def bare(svg: str) -> set[str]:
    """Colours that stay the same in both schemes; the ink between the turns may."""
    return set(re.findall(r"#[0-9a-fA-F]{3,8}\b", _SET.sub("", svg))) - {ON_BETWEEN}


def figures(path) -> list[str]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [out for cell in cells for out in cell.get("outputs", [])]
    return ["".join(out["data"]["image/svg+xml"]) for out in outputs if _has_svg(out)]


def _has_svg(output) -> bool:
    return "image/svg+xml" in output.get("data", {})


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_stored_figure_has_a_colour_of_its_own(path):
    assert set().union(*map(bare, figures(path))) == set()


def test_a_bare_colour_is_seen():
    assert bare('<path style="fill:#0e14a2"/><path style="fill:var(--course-ink,#1d2327)"/>') == {
        "#0e14a2"
    }
