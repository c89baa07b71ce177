"""The parts that figures to touch are made of, each alone on a page."""

import numpy as np
import pytest

from course_lab.figures.touch import core
from course_lab.figures.touch.core import SHARED, Interactive, caption, heads, scrolling
from tests.book.checks import scripts

pytestmark = pytest.mark.browser

TABLE = scrolling(f"<table>{caption('t')}<tr><td></td>{heads(['a'])}</tr></table>", "t")
PARTS = (*SHARED, "table", "bars", "words", "maps", "drag", "sentence", "chart", "net")
ROOM = """
    const root = document.body.appendChild(document.createElement("div"));
    root.className = "cl-fig";
    const figure = { root, controls: make("div"), stage: make("div"), line: make("p"),
        say: (text) => { figure.line.textContent = text; }, remember() {}, folds: true };
    root.append(figure.controls, figure.stage, figure.line);
    const told = window.told = [];
"""


@pytest.fixture
def lab(show):
    """Runs a script that has every part and a figure's frame; gives the page or what it returns."""

    def run(body: str, argument: object = None, **kind):
        page = show("", **kind)
        found = page.evaluate(f"argument => {{ {scripts(*PARTS)}; {ROOM}; {body} }}", argument)
        return page if found is None else found

    return run


def test_softmax_is_stable_cold_warm_and_hides(lab):
    rows = [[0.0, 1.0, 2.0], [1e4, 1e4 - 1, 0.0], [-3.0, -3.0, -3.0]]
    found = lab("return argument.map((row) => [softmax(row), softmax(row, 0.5)])", rows)
    for row, weights in zip(np.array(rows), found, strict=True):
        for temperature, one in zip((1.0, 0.5), weights, strict=True):
            powers = np.exp((row - row.max()) / temperature)
            np.testing.assert_allclose(one, powers / powers.sum(), atol=1e-12)
    assert lab("return softmax([-Infinity, 0])") == [0, 1]
    assert lab("return softmax([-Infinity, -Infinity])") == [0, 0]


def test_sums_averages_places_and_printed_numbers(lab):
    assert lab("return [dot([1, 2], [3, 4]), argmax([1, 5, 2]), sumOf([1, 2])]") == [11, 1, 3]
    assert lab("return average([0.25, 0.75], [[0, 4], [4, 0]])") == [3, 1]
    assert lab("return [signed(-0.04, 1), signed(-1.25, 2), pairText([-0.001, 2])]") == [
        *("0.0", "−1.25", "(0.00, 2.00)"),
    ]
    found = lab("return [0, 1, 2, 3].map((k) => positional(5, k, 4))")
    np.testing.assert_allclose(found, [np.sin(5), np.cos(5), np.sin(0.05), np.cos(0.05)])


IN_ORDER = [
    ("a b c", "a b c", 3, 3),
    ("a x c", "a b c", 2, 2),
    ("a b", "b a", 1, 1),
    ("a a", "a", 1, 1),
    ("", "a", 0, 0),
    ("x y a b", "a b x y", 2, 2),
    ("the the dog", "dog the", 1, 1),
]
"""What was written, what is right, and how many words stand in order, the latest too."""


def test_words_that_stand_in_order_are_as_many_as_can_be(lab):
    asked = [[made.split(), wanted.split()] for made, wanted, *_ in IN_ORDER]
    found = lab("return argument.map(a => [false, true].map((l) => inOrder(...a, l)))", asked)
    assert [[sum(one) for one in pair] for pair in found] == [list(row[2:]) for row in IN_ORDER]


def test_the_stepper_plays_pauses_steps_and_resets(lab):
    body = """let at = 1; const go = (i) => { at = i; told.push(i); };
        const time = stepper(3, 40, () => at, go, () => go(1), argument);
        figure.controls.append(...time.keys);"""
    page = lab(body, False)
    keys = {name: page.get_by_role("button", name=name) for name in ("Play", "Step", "Reset")}
    place = keys["Step"].bounding_box()
    keys["Play"].click()
    page.wait_for_function("window.told.length === 2")
    # "Pause" is "Play" again at the end, and the keys beside it have not moved.
    keys["Play"].wait_for()
    assert page.evaluate("window.told") == [2, 3]
    keys["Step"].click()
    keys["Reset"].click()
    assert page.evaluate("window.told") == [2, 3, 0, 1]
    assert keys["Step"].bounding_box() == place
    anew = lab(body, True)
    anew.get_by_role("button", name="Play").click()
    anew.wait_for_function("window.told.length === 4")
    assert anew.evaluate("window.told") == [0, 1, 2, 3]


