"""The search of the book: what is found, what is said of it, and that it works from a folder."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.book.pages import HTML, violations

INDEX = HTML / "_static" / "course-search.js"
RESULTS, STATUS = "#search-results li a", "#search-status"
SAID = """queries => {
    const form = document.querySelector('.course-search form');
    return queries.map(query => {
        form.querySelector('input').value = query;
        form.requestSubmit();
        const links = [...document.querySelectorAll('#search-results li a')];
        return [document.getElementById('search-status').textContent,
            links.map(a => a.getAttribute('href'))];
    });
}"""
QUERIES = (
    # What is typed, what is said, and an address among those that are found.
    ("vanishing gradient", "sections found.", "book/glossary.html#term-vanishing-gradient"),
    ("α_ij", "found", "notebooks/04_bahdanau.html#the-idea"),
    (r"\\alpha_{ij}", "found", "notebooks/04_bahdanau.html#the-idea"),
    ("attenton", "“attenton” is not in the book", "book/glossary.html#term-attention"),
    ("additive_score", "found", ""),
    ("GPT", "found", ""),
    ("zzqxj", "Nothing found for “zzqxj”.", None),
    ("zzqxj attention", "No section has all of these words", ""),
    ("positional embedding", "found", ""),
    ("KV cache", "found", ""),
    ("MultiHeadAttention", "found", ""),
    ("beamsearch", "found", ""),
)


def test_what_people_type_is_found_and_every_synonym_leads_somewhere(visit):
    page = visit("search.html").page
    answers = page.evaluate(SAID, [query for query, *_ in QUERIES])
    for (query, said, address), (status, links) in zip(QUERIES, answers, strict=True):
        assert said in status, query
        assert (links == []) if address is None else any(address in link for link in links), query
    synonyms = page.evaluate("Object.keys(window.courseSearch.synonyms)")
    for query, (status, _) in zip(synonyms, page.evaluate(SAID, synonyms), strict=True):
        assert re.search(r"\d+ sections? found( with “.*”)?\.$", status), (query, status)


def test_the_index_names_places_of_its_pages_and_holds_no_tex(book):
    text = INDEX.read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("window.courseSearch = ").removesuffix(";\n"))
    pages = [(HTML / name).read_text(encoding="utf-8") for name, _ in index["pages"]]
    assert len(index["sections"]) > 100
    for page, place, title, content, *_ in index["sections"]:
        assert not place or f'id="{place}"' in pages[page], place
        assert not re.search(r"[\\$]|<div", title + content), place


def test_a_word_that_is_everywhere_shows_its_best_and_the_rest_on_demand(visit):
    page = visit("search.html?q=model").page
    expect(page.locator(STATUS)).to_contain_text("sections found")
    total = int(page.locator(STATUS).inner_text().split()[0])
    assert 0 < page.locator(RESULTS).count() < total
    page.get_by_role("button", name="Show the other").press("Enter")
    expect(page.locator(RESULTS)).to_have_count(total)


def test_results_are_marked_accessible_and_followed_by_keys(visit):
    page = visit("search.html", width=390).page
    page.locator(".course-search input").press_sequentially("softmax")
    expect(page.locator("#search-results mark").first).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Tab")
    first = page.locator(RESULTS).first
    expect(first).to_be_focused()
    address = first.get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{address}")
    page.go_back()
    expect(page.locator(RESULTS).first).to_be_visible()


def test_it_works_from_a_folder_and_the_page_is_not_fetched_for_its_words(tab, book):
    one = tab("file:", width=1280)
    one.page.goto((HTML / "book" / "notation.html").as_uri())
    one.page.keyboard.press("Control+k")
    one.page.keyboard.type("softmax")
    one.page.keyboard.press("Enter")
    one.page.wait_for_url("**/search.html?q=softmax")
    expect(one.page.locator(RESULTS).first).to_be_visible()
    pages = {url.split("?")[0] for url in one.requests if ".html" in url}
    assert {url.rpartition("/")[2] for url in pages} == {"notation.html", "search.html"}


@pytest.mark.parametrize("name", ["search.html"])
def test_without_a_script_the_page_says_where_to_look(visit, name):
    link = visit(name, script=False).page.locator(".course-search noscript a")
    expect(link).to_have_attribute("href", "book/glossary.html")
