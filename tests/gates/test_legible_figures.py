"""On a phone of 390 pixels the words of a stored figure are large enough to be read."""

import re

import nbformat
import pytest

from tests.gates.test_stored_figures import NOTEBOOKS, figures
from tools.notebooks.stamp import stamp
from tools.project import DRAWN

ROOM = 358
"""Pixels that a page of 390 leaves a figure."""
LEAST = 10.5


def smallest(svg: str) -> float:
    """The smallest words of a figure in pixels, as a phone shows them."""
    wide = float(re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+)', svg)[1])
    natural = float(re.search(r'<svg [^>]*?\swidth="([\d.]+)', svg)[1])
    sizes = re.findall(r"font(?:-size)?:[^;\"}]*?([\d.]+)px", svg)
    return min(map(float, sizes)) * min(ROOM, natural) / wide


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_words_of_a_stored_figure_can_be_read_on_a_phone(path):
    notebook = nbformat.read(path, as_version=4)
    if notebook.metadata["course"]["stamp"] != stamp(notebook):
        pytest.skip("its pictures are older than the code that draws them")
    sizes = [round(smallest(svg), 1) for svg in figures(path)]
    assert all(size >= LEAST for size in sizes), sizes


@pytest.mark.parametrize("path", sorted(DRAWN.glob("*.svg")), ids=lambda path: path.stem)
def test_the_words_of_a_drawing_can_be_read_on_a_phone(path):
    assert smallest(path.read_text(encoding="utf-8")) >= LEAST


def test_a_wide_figure_shrinks_and_a_narrow_one_does_not():
    text = '<svg viewBox="0 0 475.2 288" width="634"><tspan style="font-size:9.5px"/></svg>'
    assert smallest(text) == pytest.approx(9.5 * 358 / 475.2)
    assert smallest(text.replace("475.2", "225").replace("634", "300")) == pytest.approx(
        9.5 * 300 / 225
    )
    both = text.replace("<tspan", '<text style="font:italic 8px serif"/><tspan')
    assert smallest(both) == pytest.approx(8 * 358 / 475.2)