def test_the_stepper_goes_to_the_end_for_those_who_asked_for_rest(lab):
    page = lab(
        "let at = 1; figure.controls.append(...stepper(3, 40, () => at, (i) => { at = i; "
        "told.push(i); }, () => {}).keys)",
        reduced_motion="reduce",
    )
    for _ in range(2):
        page.get_by_role("button", name="Play").click()
    assert page.evaluate("window.told") == [3, 0]
    assert page.get_by_role("button", name="Pause").count() == 0


@pytest.mark.parametrize("names", [["a", "b", "c"], ["a rather long name"] * 4])
def test_a_choice_is_a_row_of_keys_or_a_menu(lab, names):
    page = lab(
        "const one = window.one = choose(figure, 'which', argument, 1, (i) => told.push(i));"
        "figure.controls.append(one.label)",
        names,
    )
    menu = page.get_by_role("combobox", name="which")
    assert menu.count() == (len(names) > 3)
    if menu.count():
        assert menu.input_value() == "1"
        menu.select_option(index=2)
    else:
        assert page.get_by_role("radio", name="b").is_checked()
        page.get_by_role("radio", name="b").press("ArrowRight")
    page.evaluate("window.one.set(0)")
    page.evaluate("window.one.mark(1)")
    assert page.evaluate("window.told") == [2, 0]


def test_a_slider_says_its_value_in_words(lab):
    page = lab(
        "figure.controls.append(slide('heat', { min: 0, max: 3, step: 1, value: 1 }, "
        "(x) => `${x} degrees`, (x) => told.push(x)).label)"
    )
    slider = page.get_by_role("slider", name="heat")
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "2 degrees"
    assert page.locator("output").inner_text() == "2 degrees"
    assert page.evaluate("window.told") == [2]


TYPED = {
    "The dog, sleeps": ["the", "dog", ",", "sleeps", "."],
    "paul sleeps .": ["Paul", "sleeps", "."],
    "the fox sleeps": "The network does not know “fox”. Look below.",
    "   ": "Wanted a sentence, such as: the small dog sleeps .",
    "the the the the the": "Wanted at most 5 marks, got 6.",
}


def test_a_typed_sentence_is_taken_or_refused_in_words(lab):
    known = ["the", "dog", "sleeps", "Paul", ".", ","]
    options = "{ where: ' Look below.', counted: 'marks' }"
    asked = f"return argument.map(([text, known]) => wordsOf(text, known, 5, {options}))"
    found = lab(asked, [[text, known] for text in TYPED])
    assert [one["refused"] or one["words"] for one in found] == [*TYPED.values()]


def test_the_box_and_the_menu_of_sentences(lab):
    page = lab(
        """const box = sentenceBox("Go", "like this", (text) => told.push(text));
        const menu = window.menu = sentenceMenu(["a", "b"], (i) => told.push(i));
        figure.controls.append(box.form, menu.menu);"""
    )
    page.get_by_label("your own sentence").fill("x y")
    page.keyboard.press("Enter")
    page.locator("select").select_option(label="b")
    assert page.evaluate("window.told") == ["x y", 1]
    page.evaluate("window.menu.mark(null)")
    assert page.locator("select").evaluate("e => e.selectedOptions[0].text") == "(your own)"


