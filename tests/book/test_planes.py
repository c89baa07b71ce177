"""Attention in the plane, in rows, as a soft look-up and over dimensions: NumPy's numbers."""

import re

import numpy as np
import pytest

from course_lab.figures.touch.lookup import SCORES
from course_lab.figures.touch.lookup import attended as looked_up
from course_lab.figures.touch.plane import attended
from course_lab.figures.touch.scale import measures
from tests.book.catalogue import KEYS, PRODUCTS, QUERY, STATE, VALUES, H, html
from tests.book.piece import Piece, middle

pytestmark = pytest.mark.browser


def place_of(piece, name: str) -> list[float]:
    found = re.search(rf"{name} \((.*?), (.*?)\)", piece.says)
    return [float(found[1]), float(found[2])]


def in_plane(piece, state) -> bool:
    """Whether the table holds what NumPy makes of this state."""
    scores, weights, _ = attended(H, np.array(state))
    shown = [[float(text) for text in row] for row in piece.rows(".cl-stage tbody tr")]
    columns = zip(scores, np.exp(scores), weights, strict=True)
    return shown == [[round(float(x), 3) for x in row] for row in columns]


def test_the_state_is_dragged_and_stays_in_the_plane(show):
    piece = Piece(show(html("plane")))
    assert in_plane(piece, STATE)
    assert piece.find(".cl-sum").inner_text() == "c = (0.54, 0.28)"
    # The first table is for paper only.
    assert piece.count("table:visible") == 1
    assert piece.root.get_by_role("button", name="numbers").count() == 0
    x, y = middle(piece.find(".cl-q .cl-grip"))
    piece.drag((x, y), (x - 70, y + 60), let_go=False)
    # Held with the mouse, the diamond has no frame as for the keyboard.
    assert piece.style(".cl-q", "outlineStyle") == "none"
    moved = place_of(piece, "s =")
    assert moved[0] < -0.5
    assert moved[1] < 0.6
    assert in_plane(piece, moved)
    piece.page.mouse.move(x - 900, y + 60)
    piece.page.mouse.up()
    assert place_of(piece, "s =")[0] == -2
    piece.press("Reset")
    assert in_plane(piece, STATE)
    piece.find(".cl-q").focus()
    piece.keys("ArrowRight", "ArrowDown")
    assert place_of(piece, "s =") == [0.1, 0.9]
    assert in_plane(piece, [0.1, 0.9])
    # It is built up step by step.
    for full in (0, 1, 3, 3):
        piece.press("Step")
        cells = piece.rows(".cl-stage tbody tr")[0]
        assert [bool(text.strip()) for text in cells] == [True] * full + [False] * (3 - full)
        assert piece.find(".cl-c").is_visible() == ("triangle" in piece.says)
    assert "never leaves the triangle" in piece.says
    piece.page.emulate_media(media="print")
    assert piece.count("table:visible") == 2


def test_the_state_is_dragged_by_a_finger_and_the_page_stays(show):
    page = show(f"{html('plane')}<div style='height:3000px'></div>", width=390, has_touch=True)
    piece = Piece(page)
    x, y = middle(piece.find(".cl-q .cl-grip"))
    piece.swipe((x, y), *((x - 10 * i, y + 12 * i) for i in range(1, 8)))
    assert place_of(piece, "s =")[1] < 0.5
    assert page.evaluate("scrollY") == 0
    piece.swipe((30, y + 150), *((30, y + 150 - 20 * i) for i in range(1, 8)))
    page.wait_for_function("scrollY > 60")


