"""What the frame around every figure does: addresses, a start when it is near, schemes."""

import pytest

from tests.book.catalogue import html
from tests.book.checks import DARK, SETTLE, address_of
from tests.book.piece import Piece

pytestmark = pytest.mark.browser

KINDS = ("chain", "length", "em", "attention")


def all_of_them() -> str:
    return "".join(map(html, KINDS))


def test_the_link_of_a_section_and_states_of_others_stay(show):
    page = show(all_of_them(), at="#a-section")
    em = Piece(page, "em")
    assert address_of(page) == "#a-section"
    em.press("Step")
    assert address_of(page) == "#em=1"
    em.press("Reset")
    assert address_of(page) == "#a-section"
    page = show(all_of_them(), at="#gaze=0.1~2~&em=2")
    Piece(page, "length").choose("256")
    Piece(page, "em").press("Reset")
    assert address_of(page) == "#gaze=0.1~2~&length=1"


def test_the_same_figure_twice_has_ids_keys_and_states_of_its_own(show):
    page = show(all_of_them() * 2, at="#em2=2")
    ids = page.locator(".cl-fig").evaluate_all("all => all.map(e => e.id)")
    assert len(set(ids)) == len(ids) == 2 * len(KINDS)
    assert [text[:8] for text in page.locator(".cl-em .cl-say").all_text_contents()] == [
        *("At the s", "After 2 "),
    ]
    first, second = (page.locator(".cl-attention").nth(i) for i in (0, 1))
    second.get_by_label("Haus").check(force=True)
    assert first.get_by_label("das").is_checked()
    assert second.locator(".cl-say").inner_text().startswith("Step 2 of 2")
    assert first.locator(".cl-say").inner_text().startswith("Step 1 of 2")


def test_a_link_within_the_page_leads_to_a_state_out_of_its_fold(show):
    page = show(f"<a href='#em=2'>there</a><details>{html('em')}</details>")
    page.get_by_role("link").click()
    page.locator(".cl-em").wait_for()
    assert Piece(page).says.startswith("After 2 iterations")
    # What was hidden as the page loaded is drawn for the width it has.
    assert page.locator(".cl-em .cl-chart svg").bounding_box()["width"] > 300


def test_a_front_end_that_moves_the_scripts_starts_the_figures_too(show):
    """Some take scripts out and run them elsewhere; then `document.currentScript` is no help."""
    page = show("<div id='host'></div>")
    page.evaluate(
        """html => {
          const host = document.getElementById("host");
          host.innerHTML = html;
          for (const script of host.querySelectorAll("script")) {
            new Function(script.textContent)();
          }
        }""",
        all_of_them() * 2,
    )
    page.evaluate(SETTLE)
    assert page.locator(".cl-fig[data-on] .cl-say").count() == 2 * len(KINDS)


@pytest.mark.parametrize(
    "before", ["window.requestIdleCallback = () => 0;", "delete window.requestIdleCallback;", " "]
)
def test_a_figure_far_down_is_built_when_near_or_idle_or_printed(show, before):
    page = show(f"<div style='height:5000px'></div>{html('plane')}", before=before)
    built = page.locator(".cl-fig[data-on]")
    if "0" in before:  # never idle
        assert built.count() == 0
        assert page.locator(".cl-fig > :visible").count() == 0
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert built.count() == 1
        page = show(f"<div style='height:5000px'></div>{html('plane')}", before=before)
        page.mouse.wheel(0, 4300)
    page.locator(".cl-fig[data-on]").wait_for()
    # Once, whatever else comes.
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".cl-say").count() == 1


@pytest.mark.parametrize(
    "page_html", [DARK, 'html lang="en" theme="dark"', 'html lang="en" data-jp-theme-light="false"']
)
def test_the_dark_scheme_is_followed_in_the_book_in_colab_and_in_jupyterlab(show, page_html):
    page = show(html("plane"), html=page_html)
    assert Piece(page).style(":scope", "backgroundColor") == "rgb(20, 24, 30)"


def test_nothing_moves_for_those_who_asked_for_rest(show):
    for motion, seconds in (("reduce", "0s"), ("no-preference", "0.25s")):
        page = show(html("chain"), reduced_motion=motion)
        moves = Piece(page).style(".cl-chain-row .cl-box", "transitionDuration")
        assert moves.startswith(seconds)
