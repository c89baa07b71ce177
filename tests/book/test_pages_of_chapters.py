"""Each chapter of the book, in one visit."""

import pytest

from tests.book.pages import PAGES, check_page


@pytest.mark.parametrize("name", [name for name in PAGES if name.startswith("notebooks/")])
def test_page(visit, name):
    check_page(visit, name)
