"""The tree of a beam search: widths, steps, hypotheses and the cache, by mouse, touch and keys."""

import re

import pytest

from course_lab.experiments.decoding import tree
from tests.book.catalogue import html
from tests.book.piece import Piece

pytestmark = pytest.mark.browser

SOURCE, RIGHT, SEARCHES = tree.load()


class Tree(Piece):
    """The figure, with its nodes."""

    @property
    def way(self) -> str:
        """The words on the way that is marked."""
        return " ".join(self.texts(".cl-node.cl-on .cl-word"))

    @property
    def nodes(self) -> int:
        return self.count(".cl-node:not(.cl-dropped)")

    def node(self, step: int, place: int):
        return self.find(f'[data-at="{step}.{place}"]')

    def beams(self, number: int) -> None:
        self.find(".cl-key").nth(number - 1).click()


def signed(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def test_it_opens_on_the_end_of_two_beams_and_no_word_reaches_over_its_box(show):
    piece = Tree(show(html("beams")))
    assert piece.way == " ".join([*RIGHT, "END"])
    assert f"= {signed(SEARCHES[2].total)}. The most probable that was found." in piece.says
    assert "This is the right translation." in piece.says
    assert piece.nodes == sum(map(len, SEARCHES[2].steps))
    wide = piece.find(".cl-node").evaluate_all(
        """nodes => nodes.map((node) => node.querySelector(".cl-word").getBBox().width
            - node.querySelector("rect").width.baseVal.value)"""
    )
    assert max(wide) < -4
    # One box is a tab stop, and the arrows follow the branches.
    stops, here = piece.find('.cl-node[tabindex="0"]'), "document.activeElement.dataset.at"
    stops.focus()
    for t in range(len(SEARCHES[2].steps) - 2, -1, -1):
        piece.keys("ArrowLeft")
        assert piece.page.evaluate(here).startswith(f"{t}.")
        assert stops.count() == 1
    assert piece.way == RIGHT[0]
    for key, at in (("ArrowDown", "0.1"), ("ArrowUp", "0.0"), ("ArrowRight", "1.0")):
        piece.keys(key)
        assert piece.page.evaluate(here) == at


@pytest.mark.parametrize("width", sorted(SEARCHES))
def test_each_width_shows_its_own_search_and_numbers_that_add_up(show, width):
    piece = Tree(show(html("beams")))
    piece.beams(width)
    found = SEARCHES[width]
    assert piece.way == " ".join([*found.written, "END"])
    assert f"= {signed(found.total)}." in piece.says
    assert ("This is the right translation" in piece.says) == (found.written == RIGHT)
    shown = piece.find(".cl-node").evaluate_all(
        """all => all.map(e => [e.dataset.at,
            [...e.querySelectorAll('text')].map(t => t.textContent),
            e.classList.contains('cl-dead'), e.ariaLabel])"""
    )
    told = {at: rest for at, *rest in shown}
    for t, nodes in enumerate(found.steps):
        last = t + 1 == len(found.steps)
        alive = set() if last else {node.parent for node in found.steps[t + 1]}
        for j, node in enumerate(nodes):
            before = found.steps[t - 1][node.parent].total if t else 0.0
            texts, dead, label = told[f"{t}.{j}"]
            assert texts == [node.word, signed(node.total - before), signed(node.total)]
            # What nothing continues is dropped in looks and in words.
            if not last:
                assert dead == label.endswith("dropped") == (not node.ended and j not in alive)
    sums = piece.find(".cl-node").evaluate_all(
        """all => all.map(e => {
            e.dispatchEvent(new MouseEvent('click', {bubbles: true}));
            return [document.querySelector('.cl-say').innerText,
                document.querySelector('[aria-pressed="true"] .cl-total').textContent];
        })"""
    )
    for says, total in sums:
        parts, _, rest = says.split("”: ")[1].partition(" = ")
        numbers = re.findall(r"[−+]? ?\d+\.\d{3}", parts)
        added = sum(float(number.replace("−", "-").replace(" ", "")) for number in numbers)
        assert signed(round(added, 3)) == total
        assert rest.startswith(total + ".")


def test_a_step_adds_its_words_and_the_caches_grow_with_it(show):
    piece = Tree(show(html("beams")))
    piece.press("Step", "Step")
    # The rows of the cache are named and say where they go.
    assert piece.texts(".cl-cache .cl-sum") == ["1 ein", "2 eine"]
    assert piece.texts(".cl-cache .cl-goes") == ["→ Junge, kleiner", "dropped"]
    piece.press("Reset", "Step")
    for t, nodes in enumerate(SEARCHES[2].steps):
        assert piece.nodes == sum(map(len, SEARCHES[2].steps[: t + 1]))
        alive = sum(not node.ended for node in SEARCHES[2].steps[t - 1]) if t else 1
        assert piece.count(".cl-cache rect") == alive * (t + 1)
        assert piece.count(".cl-cache .cl-new") == alive
        words = "word" if alive == 1 else "words"
        assert f"Step {t + 1} read {alive} new {words} and kept {alive * t}" in piece.says
        assert piece.count(f'[data-at^="{t}."]:not(.cl-dropped)') == len(nodes)
        piece.press("Step")
    # From the end it begins again.
    assert piece.nodes == len(SEARCHES[2].steps[0])
