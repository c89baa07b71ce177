"""Two ways to look, a heated document, a decoder's step and three sentences under trial."""

import re

import numpy as np
import pytest

from course_lab.experiments.two_levels import in_page as two_levels
from course_lab.figures.touch.glances import estimate
from tests.book.catalogue import CHANCES, NOUNS, REWARDS, html
from tests.book.piece import Piece

pytestmark = pytest.mark.browser


def test_dots_bars_and_averages_of_glances_are_those_of_python(show):
    piece = Piece(show(html("glances")))
    found = estimate(CHANCES, REWARDS)
    assert piece.shares == [round(found.plain, 2), round(found.against, 2)]
    assert piece.says.startswith("The first digit. 12 glances")
    # Two digits, at patches 1 and 2, and the two other patches together.
    feet = ["the 3", "to report", "the 5", "", "2 others", "together"]
    assert piece.texts(".cl-foot") == feet
    bars = piece.numbers(".cl-exact", "height")
    wanted = np.abs([found.exact[1], found.exact[2], found.exact[0] + found.exact[3]])
    np.testing.assert_allclose(np.array(bars) / max(bars), wanted / max(wanted), atol=0.02)
    # Twelve glances: three times each of the four draws.
    drawn = np.array([0, 1, 2, 0] * 3)
    rows = (np.array(REWARDS)[drawn])[:, None] * (np.eye(4)[drawn] - CHANCES)
    told = np.stack([rows[:, 1], rows[:, 2], rows[:, 0] + rows[:, 3]], axis=1)
    before = piece.numbers(".cl-dot", "cy")
    dots = np.array(before).reshape(3, 12).T
    means = np.array(piece.numbers(".cl-mean", "y1"))
    zero = piece.numbers(".cl-axis", "y1")[0]
    scale = (zero - dots[0, 0]) / told[0, 0]
    np.testing.assert_allclose(zero - dots, scale * told, atol=0.5)
    np.testing.assert_allclose(zero - means, scale * told.mean(0), atol=0.5)
    assert piece.count(".cl-last") == 3
    # A baseline brings the dots nearer and leaves the bars.
    piece.choose("expected reward")
    assert piece.shares == [round(found.plain, 2), round(found.against, 2)]
    assert piece.numbers(".cl-exact", "height") == bars
    assert np.ptp(piece.numbers(".cl-dot", "cy")) < 0.8 * np.ptp(before)
    assert "with a baseline" in piece.find(".cl-title").nth(2).inner_text()


def test_each_look_is_the_next_of_the_stored_draws_and_steps_go_through_the_digits(show):
    piece = Piece(show(html("glances"), reduced_motion="reduce"))
    seen, read = [], piece.find(".cl-read")
    for _ in range(4):
        piece.press("Look again")
        words = read.nth(1).inner_text()
        seen.append(re.search(r"row (\d), column (\d) and says (\d)", words).groups())
    # Twelve were drawn, so that the next is the first of the four again.
    assert seen == [("1", "1", "8"), ("1", "2", "3"), ("2", "1", "5"), ("1", "1", "8")]
    assert "says 3: right" in read.nth(0).inner_text()
    piece.press("Reset", "Step")
    assert piece.says.startswith("The second digit. 1 glance ")
    assert "wrong, it is 5" in read.nth(0).inner_text()
    piece.press("Play")
    assert piece.says.startswith("The first digit. 1 glance ")
    piece.press("Draw 20 glances")
    assert "21 glances" in piece.says


def test_a_document_opens_on_its_heaviest_sentence_and_is_covered_by_click_and_key(show):
    piece = Piece(show(html("heat")))

    def answers() -> list[str]:
        return piece.texts(".cl-bar-row .cl-share")

    assert piece.texts(".cl-word .cl-text") == ["the", "king"]
    assert piece.texts(".cl-word .cl-share") == [".13", ".88"]
    assert answers() == ["0.88", "0.13"]
    piece.press("Cover sentence 1")
    assert answers() == ["0.25", "0.75"]
    assert "The answer is now “no”" in piece.says
    assert piece.texts(".cl-gone") == ["the", "king"] * 2
    piece.press("Cover sentence 1")
    assert (answers(), piece.count(".cl-gone")) == (["0.88", "0.13"], 0)
    piece.find(".cl-line").nth(1).press("Enter")
    assert piece.texts(".cl-word .cl-text") == ["a", "dog", "runs"]
    piece.find(".cl-word").nth(2).press("Space")
    assert answers() == ["0.60", "0.40"]
    assert "“runs” in sentence 2, weight 0.50" in piece.says
    # On a phone there is room for the longest that is said.
    piece = Piece(show(two_levels.show()._repr_html_(), width=390))
    below = piece.find(".cl-fold").bounding_box()
    for number in (3, 1):
        piece.press(f"Cover sentence {number}")
        assert piece.find(".cl-fold").bounding_box() == below
    assert piece.count(".cl-struck") == 1


def test_a_decoder_opens_on_a_whole_step_and_plays_the_next(show):
    piece = Piece(show(html("unfold"), reduced_motion="reduce"))

    def stands() -> tuple[list[str], int]:
        written = piece.find(".cl-written .cl-word:not(.cl-later)").all_inner_texts()
        return written, piece.count("tbody tr:not(.cl-off) th:visible")

    assert stands() == (["der", "Hund"], 5)
    for row in range(1, 6):
        piece.press("Step")
        assert (len(stands()[0]), stands()[1]) == (2 + (row == 5), row)
    assert piece.find("table:visible caption").inner_text() == "Step 3, after “Hund”"
    assert "“schläft” (sleeps) comes out" in piece.says
    piece.press("Step")
    assert stands() == ([], 1)
    assert piece.says.startswith("“START” stands written")
    piece.press("Step")
    assert "most is on “dog”" in piece.says
    piece.press("Step", "Step", "Step")
    high = [bar.bounding_box()["height"] for bar in piece.find(".cl-bar:visible").all()]
    assert high[1] == pytest.approx(3 * high[0], rel=0.02)
    assert max(high[2:]) <= 1


def test_a_key_shows_one_trial_and_marks_what_is_new(show):
    piece = Piece(show(html("swap")))

    def wrote() -> tuple[list[str], int]:
        return piece.texts(".cl-stage table:visible b"), piece.count(".cl-new:visible")

    bars = piece.find("table:visible tr:nth-child(1) .cl-bar").all()
    high = [bar.bounding_box()["height"] for bar in bars]
    np.testing.assert_allclose(high[4] / high[3], 1 / 3, atol=0.02)
    opened = (["den", "die", "das"], 0)
    assert wrote() == opened
    assert piece.count(".cl-covered:visible, .cl-lent:visible") == 0
    piece.find(".cl-key", has_text="cover").click()
    assert wrote() == opened
    assert piece.texts(".cl-covered:visible > span:not(.cl-bar)") == [*NOUNS]
    piece.find(".cl-key", has_text="exchange").click()
    assert wrote() == (["die", "das", "den"], 3)
    assert piece.texts(".cl-lent:visible > small:last-child") == ["cat’s", "child’s", "dog’s"]
    assert piece.says == "The next."
    piece.press("Reset")
    assert wrote() == opened
    assert piece.root.get_by_role("radio", name="as they are").is_checked()
