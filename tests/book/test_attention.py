"""The explorer of attention and of soft alignments: numbers, words, curves, marks, languages."""

import re

import numpy as np
import pytest

from course_lab.figures.text import number
from course_lab.figures.touch.attention import (
    AttentionExample,
    _quantised,
    attention_explorer,
    softmax,
)
from course_lab.figures.touch.posteriors import posterior_explorer
from tests.book.catalogue import LONG, SHORT, SOURCE, TARGET, html
from tests.book.piece import Piece

pytestmark = pytest.mark.browser


def numbers(piece) -> list[list[str]]:
    """The attention table in sight, without the marks of gold links."""
    rows = piece.rows("table:not([hidden]) tbody tr:not(:is([hidden] *))")
    return [[re.sub("[◆◇]", "", text) for text in row] for row in rows]


def expected(example: AttentionExample, temperature: float = 1.0) -> list[list[str]]:
    weights = softmax(_quantised(example), temperature)
    return [[number(float(weight)) for weight in row] for row in weights]


def test_it_shows_a_sentence_and_a_step_by_keys_and_under_the_pointer(show):
    piece = Piece(show(html("attention")))
    assert numbers(piece)[:2] == expected(SHORT)
    opened = "Step 1 of 2: “das” looks at “the” 0.82, “house” 0.18. True: “the”."
    assert piece.says == opened
    piece.find(".cl-word", has_text="Haus").hover()
    hovered = piece.says
    assert hovered.startswith("Step 2 of 2: “Haus” looks at “house” 0.95")
    piece.page.locator("h1").hover()
    assert piece.says == opened
    piece.root.get_by_role("radio", name="das").focus()
    piece.keys("ArrowRight")
    assert piece.says == hovered
    piece.find("tbody tr:visible").first.hover()
    assert piece.says == opened
    piece.page.locator("h1").hover()
    piece.keys("ArrowRight")
    assert piece.says.startswith("“the” is looked at by “das” 0.82, “Haus” 0.05.")
    assert piece.count("td.cl-near-column") == 2
    piece.take(1)
    assert [row for row in numbers(piece) if len(row) == len(SOURCE)] == expected(LONG)
    assert piece.root.get_by_role("radio").count() == len(SOURCE) + len(TARGET)
    assert piece.count("table:visible") == 1


def test_curves_are_as_thick_as_weights_and_nothing_moves_under_the_pointer(show):
    page = show(attention_explorer([LONG])._repr_html_(), width=1280)
    piece = Piece(page)
    page.wait_for_timeout(100)
    page.evaluate("window.courseShift = 0")
    boxes = """root => [...root.querySelectorAll(".cl-word, tr, .cl-numbers")].map(e => {
        const box = e.getBoundingClientRect();
        return [box.x, box.y, box.width, box.height].join();
    })"""
    before, told = piece.root.evaluate(boxes), set()
    for word in [*piece.find(".cl-word").all(), *piece.find("tbody th").all()[:3]]:
        box = word.bounding_box()
        for part in (0.05, 0.5, 0.95):
            page.mouse.move(box["x"] + box["width"] * part, box["y"] + box["height"] / 2)
            assert piece.root.evaluate(boxes) == before
        told.add(piece.says)
    assert len(told) == len(SOURCE) + len(TARGET)
    weights = softmax(_quantised(LONG))
    for line, side, other, at in (
        (weights[6], "target", "source", 6),
        (weights[:, 4], "source", "target", 4),
    ):
        piece.find(f".cl-{side} .cl-word").nth(at).hover()
        drawn = piece.numbers(".cl-arcs path", "stroke-width")
        np.testing.assert_allclose(drawn, 0.5 + 9 * line[line >= 0.005], atol=0.051)
        # The thickest ends at the middle of the word's upper or lower edge.
        box = piece.find(f".cl-{other} .cl-word span").nth(int(line.argmax())).bounding_box()
        end = (
            piece.find(".cl-arcs path")
            .nth(int(np.argmax(drawn)))
            .evaluate(
                """path => {
              const point = path.getPointAtLength(path.getTotalLength());
              const place = path.ownerSVGElement.getBoundingClientRect();
              return [point.x + place.x, point.y + place.y];
            }"""
            )
        )
        y = box["y"] + (box["height"] if other == "source" else 0)
        np.testing.assert_allclose(end, [box["x"] + box["width"] / 2, y], atol=1)
    page.wait_for_timeout(100)
    assert page.evaluate("window.courseShift") == 0


