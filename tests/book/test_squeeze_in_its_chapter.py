"""The translator with one vector that runs in the page of chapter 2 is fetched when touched."""

import pytest

from tests.book.checks import net_fetched_by_touch
from tests.book.test_squeeze import Piece

pytestmark = pytest.mark.browser

OPENS = ("notebooks/02_seq2seq.html",)


def test_its_weights_come_when_it_is_touched(visit):
    visited = visit(OPENS[0])
    piece = Piece(visited.page)
    with net_fetched_by_touch(visited):
        piece.page.get_by_role("combobox", name="sentence").select_option(index=7)
        piece.read(6)
    assert piece.wrote == "eine Katze hat den Brief gefunden ."
