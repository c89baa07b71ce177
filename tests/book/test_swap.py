"""Three sentences at one step: a key shows what one thing does to all of them."""

import numpy as np
import pytest

from course_lab.figures.touch.swap import Intervention, swap

pytestmark = pytest.mark.browser

SENTENCES = [("the", "woman", "sees", "the", noun, ".", "end") for noun in ("dog", "cat", "child")]
WEIGHTS = np.array([[0.0, 0.05, 0.05, 0.6, 0.2, 0.1, 0.0]] * 3)
TRIALS = [
    Intervention("as they are", "Three articles.", ["den", "die", "das"], WEIGHTS),
    Intervention("cover the noun", "The same.", ["den", "die", "das"], WEIGHTS, covered=4),
    Intervention("exchange the “the”s", "The next.", ["die", "das", "den"], WEIGHTS, lent=3),
]
FIGURE = swap(SENTENCES, 4, "die Frau sieht", TRIALS)._repr_html_()


def key(page, name: str) -> None:
    page.locator(".cl-key").filter(has_text=name).click()


def wrote(page) -> list[str]:
    return page.locator(".cl-stage table:visible b").all_inner_texts()


def test_a_key_shows_one_trial_and_marks_what_is_new(show):
    page = show(FIGURE)
    assert wrote(page) == ["den", "die", "das"]
    assert page.locator(".cl-new:visible, .cl-covered:visible, .cl-lent:visible").count() == 0
    key(page, "cover")
    assert (wrote(page), page.locator(".cl-new:visible").count()) == (["den", "die", "das"], 0)
    covered = page.locator(".cl-covered:visible > span:not(.cl-bar)")
    assert covered.all_inner_texts() == ["dog", "cat", "child"]
    key(page, "exchange")
    assert (wrote(page), page.locator(".cl-new:visible").count()) == (["die", "das", "den"], 3)
    lent = page.locator(".cl-lent:visible > small:last-child").all_inner_texts()
    assert lent == ["cat’s", "child’s", "dog’s"]
    assert page.locator(".cl-say").inner_text() == "The next."
    page.get_by_role("button", name="Reset").click()
    assert (wrote(page), page.locator(".cl-new:visible").count()) == (["den", "die", "das"], 0)
    assert page.get_by_role("radio", name="as they are").is_checked()
    page.wait_for_function("location.hash === ''")


def test_bars_are_as_high_as_the_weights(show):
    bars = show(FIGURE).locator("table:visible tr:nth-child(1) .cl-bar").all()
    high = [bar.bounding_box()["height"] for bar in bars]
    np.testing.assert_allclose(high[4] / high[3], 1 / 3, atol=0.02)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="at least one trial"):
        swap(SENTENCES, 4, "die", [])
    short = TRIALS[0]._replace(weights=WEIGHTS[:, :6])
    with pytest.raises(ValueError, match="'as they are': want 3 words and weights for 3 by 7, got"):
        swap(SENTENCES, 4, "die", [short])
    with pytest.raises(ValueError, match="got 2 and"):
        swap(SENTENCES, 4, "die", [TRIALS[0]._replace(written=["den", "die"])])
