"""The soft look-up and the scale laboratory in a browser: their numbers are NumPy's."""

import re

import numpy as np
import pytest

from course_lab.figures.touch.lookup import SCORES, attended, soft_lookup
from course_lab.figures.touch.scale import measures, scale_laboratory

pytestmark = pytest.mark.browser

WORDS = ["dog", "cat", "horse", "sparrow"]
K = np.array([[0.2, 1.1], [0.5, 0.5], [-1.1, 0.5], [1.5, 1.5]])
V = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.25]])
Q = np.array([0.7, 0.45])
LOOKUP = soft_lookup(WORDS, K, V, Q, [1.5, 1.5])._repr_html_()
DIMENSIONS = [1, 4, 16, 64]
PRODUCTS = np.random.default_rng(0).normal(size=(2, 4, 5)) * np.sqrt(DIMENSIONS)[:, None]
STEEP = {"without": [0.3, 0.2, 0.01, 1e-4], "with": [0.3] * 4}
SCALE = scale_laboratory(DIMENSIONS, PRODUCTS, STEEP, first=16)._repr_html_()


def column(page, place: int) -> list[float]:
    cells = page.locator(f".cl-stage tbody tr:not(.cl-sums) td:nth-child({place})")
    return [float(text) for text in cells.all_text_contents()]


def wanted(score: str, query=Q, temperature: float = 1.0) -> list[float]:
    return [round(float(w), 2) for w in attended(score, query, K, V, temperature)[0]]


def query_of(page) -> np.ndarray:
    found = re.search(r"Query \((.*?), (.*?)\)", page.locator(".cl-say").inner_text())
    return np.array([float(found[1]), float(found[2])])


def test_every_score_of_the_menu_gives_numpys_weights(show):
    page = show(LOOKUP)
    menu = page.get_by_role("combobox", name="score")
    assert menu.locator("option").all_text_contents() == list(SCORES)
    for name in SCORES:
        menu.select_option(label=name)
        assert column(page, 3) == wanted(name), name


def test_the_query_is_dragged_the_context_follows_and_reset_brings_it_back(show):
    page = show(LOOKUP)
    box = page.locator(".cl-q .cl-grip").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 90, y + 40, steps=4)
    page.mouse.up()
    moved = query_of(page)
    assert moved[0] < 0 < Q[0]
    assert column(page, 3) == wanted("dot product", moved)
    c = attended("dot product", moved, K, V)[1]
    assert page.locator(".cl-sum").inner_text().startswith(f"c = ({c[0]:.2f}, {c[1]:.2f});")
    page.get_by_role("button", name="Reset").click()
    assert column(page, 3) == wanted("dot product")


def test_temperature_and_arrow_keys_change_the_weights(show):
    page = show(LOOKUP)
    page.get_by_role("slider", name="temperature").fill("-3")
    assert column(page, 3) == wanted("dot product", temperature=1 / 8)
    page.locator(".cl-q").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    np.testing.assert_allclose(query_of(page), Q + np.array([-0.1, 0.1]))


def test_the_laboratory_shows_both_softmaxes_of_the_dimension_that_is_chosen(show):
    page = show(SCALE)
    page.get_by_role("slider", name="dimension").fill("3")
    for place, root in ((3, 1.0), (4, 8.0)):
        cells = page.locator(f".cl-stage tbody tr td:nth-child({place})").all_text_contents()[:5]
        weights, entropy, _ = measures(PRODUCTS[0, 3].round(3) / root)
        assert list(map(float, cells)) == [round(float(w), 2) for w in weights]
        sums = page.locator(f".cl-sums td:nth-child({place - 1})").all_text_contents()
        assert float(sums[0]) == round(entropy, 2)
    page.get_by_role("button", name="Other keys").click()
    assert column(page, 2) == PRODUCTS[1, 3].round(1).tolist()
    page.get_by_role("button", name="Step").click()
    assert "Dimension 1:" in page.locator(".cl-say").inner_text()
    page.get_by_role("button", name="Reset").click()
    assert "Dimension 16:" in page.locator(".cl-say").inner_text()
