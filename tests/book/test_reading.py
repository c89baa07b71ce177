"""What a reader does with the pages of the book: words, folds, keys, printing, networks."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.book.driver import SAY, drag, drive
from tests.book.pages import HTML

HOME, GUIDE, NOTATION = "book/index.html", "book/how_to_use.html", "book/notation.html"
CHAPTER, FOLD = "notebooks/06a_where_to_look.html", "deeper-what-may-i-skip"
WORD = "a.glossary-word >> nth=0"


def test_a_word_of_the_glossary_says_what_it_means_and_leads_there(visit):
    page = visit(CHAPTER).page
    word = page.locator(WORD)
    assert len(word.get_attribute("title").split()) > 4
    word.click()
    page.wait_for_url("**/glossary.html#term-*")


def test_arrow_keys_turn_pages_but_not_from_a_figure(visit):
    page = visit(CHAPTER).page
    slider = page.locator("input[type=range]:visible").first
    before = slider.input_value()
    slider.focus()
    page.keyboard.press("ArrowLeft" if before == slider.get_attribute("max") else "ArrowRight")
    assert slider.input_value() != before
    assert urlsplit(page.url).path.endswith(CHAPTER)
    page.locator("article h1").click()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/06b_soft_and_hard.html")


def test_a_chapter_is_downloaded_as_a_notebook(visit):
    page = visit(CHAPTER).page
    page.get_by_role("button", name="Download this page").click()
    with page.expect_download() as download:
        page.locator("a.btn-download-source-button").click()
    assert download.value.suggested_filename.endswith(".ipynb")


def test_folds_open_by_mouse_by_keys_and_by_a_link_into_them(visit):
    page = visit(f"{GUIDE}#{FOLD}").page
    fold = page.locator(f"details:has([id={FOLD}])")
    inside, summary = fold.locator("p").first, fold.locator("> summary")
    expect(inside).to_be_visible()
    summary.click()
    expect(inside).to_be_hidden()
    page.keyboard.press("Enter")
    expect(inside).to_be_visible()
    page = visit(CHAPTER).page
    solution = page.locator("details.hide summary", has_text="Show solution").first
    solution.focus()
    page.keyboard.press("Enter")
    expect(page.locator("details.hide[open] > summary").first).to_contain_text("Hide solution")


def test_a_chapter_is_printed_open_light_and_without_its_frame(visit):
    page = visit(CHAPTER, color_scheme="dark").page
    folded = ".bd-article details:not([open], .cl-fig *)"
    before = page.locator(folded).count()
    assert before
    page.evaluate(
        """folded => addEventListener('beforeprint', () => {
            const theme = document.documentElement.dataset.theme;
            window.printed = [document.querySelectorAll(folded).length, theme];
        })""",
        folded,
    )
    assert page.pdf().startswith(b"%PDF")
    assert page.evaluate("window.printed") == [0, "light"]
    assert page.locator(folded).count() == before
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.emulate_media(media="print")
    for frame in (".bd-sidebar-primary", ".bd-header-article", ".prev-next-area"):
        expect(page.locator(frame).first).to_be_hidden()
    expect(page.locator("h1:visible")).to_have_count(1)


def test_formulas_need_no_script_and_are_copied_as_tex(visit):
    for script in (False, True):
        page = visit(NOTATION, script=script).page
        box = page.locator("math").first.bounding_box()
        assert 5 < box["width"] < 200
    tex, copied = page.evaluate(
        """() => {
            const part = document.querySelector('math').closest('li, p, td, tr');
            document.getSelection().selectAllChildren(part);
            const data = new DataTransfer();
            const how = {clipboardData: data, bubbles: true, cancelable: true};
            document.dispatchEvent(new ClipboardEvent('copy', how));
            return [part.querySelector('annotation').textContent, data.getData('text/plain')];
        }"""
    )
    assert f"${tex.strip()}$" in copied


def net_requests(visited) -> int:
    return sum("course-net" in url for url in visited.requests)


STEERED = {
    "notebooks/02_seq2seq.html": (".cl-squeeze", [
        ("take", "sentence", 7, ".cl-above .cl-word", 20),
        ("click", ".cl-above .cl-word >> nth=5", SAY, "6 of 20 words and marks are read"),
    ]),
    "notebooks/10_transformer.html": (".cl-writer", [
        ("take", "sentence", 1, ".cl-below", "Mädchen"),
    ]),
    "notebooks/14_gpt.html": (".cl-gpt", [
        ("press", "Step", SAY, "Next"),
    ]),
    "notebooks/15_back_to_recurrence.html": (".cl-mixers", [
        ("slide", "orders", "4", SAY, "softmax: 4 of 4 right"),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("name", STEERED)
def test_a_network_comes_when_its_figure_is_touched(visit, name):
    visited = visit(name)
    assert net_requests(visited) == 0
    figure, rows = STEERED[name]
    drive(visited.page.locator(figure), rows)
    assert net_requests(visited) == 1


def test_home_has_a_way_in_and_a_network_to_steer(visit):
    visited = visit(HOME)
    page = visited.page
    assert page.locator(".start a").first.get_attribute("href").startswith("../notebooks/")
    root = page.locator(".cl-gaze")
    drag(root, ".cl-ring >> nth=5", ".cl-above .cl-word >> nth=1")
    expect(root.locator(".cl-say")).to_contain_text("must look")
    assert net_requests(visited) == 1
    page.wait_for_function("location.hash.startsWith('#gaze=')")
    again = visit(HOME + page.evaluate("location.hash")).page
    expect(again.locator(".cl-gaze .cl-forced")).to_have_count(1)


def test_the_translator_on_home_is_opened_by_a_click_and_translates(visit):
    visited = visit(HOME)
    page = visited.page
    assert not any("course-figure" in url for url in visited.requests)
    page.locator(".opens a[data-figure]").click()
    box = page.locator(".opens .cl-translator")
    box.locator("input[type=text]").fill("A woman with a hat is reading a book on a bench.")
    assert net_requests(visited) == 0
    box.get_by_role("button", name="Translate", exact=True).click()
    expect(box.locator(".cl-below")).to_contain_text("Frau")


def test_home_works_from_a_folder(tab, book):
    page = tab("file:", width=1280).page
    page.goto((HTML / HOME).as_uri())
    page.locator(".cl-gaze .cl-above .cl-word", has_text="horses").click()
    expect(page.locator(".cl-gaze .cl-say")).to_contain_text("New:")
    page.locator(".opens a[data-figure]").click()
    expect(page.locator(".opens .cl-translator .cl-below")).to_be_visible()


def test_a_figure_works_in_the_frame_of_a_learning_platform(tab, book):
    """Such a frame may keep nothing: `localStorage` throws there, in the theme's scripts too."""
    one = tab(book, width=1280)
    page = one.page
    page.set_content(
        "<!doctype html><title>A platform</title><iframe sandbox=allow-scripts width=1000 "
        f"height=800 src='{book}/{CHAPTER}'></iframe>"
    )
    figure = page.frame_locator("iframe").locator(".cl-fig[data-on]").first
    fold = figure.locator("button.cl-fold").first
    fold.click()
    expect(fold).to_have_attribute("aria-expanded", "true")
    one.problems.clear()
