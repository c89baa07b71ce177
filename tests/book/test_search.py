"""The search, by typing: behind a server, and in a folder without one."""

import gzip
import json

import pytest

from tests.book.checks import DESKTOP, HTML, PHONE, look_at, violations

pytestmark = pytest.mark.browser

PAGE = "search.html"
INDEX, SCRIPT = "course-search.js", "course-find.js"
MAX_KILOBYTES = 150
"""Index and script together, compressed."""


def asked(page, query: str) -> list[dict]:
    """The results for what is typed, once the status line told of them."""
    page.locator("#search-status").evaluate("line => line.textContent = ''")
    page.locator(".course-search input").fill("")
    page.locator(".course-search input").press_sequentially(query)
    page.wait_for_function("document.getElementById('search-status').textContent")
    page.wait_for_timeout(250)
    return page.eval_on_selector_all(
        "#search-results li",
        """items => items.map(item => ({
            title: item.querySelector('a').textContent,
            address: item.querySelector('a').getAttribute('href'),
            text: (item.querySelector('.search-text') || item).textContent,
            marked: [...item.querySelectorAll('mark')].map(mark => mark.textContent),
        }))""",
    )


def status(page) -> str:
    return page.locator("#search-status").inner_text()


def test_the_index_is_light_and_holds_no_tex():
    if not (HTML / "index.html").is_file():
        pytest.skip("the book is not built (make book)")
    files = [HTML / "_static" / name for name in (INDEX, SCRIPT)]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 1000 * MAX_KILOBYTES
    told = files[0].read_text(encoding="utf-8")
    index = json.loads(told.removeprefix("window.courseSearch = ").removesuffix(";\n"))
    assert len(index["sections"]) > 100
    for page, place, title, text, *_ in index["sections"]:
        where = f"{index['pages'][page][0]}#{place}"
        assert "\\" not in title + text, where
        assert "$" not in title + text, where
        assert "<div" not in title + text, where


def test_every_section_of_the_index_is_a_place_in_its_page():
    if not (HTML / "index.html").is_file():
        pytest.skip("the book is not built (make book)")
    told = (HTML / "_static" / INDEX).read_text(encoding="utf-8")
    index = json.loads(told.removeprefix("window.courseSearch = ").removesuffix(";\n"))
    pages = [(HTML / name).read_text(encoding="utf-8") for name, _ in index["pages"]]
    missing = [
        f"{index['pages'][page][0]}#{place}"
        for page, place, *_ in index["sections"]
        if place and f'id="{place}"' not in pages[page]
    ]
    assert missing == []


def test_sections_are_found_marked_and_told(visit, book_address):
    page, requests, failed, complaints = visit(PAGE)
    found = asked(page, "vanishing gradient")
    assert status(page) == f"{len(found)} sections found."
    assert found[0]["address"] == "book/glossary.html#term-vanishing-gradient"
    chapter = next(one for one in found if "01_recurrence.html#" in one["address"])
    assert chapter["marked"]
    marked = {word.lower().rstrip("s") for one in found for word in one["marked"]}
    assert marked == {"vanishing", "gradient"}
    look_at(page, book_address, DESKTOP, "light", requests, failed, complaints)
    page.get_by_role("link", name=chapter["title"], exact=True).first.click()
    page.wait_for_url("**/01_recurrence.html#*")
    page.go_back()
    page.wait_for_function("document.querySelectorAll('#search-results li').length")
    assert status(page) == f"{len(found)} sections found."


@pytest.mark.parametrize("query", ["α_ij", "alpha_ij", r"\alpha_{ij}"])
def test_a_symbol_is_found_however_it_is_written(visit, query):
    page = visit(PAGE).page
    found = asked(page, query)
    assert "notebooks/04_bahdanau.html#the-idea" in [one["address"] for one in found]
    assert any("α_ij" in one["marked"] for one in found)
    assert not any("\\" in one["text"] or "$" in one["text"] for one in found)


