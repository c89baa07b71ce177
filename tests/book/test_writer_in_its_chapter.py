"""The Transformer that runs in the page of chapter 10 is fetched there when it is touched."""

import pytest

from course_lib.experiments.transformer import in_page
from tests.book.test_writer import Piece

pytestmark = pytest.mark.browser

OPENS = ("notebooks/10_transformer.html",)


def test_its_weights_come_when_it_is_touched(visit):
    page, asked, failed, complaints = visit(OPENS[0])
    assert not any("course-net" in url for url in asked)
    piece = Piece(page)
    piece.take(1)
    page.wait_for_function(
        "document.querySelector('.cl-writer .cl-say').textContent.includes('“das”')"
    )
    assert sum("course-net" in url for url in asked) == 1
    assert piece.wrote == in_page.SENTENCES[1][1]
    assert (failed, complaints) == ([], [])
