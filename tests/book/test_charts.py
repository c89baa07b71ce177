"""The chain of gradients, lengths, expectation maximization, growing costs, tapes and windows."""

import re

import numpy as np
import pytest

from course_lab.experiments.self_attention import tape
from course_lab.figures.touch.em import em_steps
from course_lab.figures.touch.window import windowed
from tests.book.catalogue import MAPS, WINDOW, html
from tests.book.piece import Piece

pytestmark = pytest.mark.browser


def test_the_chain_shows_the_cell_and_the_scale_that_are_chosen(show):
    chain, boxes = Piece(show(html("chain"))), ".cl-chain-row .cl-box"
    assert chain.texts(boxes) == ["0", "10⁻⁹", "10⁻⁴", "0.1", "1"]
    assert chain.texts(".cl-step")[-2:] == ["1 back", "last"]
    chain.choose("× 2")
    assert chain.texts(boxes)[0] == "0.5"
    assert chain.count(".cl-chain-row .cl-grown") == 0
    chain.choose("ReLU")
    assert chain.texts(boxes) == ["∞", "5·10⁶", "3·10³", "8", "1"]
    # The scale stays the same by name, though it stands at another place.
    assert chain.root.get_by_label("× 2").is_checked()
    assert "explodes" in chain.says
    assert chain.count(".cl-chain-row .cl-grown") == 3  # 8 lasts


def test_the_length_explorer_draws_the_chosen_curve_its_seeds_and_the_other_behind(show):
    piece = Piece(show(html("length")))
    assert piece.texts("svg .cl-number") == ["0.85", "0.25", "0.05"]
    points = piece.find("polygon").get_attribute("points").split()
    heights = np.array([float(point.split(",")[1]) for point in points])
    lines = piece.numbers("line.cl-grid", "y1")
    rates = (lines[0] - heights) / (lines[0] - lines[4])
    np.testing.assert_allclose(rates, [0.9, 0.3, 0.1, 0.0, 0.2, 0.8], atol=1e-6)
    before = piece.find("polyline:not(.cl-behind)").get_attribute("points")
    piece.choose("256")
    assert piece.texts("svg .cl-number") == ["0.95", "0.70", "0.40"]
    assert piece.find("polyline.cl-behind").get_attribute("points") == before
    assert piece.says.startswith("width of the vector 256: 0.95 at 3–9 words")


def test_em_moves_with_the_slider(show):
    piece = Piece(show(html("em")))
    slider, numbers = piece.root.get_by_role("slider"), ".cl-pair .cl-number"
    # The strongest link's alone, below each target word; what is tied does not stand out.
    assert piece.texts(numbers) == [".50"] * 2
    assert piece.count(".cl-strong") == 0
    slider.press("ArrowRight")
    assert piece.texts(numbers) == [".70", ".60"]
    assert piece.says.startswith("After 1 iteration: log-likelihood −3.500, +0.500")
    assert piece.numbers(".cl-link", "stroke-width") == [3.5, 4.4, 6.2, 7.1]
    assert piece.numbers(".cl-strong", "stroke-width") == [6.2, 7.1]
    slider.press("End")
    assert slider.get_attribute("aria-valuetext") == "2"
    # What rounds to nothing has no line.
    assert piece.texts(numbers) == ["1", ".90"]
    assert (piece.count(".cl-link"), piece.count(".cl-dot-here")) == (3, 1)


TABLES = [
    {"the": {"das": 0.5, "Haus": 0.5}, "house": {"das": 0.5, "Haus": 0.5}, "a": {"ein": 1.0}},
    {"the": {"das": 0.9, "Haus": 0.1}, "house": {"das": 0.25, "Haus": 0.75}, "a": {"ein": 1.0}},
]
HALVES = [[[0.5, 0.5], [0.5, 0.5]], [[1.0]]]


