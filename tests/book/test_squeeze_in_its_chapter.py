"""The translator with one vector that runs in the page of chapter 2 is fetched when touched."""

import pytest

from tests.book.test_squeeze import Piece

pytestmark = pytest.mark.browser

OPENS = ("notebooks/02_seq2seq.html",)


def test_its_weights_come_when_it_is_touched(visit):
    page, asked, failed, complaints = visit(OPENS[0])
    assert not any("course-net" in url for url in asked)
    piece = Piece(page)
    piece.read(6)
    assert sum("course-net" in url for url in asked) == 1
    assert piece.wrote == "eine Katze hat den Brief gefunden ."
    assert (failed, complaints) == ([], [])
