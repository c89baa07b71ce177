"""One look in six rows: its numbers are NumPy's, and a step shows the next row."""

import numpy as np
import pytest

from course_lab.figures.touch.plane import attended
from course_lab.figures.touch.rows import attention_rows

pytestmark = pytest.mark.browser

H, STATE = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]), np.array([0.0, 1.0])
FIGURE = attention_rows(["the", "dog", "sleeps"], H, STATE)._repr_html_()


def texts(page, row: int) -> list[str]:
    cells = page.locator(".cl-stage tbody tr").nth(row).locator("td")
    return [" ".join(cell.split()) for cell in cells.all_inner_texts()]


def rows_in_sight(page) -> int:
    return page.locator(".cl-stage tbody td:first-of-type:visible").count()


def test_it_opens_on_all_rows_with_the_numbers_of_the_page(show):
    page = show(FIGURE)
    scores, weights, context = attended(H, STATE)
    assert rows_in_sight(page) == 6
    assert texts(page, 1) == ["0 1 asks each of them"]
    assert texts(page, 2) == [f"{score:.1f}".replace("-", "−") for score in scores]
    assert texts(page, 3) == [f"{weight:.2f}" for weight in weights]
    assert texts(page, 5) == [f"{context[0]:.2f} {context[1]:.2f}"]
    assert texts(page, 4)[2] == "−0.06 −0.06"


def test_bars_are_as_high_as_the_weights(show):
    page = show(FIGURE)
    boxes = [bar.bounding_box() for bar in page.locator(".cl-bar").all()]
    high = [box["height"] for box in boxes]
    _, weights, _ = attended(H, STATE)
    # The bar of a small weight is drawn from the two digits that stand below it.
    np.testing.assert_allclose(np.array(high) / high[0], weights / weights[0], atol=0.01)
    feet = [box["y"] + box["height"] for box in boxes]
    assert max(feet) - min(feet) < 1


@pytest.mark.parametrize("width", [900, 390])
def test_scores_are_bars_up_and_down_from_one_line(show, width):
    page = show(FIGURE, width=width)
    scores, _, _ = attended(H, STATE)
    assert scores.min() < 0 < scores.max()
    boxes = [bar.bounding_box() for bar in page.locator(".cl-signed > span").all()]
    high = np.array([box["height"] for box in boxes])
    np.testing.assert_allclose(high / high.max(), np.abs(scores) / np.abs(scores).max(), atol=0.02)
    feet = [
        box["y"] + (box["height"] if score > 0 else 0)
        for box, score in zip(boxes, scores, strict=True)
    ]
    assert max(feet) - min(feet) < 1
    cells = [cell.bounding_box() for cell in page.locator("td:has(.cl-signed)").all()]
    for box, cell in zip(boxes, cells, strict=True):
        assert cell["y"] <= box["y"]
        assert box["y"] + box["height"] <= cell["y"] + cell["height"]


def test_scores_of_zero_have_a_line_and_no_bar(show):
    figure = attention_rows(["the", "dog"], [[0, 0], [0, 0]], [0, 0])._repr_html_()
    heights = "all => all.map(e => e.getBoundingClientRect().height)"
    assert show(figure).locator(".cl-signed > span").evaluate_all(heights) == [0, 0]


def test_a_step_shows_the_next_row_and_nothing_moves(show):
    page = show(FIGURE)
    figure, step = page.locator(".cl-fig"), page.get_by_role("button", name="Step")
    high = figure.bounding_box()["height"]
    for count in (1, 2, 3, 4, 5, 6):
        step.click()
        assert rows_in_sight(page) == count
        assert figure.bounding_box()["height"] == high
        if count == 2:
            assert "state asks" in page.locator(".cl-say").inner_text()
        if count == 4:
            assert "“the” gets the most" in page.locator(".cl-say").inner_text()
    assert "context" in page.locator(".cl-say").inner_text()
    step.click()
    page.get_by_role("button", name="Reset").click()
    assert rows_in_sight(page) == 6


def test_annotations_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="wanted 2 annotations and a state in the plane"):
        attention_rows(["a", "b"], H, STATE)
