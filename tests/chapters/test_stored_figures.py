"""What a stored notebook draws: colours that a scheme can set, words that a phone can show."""

import json
import re

import pytest

from course_lab.figures.palette import ON_BETWEEN
from tools.project import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
ROOM, LEAST = 358, 10.5
"""Pixels that a page of 390 leaves a figure, and how tall its letters are at least."""
_SET = re.compile(r'var\([^)]*\)|url\([^)]*\)|href="#[^"]*"|fill="#\w{6}" style="fill:color-mix')


def bare(svg: str) -> set[str]:
    """Colours that stay the same in both schemes; the ink between the turns may."""
    return set(re.findall(r"#[0-9a-fA-F]{3,8}\b", _SET.sub("", svg))) - {ON_BETWEEN}


def smallest(svg: str) -> float:
    """The smallest words of a figure in pixels, as a phone shows them."""
    wide = float(re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+)', svg)[1])
    natural = float(re.search(r'<svg [^>]*?\swidth="([\d.]+)', svg)[1])
    sizes = re.findall(r"font(?:-size)?:[^;\"}]*?([\d.]+)px", svg)
    return min(map(float, sizes)) * min(ROOM, natural) / wide


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_stored_figure_follows_the_scheme_and_fits_a_phone(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [out.get("data", {}) for cell in cells for out in cell.get("outputs", [])]
    for data in outputs:
        if svg := "".join(data.get("image/svg+xml", "")):
            assert bare(svg) == set()
            assert smallest(svg) >= LEAST


def test_a_bare_colour_and_small_words_are_seen():
    inside = '<path style="fill:#0e14a2"/><tspan style="font-size:9.5px"/>'
    svg = f'<svg viewBox="0 0 475.2 288" width="634">{inside}</svg>'
    assert bare(svg) == {"#0e14a2"}
    assert smallest(svg) == pytest.approx(9.5 * 358 / 475.2)
    narrow = svg.replace("475.2", "225").replace("634", "300")
    assert smallest(narrow) == pytest.approx(9.5 * 300 / 225)