@pytest.mark.parametrize("width", [390, 900])
def test_the_table_beside_em_follows_the_slider_and_stays_where_it_is(show, width):
    pairs = [(["the", "house"], ["das", "Haus"]), (["a"], ["ein"])]
    later = [[[0.8, 0.2], [0.1, 0.9]], [[1.0]]]
    figure = em_steps(pairs, [HALVES, later], [-3.0, -2.5], tables=TABLES, opened=1)
    piece = Piece(show(figure._repr_html_(), width=width))
    # It opens where it was told to, and words that never meet have an empty cell without a shade.
    assert piece.page.get_by_label("rounds done").get_attribute("aria-valuetext") == "1"
    table = ".cl-t tbody tr"
    assert piece.rows(table) == [[".90", ".10", ""], [".25", ".75", ""], ["", "", "1"]]
    assert piece.count(".cl-t .cl-never") == piece.count(".cl-t td:not(.cl-w)") == 4
    place = piece.find(".cl-t").bounding_box()
    piece.root.get_by_role("slider").press("Home")
    assert piece.rows(table) == [[".50", ".50", ""], [".50", ".50", ""], ["", "", "1"]]
    assert piece.find(".cl-t").bounding_box() == place
    piece.press("Reset")
    assert piece.find("output").inner_text() == "1"
    drawn, curve = (piece.find(f".cl-{name}").bounding_box() for name in ("pairs", "chart"))
    if width > 500:
        assert drawn["x"] + drawn["width"] <= place["x"]
    else:
        # Pairs and table are read together, so the curve does not push the table off the screen.
        assert drawn["y"] + drawn["height"] <= place["y"]
    assert place["y"] + place["height"] <= curve["y"]


def test_costs_follow_length_and_quantity_and_the_cache_fills(show):
    piece = Piece(show(html("cost")))

    def bars(of: int) -> list[tuple[float, str]]:
        rows = piece.find(".cl-bar-rows").nth(of).locator(".cl-bar-row").all()
        return [
            (float(row.locator(".cl-bar").get_attribute("style")[7:-2]), told[-1])
            for row in rows
            if (told := row.inner_text().split("\n"))
        ]

    opened = [(100, "300 million"), (100, "300 million")]
    assert bars(0) == opened
    assert bars(1) == [(9.4, "96 MiB"), (1.2, "12 MiB")]
    piece.root.get_by_role("slider").press("End")
    assert bars(0) == [(100, "19 billion"), (16.8, "3.2 billion")]
    assert bars(1) == [(100, "1 GiB"), (12.5, "128 MiB")]
    piece.choose("seconds")
    assert bars(0) == [(0, "not measured"), (100, "700 ms")]
    assert piece.says == "4,096 words, seconds: attention not measured, GRU 700 ms."
    piece.root.get_by_role("slider").press("Home")
    assert bars(0) == [(20, "2 ms"), (100, "10 ms")]


def test_what_is_said_of_a_step_adds_up_to_one_and_step_t_writes_place_t(show):
    piece = Piece(show(html("tape")))
    for number, (sentence, rows) in enumerate(MAPS.items()):
        piece.take(number)
        shown = [float(text) for text in piece.texts(".cl-tape-weight")]
        assert shown == pytest.approx(rows[-1], abs=0.006)
        words = [tape.START_WORD, *sentence.split()]
        for step in range(len(rows)):
            piece.press("Step")
            said = piece.says
            assert said.startswith(f"Step {step + 1} reads “{words[step]}”")
            low = "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(step + 1))
            assert piece.texts(".cl-tape-cell")[-2:] == [f"h{low}", f"c{low}"]
            if step < 2:
                continue
            newest, back = [float(each) for each in re.findall(r"\d\.\d\d", said)[:2]]
            assert f"the last place, “{words[step - 1]}”, {back:.2f} further back" in said
            assert newest == pytest.approx(rows[step][-1], abs=0.006)
            assert newest + back == pytest.approx(1)


def test_the_window_opens_on_a_missed_link_and_follows_kind_radius_and_step(show):
    piece = Piece(show(html("window")))

    def shows(radius: int, predicted: bool, t: int) -> bool:
        found = [float(row[-1]) for row in piece.rows(".cl-window-bars tbody tr")][:-1]
        return found == [round(float(x), 2) for x in windowed(WINDOW, radius, predicted)[t]]

    count = piece.find(".cl-window-count")
    assert count.inner_text().startswith("2 of 3 gold links fall outside")
    assert "“wir” (we): position 2" in piece.says
    assert shows(1, False, 2)
    piece.choose("local-p")
    assert shows(1, True, 2)
    assert count.inner_text().startswith("0 of 3")
    piece.find("input[type=range]").press("ArrowRight")
    assert shows(2, True, 2)
    piece.press("Step")
    assert shows(2, True, 0)
