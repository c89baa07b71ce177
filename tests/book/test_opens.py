"""The translator on the home page: its first state weighs next to nothing, and a click opens it."""

import pytest

from course_lab.experiments.real import in_page
from tests.book.checks import HTML

pytestmark = pytest.mark.browser

OPENS = ("book/index.html", "book/translate.html")
HOME = OPENS[0]
LINK = ".opens a[data-figure]"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_click_opens_it_and_nothing_of_it_was_there_before(visit, width, scheme):
    visited = visit(HOME, width, scheme)
    page = visited.page
    first = in_page.stored()
    rows = page.locator(".opens > p")
    assert rows.nth(0).locator("span").all_inner_texts() == list(first.source)
    assert rows.nth(1).locator("span").all_inner_texts() == list(first.words)
    assert f"{len(in_page.in_one_file()) / 1e6:.1f} MB" in page.locator(LINK).inner_text()
    assert not any("course-figure" in url or "course-net" in url for url in visited.asked)
    page.locator(LINK).click()
    page.locator(".opens .cl-translator .cl-below").wait_for()
    assert page.locator(".cl-translator .cl-below .cl-text").all_inner_texts()[: len(first.words)]
    # The figure alone: the network comes with the first sentence.
    assert sum("course-figure" in url for url in visited.asked) == 1
    assert not any("course-net" in url for url in visited.asked)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert visited.complaints == []


def test_it_translates_there(visit):
    page = visit(HOME).page
    page.locator(LINK).click()
    box = page.locator(".opens .cl-translator")
    box.locator("input[type=text]").fill("A woman with a hat is reading a book on a bench.")
    box.get_by_role("button", name="Translate", exact=True).click()
    page.wait_for_function(
        "document.querySelector('.opens .cl-below').textContent.includes('Frau')", timeout=60_000
    )


def test_without_script_the_link_leads_to_the_page_of_the_translator(visit):
    page = visit(HOME, script=False).page
    address = page.locator(LINK).get_attribute("href")
    assert (HTML / "book" / address).is_file()


def test_it_opens_from_a_folder(chromium, built):
    page = chromium.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((HTML / HOME).as_uri())
    page.locator(LINK).click()
    page.locator(".opens .cl-translator .cl-below").wait_for()
    assert complaints == []
    page.close()