def test_temperature_recomputes_the_softmax_and_true_links_can_be_hidden(show):
    piece = Piece(show(html("attention")))
    slider = piece.root.get_by_role("slider")
    for key, temperature in (("Home", "0.125"), ("End", "8.00")):
        slider.press(key)
        assert numbers(piece)[:2] == expected(SHORT, float(temperature))
        assert f"Temperature {temperature}." in piece.says
    slider.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") == "6.73"
    piece.press("Reset")
    assert "Temperature" not in piece.says
    marks = piece.find("table:visible .cl-mark:visible")
    assert marks.all_text_contents() == ["◆", "◇"]
    size = "e => [e.offsetWidth, e.offsetHeight]"
    before = piece.find("table:visible").evaluate(size)
    piece.root.get_by_label("True links").uncheck()
    assert marks.count() == 0
    assert "True" not in piece.says
    # The marks keep their room.
    assert piece.find("table:visible").evaluate(size) == before


def test_soft_alignments_say_who_wrote_what_and_frame_wrong_links_in_red(show):
    piece = Piece(show(html("posteriors")))
    assert piece.says == "“wartet” came from “waits” 1.00. No true link."
    assert piece.count("input[type=range]") == 0
    piece.find(".cl-target .cl-word").first.click()
    assert piece.says == "“er” came from “he” 0.75, “NULL” 0.25. True: “he”."
    piece.find(".cl-source .cl-word").nth(2).click()
    assert piece.says.startswith("“NULL” wrote “er” 0.25.")
    # The explorer's style is this figure's too.
    assert piece.style("td.cl-sure", "outlineStyle") == "solid"

    links = {"links": {(0, 0)}, "possible": {(1, 1)}}
    chosen = [[0.25, 0.75, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    example = AttentionExample(["he", "waits", "NULL"], ["er", "wartet", "."], chosen, **links)
    piece = Piece(show(posterior_explorer([example])._repr_html_()))
    # What NULL wrote is no link, and no wrong one.
    assert piece.texts("td.cl-wrong") == [".75×"]
    red, true = (piece.style(f"td.cl-{kind}", "outlineColor") for kind in ("wrong", "sure"))
    assert red == "rgb(176, 48, 49)" != true
    assert piece.root.get_by_role("img", name="wrong link").is_visible()
    place = piece.find("table:visible").bounding_box()
    piece.root.get_by_label("True links").uncheck()
    assert piece.style("td.cl-wrong", "outlineWidth") == "0px"
    assert piece.find("table:visible").bounding_box() == place


BARE = """([words]) => {
    const walk = document.createTreeWalker(document.querySelector('.cl-fig'), NodeFilter.SHOW_TEXT);
    const found = [];
    while (walk.nextNode()) {
        const node = walk.currentNode, parent = node.parentElement;
        if (parent.closest('script,style,noscript')) continue;
        const own = parent.closest('[lang]');
        for (const word of node.data.match(/[\\p{L}]+/gu) || []) {
            if (word === 'in') continue;  // German and English
            if (words.includes(word) !== (own.lang === 'de')) found.push(word + ' in ' + own.lang);
        }
    }
    return found;
}"""
"""Words in the language that they are not."""
GERMAN = ["die", "Katze", "hat", "den", "Hund", "Hunde", "gesehen", "dem", "Haus"]


def test_words_that_a_script_writes_say_which_language_they_are(show):
    target = ["die", "Katze", "hat", "den", "Hund"]
    even, gloss = [[0.0] * 4 for _ in target], {"Hund": "dog", "hat": "has"}
    first = AttentionExample(["the", "cat", "in", "it"], target, even, links={(1, 1)}, gloss=gloss)
    other = AttentionExample(
        ["in", "the", "house"], ["in", "dem", "Haus"], [[0.0] * 3] * 3, title="the house"
    )
    piece = Piece(show(attention_explorer([first, other])._repr_html_()))
    for side, word in (("", ""), ("target", "Hund"), ("source", "cat")):
        if word:
            piece.find(f".cl-{side} label", has_text=word).click()
            assert f"“{word}” " in piece.says
        assert piece.page.evaluate(BARE, [GERMAN]) == []
    # A browser that translates leaves them alone.
    marks = piece.find("[lang=de]")
    assert set(marks.evaluate_all("all => all.map(one => one.translate)")) == {False}
    # What is written over a mark is marked anew.
    line = piece.find(".cl-say")
    for text, marked in (("of Hund", "Hund"), ("a dog", ""), ("die Katze, a cat", "die Katze")):
        line.evaluate("(line, text) => { line.textContent = text; }", text)
        assert line.text_content() == text
        assert "|".join(line.locator("[lang=de]").all_text_contents()) == marked
    line.locator("[lang=de]").evaluate("mark => { mark.firstChild.data = 'the cat'; }")
    assert (line.text_content(), line.locator("[lang=de]").count()) == ("the cat, a cat", 0)
    # A form that English has too is German in the German row alone.
    piece.take(1)
    language = "all => all.map(e => e.firstElementChild ? e.firstElementChild.lang : '')"
    for side, wanted in (("source", ""), ("target", "de")):
        assert piece.find(f".cl-{side} b").evaluate_all(language) == [wanted] * 3
