"""Every page of the finished book in Firefox, once, on a desk and on a phone."""

import pytest

from tests.book.checks import DESKTOP, PHONE
from tests.book.firefox_checks import wrong

pytestmark = pytest.mark.browser


def test_page_is_sealed_silent_and_laid_out(firefox_visit, page_name):
    tab = firefox_visit(page_name)
    assert wrong(tab, DESKTOP) == []
    assert wrong(tab, PHONE) == []
