"""What a reader does with the pages of the book: cards, folds, keys, printing, networks, links."""

import mimetypes
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.book.driver import SAY, drag, drive
from tests.book.pages import HTML

HOME, GUIDE, NOTATION = "book/index.html", "book/how_to_use.html", "book/notation.html"
CHAPTER, FOLD = "notebooks/06a_where_to_look.html", "deeper-what-may-i-skip"
WORD, CARD = "a.glossary-word >> nth=0", "#glossary-card"


def test_a_card_explains_a_word_under_the_pointer_and_on_focus(visit):
    page = visit(CHAPTER).page
    word, card = page.locator(WORD), page.locator(CARD)
    word.hover()
    expect(card).to_contain_text(" ")
    expect(word).to_have_attribute("aria-describedby", "glossary-card")
    page.mouse.move(2, 2)
    expect(card).to_be_hidden()
    word.focus()
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(word).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary.html#term-*")


def test_the_first_touch_shows_the_card_and_the_second_follows_the_link(visit):
    page = visit(CHAPTER, width=390, has_touch=True).page
    page.locator(WORD).tap()
    expect(page.locator(CARD)).to_be_visible()
    page.locator("article h1").tap()
    expect(page.locator(CARD)).to_be_hidden()
    page.locator(WORD).tap()
    page.locator(WORD).tap()
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


def test_a_chapter_is_downloaded_as_a_notebook_and_its_cells_have_links(visit):
    page = visit(CHAPTER).page
    with page.expect_download() as download:
        page.locator(".chapter-line a", has_text="Download the notebook").click()
    assert download.value.suggested_filename.endswith(".ipynb")
    cell = page.locator("div.cell").nth(2)
    cell.locator("> .cell-link").focus()
    page.keyboard.press("Enter")
    assert urlsplit(page.url).fragment == cell.get_attribute("id")


def test_folds_open_by_mouse_by_keys_and_by_a_link_into_them(visit):
    page = visit(f"{GUIDE}#{FOLD}").page
    fold = page.locator(f"[id={FOLD}]")
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


@pytest.mark.parametrize(
    ("root", "project"),
    [
        ("https://someone.github.io/course/", "someone/course"),
        ("https://example.org/course/", None),
    ],
)
def test_links_lead_to_the_project_that_the_address_names(tab, book, root, project):
    page = tab(root, width=1280).page

    def answer(route) -> None:
        file = HTML / urlsplit(route.request.url.removeprefix(root)).path
        kind = mimetypes.guess_type(file.name)[0] or "text/plain"
        route.fulfill(body=file.read_bytes(), content_type=kind)

    page.route(f"{root}**", answer)
    page.goto(root + CHAPTER)
    links = page.locator(".chapter-line a.external").evaluate_all("all => all.map(a => a.href)")
    name = CHAPTER.replace(".html", ".ipynb")
    assert (
        links
        == [
            f"https://colab.research.google.com/github/{project}/blob/published/{name}",
            f"https://mybinder.org/v2/gh/{project}/published?urlpath=lab/tree/{name}",
        ][: 2 * bool(project)]
    )
    page.goto(root + HOME)
    end = f"It is at github.com/{project}." if project else "these pages are built from it."
    expect(page.locator("p.project")).to_contain_text(end)
