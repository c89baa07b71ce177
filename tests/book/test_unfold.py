"""A decoder at work: a step is played from the state that asks to the word that comes out."""

import pytest

from course_lab.figures.touch.unfold import DecoderStep, unfold

pytestmark = pytest.mark.browser

SOURCE = ["the", "dog", "sleeps", ".", "end"]
VECTORS = [-0.5, 0.0, 1.0], [0.25, 0.0, -0.25], [1.0, -1.0, 0.0]


def step(read: str, weights: list[float], *guesses: tuple[str, float]) -> DecoderStep:
    state, context, after = VECTORS
    return DecoderStep(read, state, weights, context, after, guesses)


STEPS = [
    step("START", [0.25, 0.75, 0.0, 0.0, 0.0], ("der", 0.75), ("ein", 0.25)),
    step("der", [0.0, 1.0, 0.0, 0.0, 0.0], ("Hund", 1.0), ("Junge", 0.0)),
    step("Hund", [0.0, 0.0, 1.0, 0.0, 0.0], ("schläft", 1.0), ("liest", 0.0)),
]
FIGURE = unfold(SOURCE, STEPS, {"der": "the", "Hund": "dog", "schläft": "sleeps"}, 1)._repr_html_()
STAGES = 5


def rows_in_sight(page) -> int:
    return page.locator("tbody tr:not(.cl-off) th:visible").count()


def written(page) -> list[str]:
    return page.locator(".cl-written .cl-word:not(.cl-later)").all_inner_texts()


def says(page) -> str:
    return page.locator(".cl-say").inner_text()


def test_it_opens_on_a_whole_step_and_plays_the_next(show):
    page = show(FIGURE)
    assert (written(page), rows_in_sight(page)) == (["der", "Hund"], STAGES)
    press = page.get_by_role("button", name="Step")
    seen = []
    for _ in range(STAGES):
        press.click()
        seen.append((rows_in_sight(page), len(written(page))))
    assert seen == [(1, 2), (2, 2), (3, 2), (4, 2), (5, 3)]
    assert page.locator("table:visible caption").inner_text() == "Step 3, after “Hund”"
    assert "“schläft” (sleeps) comes out" in says(page)
    press.click()
    assert (written(page), rows_in_sight(page)) == ([], 1)
    assert says(page).startswith("“START” stands written")
    press.click()
    assert "most is on “dog”" in says(page)
    page.get_by_role("button", name="Reset").click()
    assert written(page) == ["der", "Hund"]


def test_bars_are_as_high_as_the_weights(show):
    page = show(FIGURE, at=f"#unfold={STAGES - 1}", reduced_motion="reduce")
    high = [bar.bounding_box()["height"] for bar in page.locator(".cl-bar:visible").all()]
    assert high[1] == pytest.approx(3 * high[0], rel=0.02)
    assert max(high[2:]) <= 1


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="want a step of 3 to open, got 3"):
        unfold(SOURCE, STEPS, {}, 3)
    with pytest.raises(ValueError, match="want 4 weights, got 5"):
        unfold(SOURCE[:4], STEPS, {})
