"""The search by typing, in Firefox."""

import pytest

pytestmark = pytest.mark.browser


def test_the_search_finds_sections_by_typing(firefox_visit):
    tab = firefox_visit("search.html")
    tab.press(*"attenton")
    tab.until("document.getElementById('search-status').textContent.includes('with “attention”')")
    first = tab.evaluate("document.querySelector('#search-results a').pathname")
    tab.press("Tab", "Enter")
    tab.until(f"location.pathname === '{first}'")