@pytest.mark.parametrize("width", [900, 390])
def test_rows_hold_the_numbers_of_the_page_and_bars_as_high(show, width):
    piece = Piece(show(html("rows"), width=width))
    scores, weights, context = attended(H, STATE)
    rows = [[" ".join(text.split()) for text in row] for row in piece.rows(".cl-stage tbody tr")]
    assert rows[1] == ["0 1 asks each of them"]
    assert rows[2] == [f"{score:.1f}".replace("-", "−") for score in scores]
    assert rows[3] == [f"{weight:.2f}" for weight in weights]
    assert rows[5] == [f"{context[0]:.2f} {context[1]:.2f}"]
    assert rows[4][2] == "−0.06 −0.06"

    def boxes(selector: str) -> list[dict]:
        return [part.bounding_box() for part in piece.find(selector).all()]

    def level(feet) -> bool:
        return max(feet) - min(feet) < 1

    bars = boxes(".cl-bar")
    high = np.array([box["height"] for box in bars])
    # The bar of a small weight is drawn from the two digits that stand below it.
    np.testing.assert_allclose(high / high[0], weights / weights[0], atol=0.01)
    assert level([box["y"] + box["height"] for box in bars])
    # Scores are bars up and down from one line.
    assert scores.min() < 0 < scores.max()
    bars, cells = boxes(".cl-signed > span"), boxes("td:has(.cl-signed)")
    high = np.array([box["height"] for box in bars])
    np.testing.assert_allclose(high / high.max(), np.abs(scores) / np.abs(scores).max(), atol=0.02)
    ends = zip(bars, scores, strict=True)
    assert level([box["y"] + (box["height"] if score > 0 else 0) for box, score in ends])
    for box, cell in zip(bars, cells, strict=True):
        assert cell["y"] <= box["y"]
        assert box["y"] + box["height"] <= cell["y"] + cell["height"]


def column(piece, place: int) -> list[float]:
    cells = piece.texts(f".cl-stage tbody tr:not(.cl-sums) td:nth-child({place})")
    return [float(text) for text in cells]


def test_a_soft_look_up_has_numpys_weights_for_every_score_query_and_temperature(show):
    piece = Piece(show(html("lookup")))

    def looks(score: str = "dot product", query=QUERY, temperature: float = 1.0) -> bool:
        weights = looked_up(score, np.array(query), KEYS, VALUES, temperature)[0]
        return column(piece, 3) == [round(float(weight), 2) for weight in weights]

    menu = piece.root.get_by_role("combobox", name="score")
    assert menu.locator("option").all_text_contents() == list(SCORES)
    for name in SCORES:
        menu.select_option(label=name)
        assert looks(name), name
    piece.press("Reset")
    x, y = middle(piece.find(".cl-q .cl-grip"))
    piece.drag((x, y), (x - 90, y + 40))
    moved = place_of(piece, "Query")
    assert moved[0] < 0 < QUERY[0]
    assert looks(query=moved)
    c = looked_up("dot product", np.array(moved), KEYS, VALUES)[1]
    assert piece.find(".cl-sum").inner_text().startswith(f"c = ({c[0]:.2f}, {c[1]:.2f});")
    piece.press("Reset")
    assert looks()
    piece.root.get_by_role("slider", name="temperature").fill("-3")
    assert looks(temperature=1 / 8)
    piece.find(".cl-q").focus()
    piece.keys("ArrowLeft", "ArrowUp")
    np.testing.assert_allclose(place_of(piece, "Query"), QUERY + np.array([-0.1, 0.1]))


def test_the_laboratory_shows_both_softmaxes_of_the_dimension_that_is_chosen(show):
    piece = Piece(show(html("scale")))
    piece.root.get_by_role("slider", name="dimension").fill("3")
    for place, root in ((3, 1.0), (4, 8.0)):
        weights, entropy, _ = measures(PRODUCTS[0, 3].round(3) / root)
        shown = [float(x) for x in piece.texts(f".cl-stage tbody tr td:nth-child({place})")[:5]]
        assert shown == [round(float(w), 2) for w in weights]
        assert float(piece.texts(f".cl-sums td:nth-child({place - 1})")[0]) == round(entropy, 2)
    piece.press("Other keys")
    assert column(piece, 2) == PRODUCTS[1, 3].round(1).tolist()
    piece.press("Step")
    assert "Dimension 1:" in piece.says
    piece.press("Reset")
    assert "Dimension 16:" in piece.says
