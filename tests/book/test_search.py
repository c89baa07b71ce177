"""The search page, by typing, with a small index in the place of the book's."""

import pytest

from tests.book.checks import DESKTOP, PHONE, violations
from tests.book.searching import OWN_INDEX, PAGE, asked, status

pytestmark = pytest.mark.browser

OPENS = ("search.html", "book/notation.html")


@pytest.fixture
def search(visit):
    """Opens a page whose index of the search is ours."""

    def open_page(name: str = PAGE, *variant, **how):
        return visit(name, *variant, answers={"course-search.js": OWN_INDEX}, **how).page

    return open_page


def test_symbols_names_slips_and_other_words_are_found_and_told(search):
    page = search()
    for query in ("α_ij", "alpha_ij", r"\alpha_{ij}"):
        found = asked(page, query)
        assert "notebooks/04_bahdanau.html#the-idea" in [one["address"] for one in found], query
        assert any("α_ij" in one["marked"] for one in found), query
        assert not any("\\" in one["text"] or "$" in one["text"] for one in found), query
    for query in ("attenton", "attentoin", "attenntion", "atention", "ettention"):
        assert asked(page, query)[0]["title"].lower() == "attention", query
        assert f"“{query}” is not in the book" in status(page)
        assert "with “attention”" in status(page)
    # What the book calls otherwise.
    assert asked(page, "GPT")[0]["address"] == "notebooks/04_bahdanau.html#measure-it"
    assert status(page) == "“gpt” is “perplexity sentence” here; 1 section found."
    assert asked(page, "Probability embeddings")
    assert "is “softmax score” here" in status(page)
    # What stands in the book itself means itself.
    asked(page, "model")
    assert "here" not in status(page)
    # Two words typed as one.
    assert asked(page, "eachrow")[0]["address"].endswith("#weights")
    assert status(page) == "“eachrow” is “each row” here; 1 section found."
    # German words of a result say so.
    asked(page, "perplexity")
    marks = page.locator("#search-results [lang=de]")
    assert set(marks.all_text_contents()) == {"wavers"}
    assert not marks.first.evaluate("mark => mark.translate")
    found = asked(page, "additive_score")
    assert any(one["text"].startswith("In the code: ") for one in found)
    assert asked(page, "additivescore")
    assert asked(page, "zzqxj") == []
    assert status(page) == "Nothing found for “zzqxj”."
    assert asked(page, "zzqxj attention")
    assert status(page).startswith("No section has all of these words")


def test_a_word_that_is_everywhere_shows_its_best_and_the_rest_on_demand(search):
    page = search()
    first = asked(page, "model")
    total = int(status(page).split()[0])
    assert len(first) < total
    page.get_by_role("button", name="Show the other").press("Enter")
    assert page.locator("#search-results li").count() == total
    assert page.evaluate("document.activeElement.tagName") == "A"
    assert not page.locator(".search-more").is_visible()


@pytest.mark.parametrize(("width", "scheme"), [(DESKTOP, "dark"), (PHONE, "light")])
def test_results_are_accessible_and_reached_by_typing_and_by_keyboard(search, width, scheme):
    page = search(PAGE, width, scheme)
    page.locator(".course-search input").press_sequentially("α_ij")
    first = page.locator("#search-results li a").first
    first.wait_for()
    assert violations(page) == []
    assert page.locator("#search-status").get_attribute("role") == "status"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == first.text_content()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # The magnifier covers no letter, here and in the field that Ctrl+K opens anywhere.
    elsewhere = search("book/notation.html", width)
    elsewhere.keyboard.press("Control+k")
    for shown, where in ((page, ".course-search"), (elsewhere, "#pst-search-dialog[open]")):
        sign = shown.locator(f"{where} .fa-magnifying-glass").bounding_box()
        field = shown.locator(f"{where} input")
        box = field.bounding_box()
        inset = field.evaluate("e => parseFloat(getComputedStyle(e).paddingLeft)")
        assert sign["x"] + sign["width"] <= box["x"] + inset
        assert abs(sign["y"] + sign["height"] / 2 - box["y"] - box["height"] / 2) < 2
    elsewhere.keyboard.type("perplexity")
    elsewhere.keyboard.press("Enter")
    elsewhere.wait_for_url("**/search.html?q=perplexity")
    elsewhere.wait_for_function("document.getElementById('search-status').textContent")
    assert "sections found." in status(elsewhere)


def test_without_a_script_the_page_says_where_to_look(search):
    told = search(script=False).locator(".course-search noscript")
    assert told.is_visible()
    assert told.get_by_role("link").get_attribute("href") == "book/glossary.html"
