"""The SVG for a page: every colour of the palette, text as text, nothing that reaches the page."""

import gzip
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from course_lab.figures import palette
from course_lab.figures.palette import EMPTY, FULL, mixed
from course_lab.figures.still.attention_map import attention_map, number_colour
from course_lab.figures.still.gradients import gradient_plot
from course_lab.figures.still.length_curve import length_curve
from course_lab.figures.still.time_to_learn import time_to_learn
from course_lab.figures.style import WEIGHTS
from course_lab.figures.themed import themed
from tests.unit.figures.sight import contrast

SVG = "{http://www.w3.org/2000/svg}"
MOST_KILOBYTES = 25


def a_map(size: int = 4):
    rng = np.random.default_rng(0)
    weights = rng.dirichlet(np.full(size, 0.3), size=size)
    words = [f"w{i}" for i in range(size)]
    return attention_map(weights, words, words, links=[(0, 0)], possible=[(1, 0)], title="A title")


FIGURES = {
    "map": a_map,
    "large map": lambda: a_map(30),
    "curve": lambda: length_curve(
        [(3, 9), (10, 19)],
        {name: [[0.5, 0.4], [0.6, 0.2]] for name in ("Cho", "Bahdanau", "a", "b", "c", "<d>")},
    ),
    "gradient": lambda: gradient_plot([1, 2, 3], {"tanh": [1, 1e-2, 1e-4], "ReLU": [1, 0.5, 0]}),
    "time": lambda: time_to_learn([10, 20], {"GRU": [[50, 300], [100, None]]}, 1000),
}
each_figure = pytest.mark.parametrize("name", FIGURES)


@each_figure
def test_every_colour_is_one_that_a_page_can_set(name: str) -> None:
    svg = FIGURES[name]().svg()
    properties = {f"var({name}": colour for name, colour in palette.properties()}
    for style in re.findall(r'style="([^"]*)"', svg):
        for found in re.finditer(r"(var\(--[\w-]+),(#\w+)\)", style):
            assert properties[found[1]].light == found[2]
        rest = re.sub(r"var\([^)]*\)|url\([^)]*\)", "", style)
        # The one ink that is the same on light and dark cells.
        assert set(re.findall(r"#\w+", rest)) <= {palette.ON_BETWEEN}, style
    for element in ET.fromstring(svg).iter(f"{SVG}text"):
        assert "fill:" in element.get("style", "") or "fill:" in svg.split("<text")[0]


@each_figure
def test_it_is_small_and_the_same_each_time(name: str) -> None:
    pictures = FIGURES[name](), FIGURES[name]()
    # Each picture counts its ids by a number of its own.
    first, again = (re.sub(r"fig-\d+-", "fig-", picture.svg()) for picture in pictures)
    assert first == again
    assert pictures[0].svg() == pictures[0].svg() != pictures[1].svg()
    assert len(gzip.compress(first.encode())) <= 1000 * MOST_KILOBYTES
    assert "<image" not in first
    assert not re.search(r"\d\.\d{3,}", re.sub(r'style="[^"]*"', "", first))


@each_figure
def test_it_says_what_it_shows_and_its_text_is_text(name: str) -> None:
    picture = FIGURES[name]()
    root = ET.fromstring(picture.svg())
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == picture.headline
    assert root.find(f"{SVG}desc").text == picture.detail
    words = " ".join("".join(e.itertext()) for e in root.iter(f"{SVG}text"))
    named = [axes.get_xlabel() for axes in picture.axes] + [t.get_text() for t in picture.texts]
    assert any(named)
    for text in named:
        assert text in words


@each_figure
def test_nothing_in_it_reaches_the_rest_of_the_page(name: str) -> None:
    svg = FIGURES[name]().svg()
    assert not re.search(r"<style|<metadata|<\?xml|<!DOCTYPE|xlink|rdf", svg)
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    defined, used = set(re.findall(r' id="([^"]*)"', svg)), set(re.findall(r"#(fig-[\w-]+)", svg))
    assert defined == used


def test_a_weight_is_the_mixture_that_a_page_makes_of_its_own_two_ends() -> None:
    svg = attention_map([[1.0, 0.0]], ["a", "b"], ["c"]).svg()
    full = f"color-mix(in srgb,var(--course-full,{FULL.light}) 100%"
    assert f'fill="{FULL.light}" style="fill:{full}' in svg
    assert f'fill="{EMPTY.light}"' in svg
    half = round(255 * WEIGHTS(128 / 255)[0])
    assert abs(half - int(mixed(128 / 255, FULL.light, EMPTY.light)[1:3], 16)) <= 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_can_be_read_on_their_cells_in_both_schemes(scheme: str) -> None:
    inks = {
        palette.SURFACES["muted"].light: palette.SURFACES["muted"],
        palette.ON_EMPTY.light: palette.ON_EMPTY,
        palette.ON_FULL.light: palette.ON_FULL,
        palette.ON_BETWEEN: palette.Colour(palette.ON_BETWEEN, palette.ON_BETWEEN),
    }
    for weight in np.linspace(0, 1, 101):
        ink = getattr(inks[number_colour(float(weight))], scheme)
        cell = mixed(float(weight), getattr(FULL, scheme), getattr(EMPTY, scheme))
        assert contrast(ink, cell) >= 4.5, weight


def test_ids_do_not_hang_on_matplotlibs_which_are_hashes_of_what_is_drawn() -> None:
    lines = "".join(f'<g><path id="{{{n}}}" d="M{n} 0"/><use href="#{{{n}}}"/></g>' for n in (0, 1))
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{lines}</svg>'
    first, second = (
        themed(drawing.format(*names), "", "", own="fig-1")
        for names in (("m1", "m2"), ("m2", "m1"))
    )
    assert first == second
    assert re.findall(r' id="([^"]*)"', first) == ["fig-1-0", "fig-1-1"]
