"""The Transformer that runs in the page of chapter 10 is fetched there when it is touched."""

import pytest

from course_lab.experiments.transformer import in_page
from tests.book.checks import net_fetched_by_touch
from tests.book.test_writer import Piece

pytestmark = pytest.mark.browser

OPENS = ("notebooks/10_transformer.html",)


def test_its_weights_come_when_it_is_touched(visit):
    visited = visit(OPENS[0])
    piece = Piece(visited.page)
    with net_fetched_by_touch(visited):
        piece.take(1)
        visited.page.wait_for_function(
            "document.querySelector('.cl-writer .cl-say').textContent.includes('“das”')"
        )
    assert piece.wrote == in_page.SENTENCES[1][1]
