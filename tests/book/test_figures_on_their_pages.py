"""Figures that run a network, on the pages of the book that hold them."""

import pytest

from course_lab.experiments.transformer import in_page as transformer
from tests.book.checks import HTML, address_of, net_fetched_by_touch
from tests.book.piece import Piece, middle

pytestmark = pytest.mark.browser

OPENS = (
    "book/index.html",
    "notebooks/04_bahdanau.html",
    "notebooks/02_seq2seq.html",
    "notebooks/10_transformer.html",
)
HOME, CHAPTER, *_ = OPENS


@pytest.mark.parametrize("width", [1280, 390])
def test_on_home_its_weights_come_when_it_is_touched_and_keys_where_nothing_moves(visit, width):
    visited = visit(HOME, width)
    page, piece = visited.page, Piece(visited.page, "gaze")
    # The first screen says what this is, and holds the figure and the way in.
    assert "course on attention" in page.locator(".lede").inner_text()
    assert piece.find(".cl-board").bounding_box()["height"] > 100
    button = page.locator(".start a").first.bounding_box()
    assert button["y"] + button["height"] <= (844 if width == 390 else 800)
    keys = piece.find(".cl-keys button")
    phone = width == 390
    assert keys.locator("visible=true").count() == (0 if phone else keys.count())
    # On a phone keys come below what is said, so that nothing that was there moves.
    parts = [
        piece.find(".cl-board"),
        *piece.above.all(),
        piece.find("select"),
        piece.find(".cl-say"),
    ]
    places = [part.bounding_box() for part in parts]
    with net_fetched_by_touch(visited):
        piece.drag(middle(piece.find(".cl-ring").nth(5)), middle(piece.above.nth(1)))
        piece.until("must look")
    address = address_of(page)
    assert address.startswith("#gaze=")
    assert keys.all_inner_texts() == ["Play", "Step", "Reset"]
    if phone:
        assert [part.bounding_box() for part in parts] == places
        edge = places[-1]["y"] + places[-1]["height"]
        boxes = [key.bounding_box() for key in keys.all()]
        assert min(box["y"] for box in boxes) >= edge
        assert max(box["x"] + box["width"] for box in boxes) <= width
    piece.press("Reset")
    assert piece.count(".cl-forced") == 0
    piece.press("Step")
    assert piece.count(".cl-below .cl-word:not(.cl-later)") == 1
    if phone:
        assert [part.bounding_box() for part in parts] == places
        return
    again = Piece(visit(f"{HOME}{address}").page, "gaze")
    again.find(".cl-forced").wait_for()


def test_it_works_from_a_folder_and_without_a_script_a_line_says_so(new_page, built, visit):
    one = new_page()
    one.page.goto((HTML / HOME).as_uri())
    piece = Piece(one.page, "gaze")
    piece.press("Reset")
    piece.until("right")
    piece.above.filter(has_text="horses").click()
    assert "Pferde" not in piece.wrote
    assert one.complaints == []
    one.page.close()
    page = visit(HOME, script=False).page
    assert page.locator(".cl-gaze .cl-asleep").bounding_box()["height"] > 10
    ground = "getComputedStyle(document.documentElement).getPropertyValue('--course-code-ground')"
    assert page.evaluate(ground)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_in_its_chapter_the_first_screen_holds_the_figure_and_its_code_follows(
    visit, width, height
):
    page = visit(CHAPTER, width).page
    code = page.get_by_text("The network in this page").first.bounding_box()
    piece, caption = (page.locator(kind).first for kind in (".cl-gaze", "#fig-gaze figcaption"))
    ends = [box["y"] + box["height"] for box in (piece.bounding_box(), caption.bounding_box())]
    assert ends[0] <= height
    assert ends[0] < ends[1] < code["y"]


def test_weights_of_one_vector_come_when_it_is_touched(visit):
    visited = visit(OPENS[2])
    piece = Piece(visited.page, "squeeze")
    with net_fetched_by_touch(visited):
        piece.page.get_by_role("combobox", name="sentence").select_option(index=7)
        piece.above.nth(5).click()
        piece.until("6 of 20 words and marks are read")
    assert piece.wrote == "eine Katze hat den Brief gefunden ."


def test_weights_of_the_transformer_come_when_it_is_touched(visit):
    visited = visit(OPENS[3])
    piece = Piece(visited.page, "writer")
    with net_fetched_by_touch(visited):
        piece.take(1)
        piece.until("“das”")
    assert piece.wrote.removeprefix("start ") == transformer.SENTENCES[1][1]
