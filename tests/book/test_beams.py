"""The tree of a beam search: widths, steps, hypotheses and the cache, by mouse, touch and keys."""

import re

import pytest

from course_lab.experiments.decoding import tree

pytestmark = pytest.mark.browser

FIGURE = tree.show()._repr_html_()
SOURCE, RIGHT, SEARCHES = tree.load()


class Tree:
    """The figure on a page, in a reader's words."""

    def __init__(self, page) -> None:
        self.page = page
        self.nodes = page.locator(".cl-node:not(.cl-dropped)")
        self.others = page.locator(".cl-node.cl-dropped")
        self.squares = page.locator(".cl-cache rect")

    @property
    def says(self) -> str:
        return self.page.locator(".cl-say").inner_text()

    @property
    def way(self) -> str:
        """The words on the way that is marked."""
        return " ".join(self.page.locator(".cl-node.cl-on .cl-word").all_text_contents())

    def node(self, step: int, place: int):
        return self.page.locator(f'[data-at="{step}.{place}"]')

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def beams(self, number: int) -> None:
        self.page.locator(".cl-key").nth(number - 1).click()


def signed(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def line(width: int, step: int, place: int) -> list:
    """The hypotheses from the first step to this one."""
    found = []
    for t in range(step, -1, -1):
        found.insert(0, SEARCHES[width].steps[t][place])
        place = found[0].parent
    return found


def test_it_opens_on_the_end_of_two_beams(show):
    piece = Tree(show(FIGURE))
    assert piece.way == " ".join([*RIGHT, "END"])
    assert f"= {signed(SEARCHES[2].total)}. The most probable that was found." in piece.says
    assert "This is the right translation." in piece.says
    assert piece.nodes.count() == sum(map(len, SEARCHES[2].steps))


def test_no_word_reaches_over_the_edge_of_its_box(show):
    wide = show(FIGURE).evaluate(
        """() => [...document.querySelectorAll(".cl-node")].map((node) => [
          node.querySelector(".cl-word").getBBox().width,
          node.querySelector("rect").width.baseVal.value,
        ])"""
    )
    assert max(word - box for word, box in wide) < -4


@pytest.mark.parametrize("width", sorted(SEARCHES))
def test_each_width_shows_its_own_search(show, width):
    piece = Tree(show(FIGURE))
    piece.beams(width)
    found = SEARCHES[width]
    assert piece.way == " ".join([*found.written, "END"])
    assert f"= {signed(found.total)}." in piece.says
    assert ("This is the right translation" in piece.says) == (found.written == RIGHT)
    for t, nodes in enumerate(found.steps):
        for j, node in enumerate(nodes):
            told = piece.node(t, j).locator("text").all_text_contents()
            before = line(width, t, j)[-2].total if t else 0.0
            assert told == [node.word, signed(node.total - before), signed(node.total)]


def test_a_step_adds_its_words_and_the_caches_grow_with_it(show):
    piece = Tree(show(FIGURE))
    piece.press("Step")
    for t, nodes in enumerate(SEARCHES[2].steps):
        assert piece.nodes.count() == sum(map(len, SEARCHES[2].steps[: t + 1]))
        alive = sum(not node.ended for node in SEARCHES[2].steps[t - 1]) if t else 1
        assert piece.squares.count() == alive * (t + 1)
        assert piece.page.locator(".cl-cache .cl-new").count() == alive
        words = "word" if alive == 1 else "words"
        assert f"Step {t + 1} read {alive} new {words} and kept {alive * t}" in piece.says
        column = piece.page.locator(f'[data-at^="{t}."]:not(.cl-dropped)')
        assert len(nodes) == column.count()
        piece.press("Step")
    # From the end it begins again.
    assert piece.nodes.count() == len(SEARCHES[2].steps[0])
    piece.press("Reset")
    assert piece.way == " ".join([*RIGHT, "END"])


def test_a_hypothesis_that_nothing_continues_is_dropped_in_looks_and_in_words(show):
    piece = Tree(show(FIGURE))
    steps = SEARCHES[2].steps
    for t, nodes in enumerate(steps[:-1]):
        alive = {node.parent for node in steps[t + 1]}
        for j, node in enumerate(nodes):
            dead = not node.ended and j not in alive
            box = piece.node(t, j)
            assert ("cl-dead" in box.get_attribute("class")) == dead
            assert box.get_attribute("aria-label").endswith("dropped") == dead


@pytest.mark.parametrize("width", sorted(SEARCHES))
def test_shown_numbers_add_up_to_the_shown_sums(show, width):
    piece = Tree(show(FIGURE))
    piece.beams(width)
    for box in piece.page.locator(".cl-node").all():
        box.dispatch_event("click")
        total = piece.page.locator('[aria-pressed="true"] .cl-total')
        told = piece.says.split("”: ")[1].split(" = ")
        numbers = re.findall(r"[−+]? ?\d+\.\d{3}", told[0])
        added = sum(float(number.replace("−", "-").replace(" ", "")) for number in numbers)
        assert signed(round(added, 3)) == total.text_content()
        assert told[1].startswith(total.text_content() + ".")


def test_what_was_not_kept_is_drawn_muted_and_says_so(show):
    piece = Tree(show(FIGURE))
    piece.beams(1)
    lost = piece.page.locator('[data-at="1.1"]')
    assert lost.locator(".cl-word").text_content() == "kleiner"
    assert lost.get_attribute("aria-label").endswith("not kept")
    lost.click()
    assert "Not kept: another is more probable." in piece.says
    piece.beams(2)
    assert "cl-dropped" not in piece.node(1, 1).get_attribute("class")
    piece.node(1, 2).click()
    assert "Not kept: 2 others are more probable." in piece.says
    # The widest search has no wider one to say what it left out.
    piece.beams(max(SEARCHES))
    assert piece.others.count() == 0


def test_one_box_is_a_tab_stop_and_the_arrows_follow_the_branches(show):
    piece = Tree(show(FIGURE))
    stops = piece.page.locator('.cl-node[tabindex="0"]')
    assert stops.count() == 1
    stops.focus()
    here = "document.activeElement.dataset.at"
    for t in range(len(SEARCHES[2].steps) - 2, -1, -1):
        piece.page.keyboard.press("ArrowLeft")
        assert piece.page.evaluate(here).startswith(f"{t}.")
        assert stops.count() == 1
    assert piece.way == RIGHT[0]
    for key, at in (("ArrowDown", "0.1"), ("ArrowUp", "0.0"), ("ArrowRight", "1.0")):
        piece.page.keyboard.press(key)
        assert piece.page.evaluate(here) == at


def test_the_rows_of_the_cache_are_named_and_say_where_they_go(show):
    piece = Tree(show(FIGURE))
    piece.press("Step")
    piece.press("Step")
    names = piece.page.locator(".cl-cache .cl-sum").all_text_contents()
    assert names == ["1 ein", "2 eine"]
    goes = piece.page.locator(".cl-cache .cl-goes").all_text_contents()
    assert goes == ["→ Junge, kleiner", "dropped"]


@pytest.mark.parametrize("wide", [680, 390])
def test_the_whole_tree_is_seen_and_every_box_stands_apart(show, wide):
    page = show(FIGURE, width=wide)
    box = "document.querySelector('.cl-tree').parentElement"
    assert page.evaluate(f"{box}.scrollWidth <= {box}.clientWidth")
    measured = """e => Object.fromEntries(
      ["x", "y", "width", "height"].map((name) => [name, e[name].baseVal.value]))"""
    first, second, next_step = (
        page.locator(f'[data-at="{at}"] rect').evaluate(measured) for at in ("0.0", "0.1", "1.0")
    )
    # From one step to the next there is room for branches: across, or down on a phone.
    side, long, other = ("x", "width", "y") if wide > 500 else ("y", "height", "x")
    assert next_step[side] - first[side] - first[long] >= 20
    assert second[side] == first[side]
    assert second[other] > first[other]
