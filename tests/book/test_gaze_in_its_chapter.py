"""Where the running translator of chapter 4 stands in it."""

import pytest

pytestmark = pytest.mark.browser

OPENS = ("notebooks/04_bahdanau.html",)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_first_screen_holds_the_figure_and_its_code_follows(visit, width, height):
    page = visit(OPENS[0], width).page
    code = page.get_by_text("The network in this page").first.bounding_box()
    piece, caption = (page.locator(kind).first for kind in (".cl-gaze", "#fig-gaze figcaption"))
    ends = [box["y"] + box["height"] for box in (piece.bounding_box(), caption.bounding_box())]
    assert ends[0] <= height
    assert ends[0] < ends[1] < code["y"]