def test_a_point_is_dragged_and_moved_by_keys_on_its_grid(lab):
    page = lab(
        """let q = [0.5, 0];
        const plane = dragPlane(300, 15, 1.5, "map");
        const go = (to) => { q = to; plane.put(handle, q); told.push(q); };
        const handle = plane.draggable("cl-q", "q", 0, 0, 10, "query", () => q, go);
        plane.put(handle, q);
        plane.svg.style.width = "300px";
        figure.stage.append(plane.svg);"""
    )
    handle = page.get_by_role("application", name="query")
    handle.press("ArrowUp")
    handle.press("ArrowLeft")
    assert page.evaluate("window.told") == [[0.5, 0.1], [0.4, 0.1]]
    box = page.locator("svg").bounding_box()
    centre = handle.bounding_box()
    page.mouse.move(centre["x"] + centre["width"] / 2, centre["y"] + centre["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 105, steps=3)
    assert page.evaluate("window.told.at(-1)") == [-1.0, 0.5]
    page.mouse.move(box["x"] + 900, box["y"] + 105)
    page.mouse.up()
    assert page.evaluate("window.told.at(-1)") == [1.5, 0.5]


def test_bars_cells_and_tables_show_their_numbers(lab):
    page = lab(
        """const row = barRow("li", "yes", { marked: true });
        row.show(0.25, { before: 0.5, most: 2 });
        const cell = barCell(6);
        cell.show(0.5);
        const table = tableOf(["", "score"], [rowOf("a", ["1", cell.cell]), rowOf("b",
            [weightCell(0.75, [0.66, 0.45])], "cl-lit")], { caption: "All" });
        figure.stage.append(row.row, table);"""
    )
    row = page.locator(".cl-bar-row")
    assert row.locator(".cl-label, .cl-share").all_text_contents() == ["yes", "0.25"]
    assert row.locator(".cl-bar").evaluate("e => e.style.width") == "12.5%"
    assert row.locator(".cl-mark").evaluate("e => e.style.left") == "25%"
    assert page.locator(".cl-barred .cl-bar").evaluate("e => e.style.width") == "3em"
    table = page.locator("table")
    assert table.locator("caption").inner_text() == "All"
    assert table.locator("thead th").count() == 1
    assert table.locator("tbody th").all_inner_texts() == ["a", "b"]
    shade = table.locator(".cl-lit .cl-w")
    assert shade.inner_text() == ".75"
    assert "cl-turn-light" in shade.get_attribute("class")


def test_word_keys_stay_when_their_row_is_filled_again(lab):
    page = lab(
        """const row = wordRow("cl-above", "English");
        figure.stage.append(row);
        const build = (i) => wordKey(() => told.push(i), "text", "gloss");
        const write = (words) => fill(row, words.length, build).forEach((key, i) => {
            key.firstChild.textContent = words[i];
            key.lastChild.textContent = glossOf(words[i], { das: "the", in: "in" });
        });
        write(["das", "in", "Haus"]);
        row.children[1].focus();
        write(["in", "das"]);"""
    )
    keys = page.get_by_role("group", name="English").get_by_role("button")
    assert keys.locator(".cl-text").all_text_contents() == ["in", "das"]
    assert keys.locator(".cl-gloss").all_text_contents() == ["\u00a0", "the"]
    assert keys.nth(1).evaluate("e => e === document.activeElement")
    keys.nth(1).press("Enter")
    assert page.evaluate("window.told") == [1]


def test_a_map_has_a_cell_for_what_is_seen_and_a_frame(lab):
    page = lab(
        "const map = headMap(); figure.stage.append(map);"
        "drawMap(map, [[1, 0, 0.01], [0.5, 0.5, 0]], 3, 1)"
    )
    assert page.locator(".cl-map .cl-cell").count() == 3
    assert page.locator(".cl-map .cl-frame").get_attribute("y") == "50.5"


def test_the_address_keeps_whole_numbers_below_their_limits(show, monkeypatch):
    """A figure with nothing but a number, under the frame that all figures have."""

    script = """function bareFigure(figure) {
        let at = 0;
        figure.controls.append(press("on", () => { at += 1; figure.remember(); }));
        keepNumbers(figure, [3, 9], () => [at, 4], (to) => { at = to; figure.say(`at ${to}`); });
    }"""
    raw = core._raw
    monkeypatch.setattr(core, "_raw", lambda name: script if name == "bare.js" else raw(name))
    body = Interactive("bare", "Bare", "1.", tables=[TABLE], data={})._repr_html_()
    page = show(body)
    page.get_by_role("button", name="on").click()
    page.wait_for_function("location.hash === '#bare=1.4'")
    for address, said in (("2.4", "at 2"), ("3.4", ""), ("2", ""), ("2.4.1", ""), ("-1.4", "")):
        there = show(body, at=f"#bare={address}")
        assert there.locator(".cl-say").inner_text() == said
    fold = there.locator(".cl-fold")
    assert not there.locator("table").is_visible()
    fold.press("Enter")
    assert there.locator("table").is_visible()
    assert fold.get_attribute("aria-expanded") == "true"
