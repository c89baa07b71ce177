"""The search of the book itself: what its index holds, and that it leads to the places it names."""

import gzip
import json
import re

import pytest

from tests.book.checks import DESKTOP, HTML, look_at
from tests.book.searching import PAGE, asked, status

pytestmark = pytest.mark.browser

INDEX, SCRIPT = "course-search.js", "course-find.js"
MAX_KILOBYTES = 240
"""Index and script together, compressed."""


def test_the_index_is_light_holds_no_tex_and_names_places_of_its_pages(built):
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


# What people type for what a course on attention has; a chapter's own name for it may be another.
TYPED = (
    "GPT", "ChatGPT", "LLM", "positional embedding", "beamsearch", "byte pair", "BPE",
    "transformer", "self attention", "softmax", "teacher forcing", "KV cache", "seq to seq",
    "encoder decoder", "cross-attention", "multihead", "layernorm", "atention", "heatmap",
    "MultiHeadAttention",
)  # fmt: skip


TOLD = """queries => {
    const form = document.querySelector('.course-search form');
    return queries.map(query => {
        form.querySelector('input').value = query;
        form.requestSubmit();
        return document.getElementById('search-status').textContent;
    });
}"""


def test_what_people_type_is_found_and_every_synonym_leads_somewhere(visit):
    page = visit(PAGE).page
    assert "notebooks/04_bahdanau.html#the-idea" in [one["address"] for one in asked(page, "α_ij")]
    assert any(one["text"].startswith("In the code: ") for one in asked(page, "additive_score"))
    asked_for = [*TYPED, *page.evaluate("Object.keys(window.courseSearch.synonyms)")]
    for query, told in zip(asked_for, page.evaluate(TOLD, asked_for), strict=True):
        assert re.search(r"\d+ sections? found( with “.*”)?\.$", told), (query, told)
        assert not told.startswith("No section has all"), query


def test_it_works_from_a_folder(new_page, built):
    """No server, no complaint, and no page fetched for its words."""
    page, fetched, _, complaints = new_page()
    page.goto(f"{(HTML / 'book' / 'notation.html').as_uri()}")
    assert not any(INDEX in url for url in fetched)
    page.keyboard.press("Control+k")
    page.keyboard.type("softmax")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=softmax")
    page.wait_for_function("document.getElementById('search-status').textContent")
    fetched.clear()
    found = asked(page, "attenton")[0]["address"]
    page.locator("#search-results a").first.click()
    page.wait_for_url(f"**/{found}")
    assert complaints == []
    wanted = found.partition("#")[0]
    pages = [url.split("?")[0] for url in fetched if ".html" in url]
    assert [url for url in pages if not url.endswith((wanted, PAGE))] == []
    page.close()
