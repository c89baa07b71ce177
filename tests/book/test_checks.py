"""What is looked for on a page is found, on a page of a few words."""

import pytest

from tests.book.checks import spoiled

pytestmark = pytest.mark.browser

LETTERS = "<p id='{0}' style='font: {1} serif'>words</p>"


def test_small_letters_are_judged_apart_from_large_ones_of_the_same_colour(new_page):
    """At 3.5 to 1 large letters may stand, small ones may not; the large ones come first here."""
    sizes = {"title": "30px", "bold": "bold 19px", "small": "19px", "note": "bold 14px"}
    page = new_page().page
    letters = "".join(LETTERS.format(*each) for each in sizes.items())
    # A single sign, of which axe says nothing, is not asked for the words of its look.
    sign = "<p style='font: 19px serif'>×</p>"
    page.set_content(f"<main style='color: #8a8a8a'>{sign}{letters}</main>")
    found = {line.split()[1].rstrip(":") for line in spoiled(page, set())}
    page.close()
    assert found == {"#small", "#note"}
