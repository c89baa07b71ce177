"""Heads to switch: maps, words and bars do what they say, and the shares are PyTorch's."""

import re

import pytest

from course_lab.experiments.multi_head import in_page
from course_lib.models.cloze import without_heads
from tests.book.catalogue import html
from tests.book.piece import Piece

pytestmark = pytest.mark.browser

TEXT, GAP = in_page.SENTENCES[0]


@pytest.fixture(scope="module")
def wanted():
    """Bars as PyTorch has them: the likeliest words of the whole network, without some heads.

    Then the likeliest of the other words, and the rest of these.
    """
    stored = in_page.load()
    reads = in_page.mean_reads(stored)

    def bars(text=TEXT, gap=GAP, off=()):
        whole = in_page.filled(stored, text.split(), gap)
        bare = stored._replace(model=without_heads(stored.model, off, reads))
        found, best = in_page.filled(bare, text.split(), gap), whole.topk(in_page.SHOWN).indices
        others = found.index_fill(0, best, 0)
        rest = [others.max().item(), (others.sum() - others.max()).item()]
        return pytest.approx([*found[best].tolist(), *rest], abs=0.006)

    return bars


def test_heads_gaps_and_sentences_are_pytorchs(show, wanted):
    piece = Piece(show(html("switches")))
    assert piece.shares == wanted()
    head = piece.find(".cl-head").first
    head.click()
    assert head.get_attribute("aria-pressed") == "false"
    assert piece.shares == wanted(off=[(0, 0)])
    assert "“has”" in piece.says
    assert "without layer 1, head 1" in piece.says
    piece.keys("Enter")
    assert piece.shares == wanted()
    piece.find(".cl-word").nth(1).click()
    assert piece.shares == wanted(gap=1)
    text, gap = in_page.SENTENCES[3]
    piece.take(3)
    assert piece.count(".cl-word") == len(text.split())
    assert piece.shares == wanted(text, gap)
    piece.find(".cl-head").nth(5).click()
    piece.press("All heads on")
    assert piece.shares == wanted(text, gap)
    piece.press("Reset")
    # The word that wins has a bar with its name, whatever is off.
    for head in piece.find(".cl-head").all()[:7]:
        head.click()
        said = re.search("The network says “(.*?)”", piece.says)[1]
        names, (*named, rest) = piece.texts(".cl-bar-rows .cl-label"), piece.shares
        assert names[named.index(max(named))] == said
        assert rest >= 0
        assert names[-1] == "any other word"
    assert said not in names[: in_page.SHOWN]


def test_a_first_tap_shows_where_a_head_looks_and_the_next_one_switches_it(show, wanted):
    piece = Piece(show(html("switches"), width=390, has_touch=True))
    head, before, name = piece.find(".cl-head").nth(2), piece.shares, ".cl-head.cl-{} .cl-name"
    head.tap()
    assert "layer 1, head 3. Tap its map to switch it off." in piece.find(".cl-stage").inner_text()
    assert head.get_attribute("aria-pressed") == "true"
    assert piece.texts(name.format("seen")) == ["layer 1, head 3"]
    assert piece.shares == before
    head.tap()
    assert head.get_attribute("aria-pressed") == "false"
    assert head.locator(".cl-mode").inner_text() == "off"
    assert "layer 1, head 3. Tap its map to switch it on." in piece.find(".cl-stage").inner_text()
    assert piece.shares == wanted(off=[(0, 2)])
    head.tap()
    assert piece.shares == before
    # By key the focus shows a head and Enter switches it, after a finger too.
    piece.find(".cl-head").nth(4).tap()
    piece.keys("Tab")
    assert piece.texts(name.format("seen")) == ["layer 2, head 2"]
    piece.keys("Enter")
    assert piece.texts(name.format("off")) == ["layer 2, head 2"]
    piece.keys("Space")
    assert piece.count(".cl-head.cl-off") == 0
