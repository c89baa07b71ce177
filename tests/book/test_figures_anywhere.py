"""A figure to touch under a finger, in notebooks, twice on a page, in the dark, on paper."""

import pytest
from playwright.sync_api import expect

from course_lab.experiments.bahdanau import in_page as bahdanau
from course_lab.experiments.multi_head import in_page as multi_head
from tests.book.driver import ACTIONS, SAY, drive, middle, swipe
from tests.book.test_figures import FIGURES
from tests.book.test_figures_that_run import BELOW, HEAD
from tests.book.test_figures_that_run import FIGURES as RUNNING

LONG = "<div style='height:3000px'></div>"


def html_of(kind: str) -> str:
    return {**FIGURES, **RUNNING}[kind][0]()._repr_html_()


@pytest.fixture(scope="module")
def four() -> str:
    return "".join(map(html_of, ("chain", "length", "em", "attention")))


def test_a_finger_drags_a_point_or_scrolls_the_page(show):
    page = show(html_of("plane") + LONG, width=390, has_touch=True)
    x, y = middle(page.locator(".cl-q .cl-grip"))
    swipe(page, (x, y), *((x - 10 * i, y + 12 * i) for i in range(1, 8)))
    expect(page.locator(SAY)).to_contain_text("s = (-1")
    assert page.evaluate("scrollY") == 0
    swipe(page, (30, y + 150), *((30, y + 150 - 20 * i) for i in range(1, 8)))
    page.wait_for_function("scrollY > 60")


def test_a_finger_drags_a_ring_to_another_word_or_scrolls_the_page(show):
    page = show(bahdanau.show(0)._repr_html_() + LONG, width=390, has_touch=True)
    root = page.locator(".cl-fig")
    drive(root, [("press", "Reset", BELOW.format(1), "Mann")])
    ring = middle(root.locator(".cl-ring").nth(1))
    book = middle(root.locator(".cl-above .cl-word").nth(8))
    swipe(page, ring, (ring[0] + 20, ring[1] - 20), book)
    drive(root, [("see", SAY, "must look at “book”"), ("see", BELOW.format(1), "Buch")])
    drive(root, [("click", BELOW.format(1), BELOW.format(1), "Mann")])
    x, y = middle(root.locator(".cl-below .cl-word").nth(1))
    swipe(page, (x, y + 4), *((x, y + 4 - 20 * i) for i in range(1, 8)))
    page.wait_for_function("scrollY > 60")
    drive(root, [("see", ".cl-forced", 0)])


def test_a_first_tap_shows_where_a_head_looks_and_the_next_one_switches_it(show):
    page = show(multi_head.show()._repr_html_(), width=390, has_touch=True)
    drive(page.locator(".cl-fig"), [
        ("tap", HEAD.format(2), ".cl-stage", "layer 1, head 3. Tap its map to switch it off."),
        ("see", HEAD.format(2) + "@aria-pressed", "true"),
        ("tap", HEAD.format(2), ".cl-stage", "layer 1, head 3. Tap its map to switch it on."),
        ("see", HEAD.format(2) + "@aria-pressed", "false"),
        ("tap", HEAD.format(2), SAY, "with all heads on"),
    ])  # fmt: skip


def test_states_of_several_figures_share_the_address_with_the_link_of_a_section(show, four):
    page = show(four, at="#a-section")
    em = page.locator(".cl-em")
    for button, address in (("Step", "#em=1"), ("Reset", "#a-section"), ("Step", "#em=1")):
        ACTIONS["press"](em, button)
        page.wait_for_function("address => location.hash === address", arg=address)
    ACTIONS["choose"](page.locator(".cl-length"), "256")
    page.wait_for_function("location.hash === '#em=1&length=1'")


def test_the_same_figure_twice_has_ids_keys_and_states_of_its_own(show, four):
    page = show(four * 2, at="#em2=1")
    ids = page.locator(".cl-fig").evaluate_all("all => all.map(one => one.id)")
    assert len(set(ids)) == len(ids) == 8
    expect(page.locator(".cl-em .cl-say").nth(0)).to_contain_text("At the start")
    expect(page.locator(".cl-em .cl-say").nth(1)).to_contain_text("After 1 iteration")
    page.locator(".cl-attention").nth(1).get_by_label("Haus").check(force=True)
    assert page.locator(".cl-attention").nth(0).get_by_label("das").is_checked()


def test_a_link_leads_to_a_state_out_of_its_fold(show):
    page = show(f"<a href='#em=1'>there</a><details>{html_of('em')}</details>")
    page.get_by_role("link").click()
    expect(page.locator(SAY)).to_contain_text("After 1 iteration")
    expect(page.locator(SAY)).to_be_visible()


def test_a_front_end_that_runs_scripts_elsewhere_starts_the_figures_too(show, four):
    """Then `document.currentScript` is no help."""
    page = show("<div id=host></div>")
    page.evaluate(
        """html => {
            const host = document.getElementById('host');
            host.innerHTML = html;
            for (const script of host.querySelectorAll('script')) new Function(script.text)();
        }""",
        four * 2,
    )
    expect(page.locator(".cl-fig[data-on] .cl-say")).to_have_count(8)


@pytest.mark.parametrize(
    "root", ["lang=en data-theme=dark", "lang=en theme=dark", "lang=en data-jp-theme-light=false"]
)
def test_the_dark_scheme_is_followed_in_the_book_in_colab_and_in_jupyterlab(show, root):
    page = show(html_of("plane"), root=root)
    expect(page.locator(".cl-fig")).to_have_css("background-color", "rgb(20, 24, 30)")


def test_play_shows_one_step_after_the_other(show):
    page = show(html_of("plane"), reduced_motion="no-preference")
    page.evaluate(
        """() => {
            window.said = [];
            const line = document.querySelector('.cl-say');
            const options = {childList: true, characterData: true, subtree: true};
            new MutationObserver(() => said.push(line.innerText)).observe(line, options);
        }"""
    )
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.wait_for_function("new Set(window.said).size > 1")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_every_table_stands_without_a_script_and_on_paper(show):
    body = "".join(map(html_of, [*FIGURES, *RUNNING]))
    page = show(body, script=False)
    expect(page.locator(".cl-asleep").first).to_contain_text("To touch this figure, run its cell")
    for figure in page.locator(".cl-fig").all():
        assert figure.locator("table").first.is_visible()
    page = show(body, root="lang=en data-theme=dark")
    page.emulate_media(media="print")
    for figure in page.locator(".cl-fig").all():
        assert figure.locator("table:visible").count(), figure.get_attribute("class")
        expect(figure).to_have_css("background-color", "rgb(255, 255, 255)")
    assert page.locator(":is(.cl-controls, .cl-fold, .cl-say):visible").count() == 0
