"""Every page of the finished book, opened in a browser that has no network.

A page is opened twice, on a desk and on a phone, and seen light and dark each time. All of axe's
rules are asked on the desk, and on the phone again all that width can touch; those about colours
are asked of one element of each look, in each of the four variants where the look is new.
"""

import pytest

from tests.book.checks import (
    DESKTOP,
    LAY_OUT,
    PHONE,
    broken_commands,
    heavy_files,
    look_at,
    looks_judged,
    off_screen,
    scrolling,
    turn,
)

pytestmark = pytest.mark.browser


def test_page_is_sealed_silent_accessible_and_fits(visit, book_address, page_name):
    """Few visits for all that can be seen in one: opening a page is what takes the time."""
    page, asked, failed, complaints = visit(page_name, DESKTOP, "light")
    look_at(page, book_address, DESKTOP, "light", asked, failed, complaints)
    assert heavy_files(asked, book_address, page_name) == []
    judged = looks_judged(page, others=True)
    turn(page, "dark")
    look_at(page, book_address, DESKTOP, "dark", asked, failed, complaints)
    judged = looks_judged(page, judged)

    phone = visit(page_name, PHONE, "dark")
    look_at(phone.page, book_address, PHONE, "dark", *phone[1:])
    judged = looks_judged(phone.page, judged)
    assert off_screen(phone.page, PHONE) == []
    turn(phone.page, "light")
    look_at(phone.page, book_address, PHONE, "light", *phone[1:])
    phone.page.evaluate(LAY_OUT)
    looks_judged(phone.page, judged, others=True)

    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert scrolling(page, "div.cell_input pre") == [], "code wider than the column"
    assert scrolling(page, "div.wrapping pre") == [], "printed sentences that do not wrap"
    assert scrolling(page, "div.math") == [], "formulas wider than the column"
    assert off_screen(page, DESKTOP) == []
    assert broken_commands(page, DESKTOP) == [], "commands that do not stand in one box"

    phone.page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert broken_commands(phone.page, PHONE) == [], "commands that do not stand in one box"
