"""Every page of the finished book, opened in a browser that has no network.

Each page is opened in four variants, wide and narrow, light and dark. All of axe's rules are asked
once a page. In the other variants are asked those that the variant can touch: on the phone every
rule but those about colours, and about colours in each variant one element of each look.
"""

import pytest

from tests.book.checks import (
    COLOUR_RULES,
    DESKTOP,
    PHONE,
    colour_violations,
    heavy_files,
    look_at,
    off_screen,
    scrolling,
    violations,
)

WHOLE, *VARIANTS = [(DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")]

pytestmark = pytest.mark.browser


def test_page_is_sealed_silent_accessible_and_fits(visit, book_address, page_name):
    """One visit for all that can be seen in one: opening a page is what takes the time."""
    width, scheme = WHOLE
    page, asked, failed, complaints = visit(page_name, width, scheme)
    look_at(page, book_address, width, scheme, asked, failed, complaints)
    assert violations(page) == []
    assert heavy_files(asked, book_address, page_name) == []
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert scrolling(page, "div.cell_input pre") == [], "code wider than the column"
    assert scrolling(page, "div.wrapping pre") == [], "printed sentences that do not wrap"
    assert scrolling(page, "div.math") == [], "formulas wider than the column"
    assert off_screen(page, width) == []


@pytest.mark.parametrize(("width", "scheme"), VARIANTS)
def test_page_is_as_good_in_its_other_variants(visit, book_address, page_name, width, scheme):
    page, asked, failed, complaints = visit(page_name, width, scheme)
    look_at(page, book_address, width, scheme, asked, failed, complaints)
    if (width, scheme) == (PHONE, "light"):
        others = {rule: {"enabled": False} for rule in COLOUR_RULES}
        assert violations(page, {"rules": others}) == []
    assert colour_violations(page) == []
    assert off_screen(page, width) == []