@pytest.mark.parametrize("query", ["attenton", "attentoin", "attenntion", "atention", "ettention"])
def test_one_wrong_letter_is_forgiven_and_told(visit, query):
    page = visit(PAGE).page
    found = asked(page, query)
    assert found[0]["title"].lower() == "attention"
    assert f"“{query}” is not in the book" in status(page)
    assert "with “attention”" in status(page)


def test_names_of_the_code_are_found(visit):
    page = visit(PAGE).page
    found = asked(page, "additive_score")
    assert any(one["text"].startswith("In the code: ") for one in found)
    assert asked(page, "additivescore")


def test_what_is_nowhere_is_told(visit):
    page = visit(PAGE).page
    assert asked(page, "zzqxj") == []
    assert status(page) == "Nothing found for “zzqxj”."
    assert asked(page, "zzqxj attention")
    assert status(page).startswith("No section has all of these words")


def test_a_word_that_is_everywhere_shows_its_best_and_the_rest_on_demand(visit):
    page = visit(PAGE).page
    first = asked(page, "model")
    total = int(status(page).split()[0])
    assert len(first) < total
    page.get_by_role("button", name="Show the other").press("Enter")
    assert page.locator("#search-results li").count() == total
    assert page.evaluate("document.activeElement.tagName") == "A"
    assert not page.locator(".search-more").is_visible()


@pytest.mark.parametrize(("width", "scheme"), [(DESKTOP, "dark"), (PHONE, "light")])
def test_results_are_accessible_and_reached_by_keyboard(visit, width, scheme):
    page = visit(PAGE, width, scheme).page
    found = asked(page, "α_ij")
    assert violations(page) == []
    assert page.locator("#search-status").get_attribute("role") == "status"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == found[0]["title"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_the_magnifier_covers_no_letter(visit, width):
    """In the field of the page, and in the one that Ctrl+K opens anywhere."""
    page = visit(PAGE, width).page
    elsewhere = visit("book/notation.html", width).page
    elsewhere.keyboard.press("Control+k")
    for shown, where in ((page, ".course-search"), (elsewhere, "#pst-search-dialog[open]")):
        sign = shown.locator(f"{where} .fa-magnifying-glass").bounding_box()
        field = shown.locator(f"{where} input")
        box = field.bounding_box()
        inset = field.evaluate("e => parseFloat(getComputedStyle(e).paddingLeft)")
        assert sign["x"] + sign["width"] <= box["x"] + inset
        assert abs(sign["y"] + sign["height"] / 2 - box["y"] - box["height"] / 2) < 2


def test_the_dialog_leads_to_the_results(visit):
    page = visit("book/notation.html").page
    page.keyboard.press("Control+k")
    page.keyboard.type("perplexity")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=perplexity")
    page.wait_for_function("document.getElementById('search-status').textContent")
    assert "sections found." in status(page)


def test_it_works_from_a_folder(chromium):
    """No server, no complaint, and no page fetched for its words."""
    if not (HTML / "index.html").is_file():
        pytest.skip("the book is not built (make book)")
    page = chromium.new_page()
    said, fetched = [], []
    page.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: fetched.append(request.url.split("?")[0]))
    page.goto(f"{(HTML / 'book' / 'notation.html').as_uri()}")
    assert not any(INDEX in url for url in fetched)
    page.keyboard.press("Control+k")
    page.keyboard.type("softmax")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=softmax")
    page.wait_for_function("document.getElementById('search-status').textContent")
    del fetched[:]
    found = asked(page, "attenton")
    page.locator("#search-results a").first.click()
    page.wait_for_url(f"**/{found[0]['address']}")
    assert said == []
    wanted = found[0]["address"].partition("#")[0]
    assert not [url for url in fetched if url.endswith(".html") and not url.endswith(wanted)]
    page.close()


def test_without_a_script_the_page_says_where_to_look(visit):
    page = visit(PAGE, script=False).page
    told = page.locator(".course-search noscript")
    assert told.is_visible()
    assert told.get_by_role("link").get_attribute("href") == "book/glossary.html"
