"""The figures to touch, on a page of their own in a browser that has no network."""

import re

import numpy as np
import pytest

from course_lab.figures.palette import MODELS
from course_lab.figures.still.attention_map import number
from course_lab.figures.touch.attention import (
    AttentionExample,
    _quantised,
    attention_explorer,
    softmax,
)
from course_lab.figures.touch.chain import unrolled_chain
from course_lab.figures.touch.em import em_steps
from course_lab.figures.touch.length import length_explorer
from course_lab.figures.touch.plane import attention_plane
from tests.book.checks import DARK, LIGHT, address_of, said
from tests.book.conftest import settle

pytestmark = pytest.mark.browser

SOURCE, TARGET = (
    sentence.split()
    for sentence in (
        "yesterday the very old woman in the garden saw a small dog .",
        "gestern sah die sehr alte Frau in dem Garten einen kleinen Hund .",
    )
)
DIAGONAL = 3.0 * np.eye(len(SOURCE)) + 0.1 * np.arange(len(SOURCE))
SHORT = AttentionExample(
    ["the", "house"], ["das", "Haus"], [[1.5, 0.0], [-1.0, 2.0]], {(0, 0)}, {(1, 1)}, "short"
)
LONG = AttentionExample(SOURCE, TARGET, DIAGONAL, {(0, 0), (8, 1)})
FIGURES = {
    "chain": unrolled_chain(
        {
            "tanh": {"× 0.5": [1, 0.1, 1e-4, 1e-9, 0], "× 2": [1, 0.9, 0.8, 0.6, 0.5]},
            "ReLU": {"× 2": [1, 8, 3e3, 5e6, float("inf")], "× 3": [1, 9, 3e4, 5e9, 1e20]},
        },
        [0, 1, 5, 20, 50],
    ),
    "length": length_explorer(
        [(3, 9), (10, 19), (20, 30)],
        {"64": [[0.9, 0.2, 0.0], [0.8, 0.3, 0.1]], "256": [[1.0, 0.75, 0.5], [0.9, 0.65, 0.3]]},
        choose="width of the vector",
        y_name="exact match",
    ),
    "em": em_steps(
        [(["the", "house"], ["das", "Haus"])],
        [[[[0.5, 0.5], [0.5, 0.5]]], [[[0.7, 0.3], [0.4, 0.6]]], [[[0.999, 0.001], [0.1, 0.9]]]],
        [-4.0, -3.5, -3.25],
    ),
    "attention": attention_explorer([SHORT, LONG]),
}
PLANE = attention_plane(["a", "b", "c"], [[1, 0], [0, 1], [-1, -1]], [0, 1])._repr_html_()
ALL = "".join(figure._repr_html_() for figure in FIGURES.values())


def numbers(page) -> list[list[str]]:
    """The attention table in sight, without the marks of gold links."""
    rows = page.locator(".cl-attention table:visible tbody tr")
    return [
        [re.sub("[◆◇]", "", text) for text in row.locator("td").all_text_contents()]
        for row in rows.all()
    ]


def expected(example: AttentionExample, temperature: float) -> list[list[str]]:
    weights = softmax(_quantised(example), temperature)
    return [[number(float(weight)) for weight in row] for row in weights]


def test_the_chain_shows_the_cell_and_the_scale_that_are_chosen(show):
    page = show(ALL)
    chain = page.locator(".cl-chain")
    boxes = chain.locator(".cl-chain-row .cl-box")
    assert boxes.all_text_contents() == ["0", "10⁻⁹", "10⁻⁴", "0.1", "1"]
    assert chain.locator(".cl-step").all_text_contents()[-2:] == ["1 back", "last"]
    chain.get_by_label("× 2").check()
    assert boxes.all_text_contents()[0] == "0.5"
    assert chain.locator(".cl-chain-row .cl-grown").count() == 0
    chain.get_by_label("ReLU").check()
    assert boxes.all_text_contents() == ["∞", "5·10⁶", "3·10³", "8", "1"]
    # The scale stays the same by name, though it stands at another place.
    assert chain.get_by_label("× 2").is_checked()
    assert "explodes" in said(page, "chain")
    assert chain.locator(".cl-chain-row .cl-grown").count() == 3  # 8 lasts


def test_the_length_explorer_draws_the_chosen_curve_and_keeps_the_other_behind(show):
    page = show(ALL)
    figure = page.locator(".cl-length")
    assert figure.locator("svg .cl-number").all_text_contents() == ["0.85", "0.25", "0.05"]
    before = figure.locator("polyline:not(.cl-behind)").get_attribute("points")
    figure.get_by_label("256").check()
    assert figure.locator("svg .cl-number").all_text_contents() == ["0.95", "0.70", "0.40"]
    assert figure.locator("polyline.cl-behind").get_attribute("points") == before
    assert said(page, "length").startswith("width of the vector 256: 0.95 at 3–9 words")


@pytest.mark.parametrize(("html", "place"), [(LIGHT, 0), (DARK, 1)])
def test_the_lengths_of_a_model_have_its_colour(show, html, place):
    figure = length_explorer(
        [(3, 9), (10, 19)], {"64": [[0.9, 0.2], [0.8, 0.3]]}, choose="n", y_name="y", model="cho"
    )
    page = show(figure._repr_html_(), html=html)
    shade = MODELS["cho"][place]
    wanted = f"rgb({', '.join(str(int(shade[i : i + 2], 16)) for i in (1, 3, 5))})"
    for part, look in (("polyline", "stroke"), (".cl-band", "fill"), (".cl-dot >> nth=0", "fill")):
        found = page.locator(f".cl-length {part}").evaluate(f"e => getComputedStyle(e).{look}")
        assert found == wanted, part
    # A page of the course has the colour under its own name.
    page.evaluate("document.documentElement.style.setProperty('--course-model-cho', '#123456')")
    line = page.locator(".cl-length polyline").evaluate("e => getComputedStyle(e).stroke")
    assert line == "rgb(18, 52, 86)"


def test_the_band_spans_the_seeds(show):
    page = show(ALL)
    figure = page.locator(".cl-length")
    points = figure.locator("polygon").get_attribute("points").split()
    heights = [float(point.split(",")[1]) for point in points]
    y0, y1 = (float(figure.locator("line.cl-grid").nth(i).get_attribute("y1")) for i in (0, 4))
    rates = [(y0 - height) / (y0 - y1) for height in heights]
    np.testing.assert_allclose(rates, [0.9, 0.3, 0.1, 0.0, 0.2, 0.8], atol=1e-6)


def test_em_moves_with_the_slider(show):
    page = show(ALL)
    figure = page.locator(".cl-em")
    slider = figure.get_by_role("slider")
    # The strongest link's alone, below each target word; what is tied does not stand out.
    assert figure.locator(".cl-pair .cl-number").all_text_contents() == [".50"] * 2
    assert figure.locator(".cl-strong").count() == 0
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert figure.locator(".cl-pair .cl-number").all_text_contents() == [".70", ".60"]
    assert said(page, "em").startswith("After 1 iteration: log-likelihood −3.500, +0.500")
    widths = [
        float(line.get_attribute("stroke-width")) for line in figure.locator(".cl-link").all()
    ]
    assert widths == [3.5, 4.4, 6.2, 7.1]
    strong = [float(e.get_attribute("stroke-width")) for e in figure.locator(".cl-strong").all()]
    assert strong == [6.2, 7.1]
    page.keyboard.press("End")
    assert slider.get_attribute("aria-valuetext") == "2"
    # What rounds to nothing has no line.
    assert figure.locator(".cl-pair .cl-number").all_text_contents() == ["1", ".90"]
    assert figure.locator(".cl-link").count() == 3
    assert figure.locator(".cl-dot-here").count() == 1


TABLES = [
    {"the": {"das": 0.5, "Haus": 0.5}, "house": {"das": 0.5, "Haus": 0.5}, "a": {"ein": 1.0}},
    {"the": {"das": 0.9, "Haus": 0.1}, "house": {"das": 0.25, "Haus": 0.75}, "a": {"ein": 1.0}},
]
HALVES = [[[0.5, 0.5], [0.5, 0.5]], [[1.0]]]


def with_tables(opened):
    pairs = [(["the", "house"], ["das", "Haus"]), (["a"], ["ein"])]
    later = [[[0.8, 0.2], [0.1, 0.9]], [[1.0]]]
    return em_steps(pairs, [HALVES, later], [-3.0, -2.5], tables=TABLES, opened=opened)


def test_the_table_beside_em_follows_the_slider_and_stays_where_it_is(show):
    page = show(with_tables(1)._repr_html_())
    rows = page.locator(".cl-t tbody tr")

    def numbers():
        return [row.locator("td").all_text_contents() for row in rows.all()]

    # It opens where it was told to, and words that never meet have an empty cell without a shade.
    assert page.get_by_label("rounds done").get_attribute("aria-valuetext") == "1"
    assert page.locator(".cl-em output").inner_text() == "1"
    assert numbers() == [[".90", ".10", ""], [".25", ".75", ""], ["", "", "1"]]
    assert (
        page.locator(".cl-t .cl-never").count() == page.locator(".cl-t td:not(.cl-w)").count() == 4
    )
    place = page.locator(".cl-t").bounding_box()
    page.get_by_role("slider").press("Home")
    assert numbers() == [[".50", ".50", ""], [".50", ".50", ""], ["", "", "1"]]
    assert page.locator(".cl-t").bounding_box() == place
    page.get_by_role("button", name="Reset").click()
    assert page.locator(".cl-em output").inner_text() == "1"


@pytest.mark.parametrize("width", [390, 900])
def test_the_table_stands_beside_the_pairs_and_on_a_phone_below(show, width):
    page = show(with_tables(0)._repr_html_(), width=width)
    pairs, table, curve = (
        page.locator(f".cl-{name}").bounding_box() for name in ("pairs", "t", "chart")
    )
    if width > 500:
        assert pairs["x"] + pairs["width"] <= table["x"]
        assert table["y"] + table["height"] <= curve["y"]
    else:
        # Pairs and table are read together, so the curve does not push the table off the screen.
        assert pairs["y"] + pairs["height"] <= table["y"]
        assert table["y"] + table["height"] <= curve["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_axis_of_em_goes_from_one_round_number_to_another(show):
    figure = em_steps([(["a"], ["x"])], [[[[1.0]]]] * 3, [-11.266, -7.3, -6.068])
    page = show(figure._repr_html_())
    ticks = page.locator(".cl-chart .cl-tick").all_text_contents()
    assert ticks[: ticks.index("0")] == ["−12", "−10", "−8", "−6"]


def test_where_numbers_of_em_would_be_too_many_each_word_has_its_strongest(show):
    posterior = np.full((2, 5), 0.1) + 0.5 * np.eye(2, 5)
    words = ["the", "very", "old", "dog", "sleeps"]
    figure = em_steps([(words, ["a", "b"])], [[posterior]], [-1.0])
    page = show(figure._repr_html_(), width=390)
    assert page.locator(".cl-pair .cl-number").all_text_contents() == [".60", ".60"]
    bottoms = page.locator(".cl-pair .cl-number").evaluate_all("all => all.map(e => e.getBBox().y)")
    words = page.locator(".cl-pair .cl-word").evaluate_all("all => all.map(e => e.getBBox().y)")
    assert min(bottoms) > max(words)


@pytest.mark.parametrize("width", [390, 1280])
def test_no_text_of_a_chart_is_cut_or_covered(show, width):
    likelihoods = [-12.345, -9.1, -8.6]
    halves = [[[0.5, 0.5], [0.5, 0.5]]]
    figure = em_steps([(["the", "house"], ["das", "Haus"])], [halves] * 3, likelihoods)
    page = show(figure._repr_html_() + FIGURES["length"]._repr_html_(), width=width)
    for chart in page.locator(".cl-chart svg").all():
        edge = chart.bounding_box()
        texts = chart.locator(".cl-tick, .cl-axis").all()
        boxes = [text.bounding_box() for text in texts]
        for i, box in enumerate(boxes):
            assert box["x"] >= edge["x"]
            assert box["x"] + box["width"] <= edge["x"] + edge["width"]
            assert box["y"] >= edge["y"]
            assert box["y"] + box["height"] <= edge["y"] + edge["height"]
            assert not any(overlap(box, other) for other in boxes[:i]), texts[i].inner_html()


def overlap(one, other) -> bool:
    return all(
        one[start] < other[start] + other[size] and other[start] < one[start] + one[size]
        for start, size in (("x", "width"), ("y", "height"))
    )


def test_attention_shows_a_sentence_and_a_step(show):
    page = show(ALL)
    figure = page.locator(".cl-attention")
    assert numbers(page) == expected(SHORT, 1.0)
    assert said(page, "attention") == (
        "Step 1 of 2: “das” looks at “the” 0.82, “house” 0.18. True: “the”."
    )
    figure.get_by_role("combobox").select_option(index=1)
    assert numbers(page) == expected(LONG, 1.0)
    assert figure.get_by_role("radio").count() == len(SOURCE) + len(TARGET)
    assert figure.locator("table:visible").count() == 1


def test_attention_answers_the_keyboard_and_asks_from_both_sides(show):
    page = show(ALL)
    page.get_by_role("radio", name="das").focus()
    page.keyboard.press("ArrowRight")
    assert said(page, "attention").startswith("Step 2 of 2: “Haus” looks at “house” 0.95")
    page.keyboard.press("ArrowRight")
    assert said(page, "attention").startswith("“the” is looked at by “das” 0.82, “Haus” 0.05.")
    assert page.locator("td.cl-near-column").count() == 2


def test_hovering_shows_what_focus_shows_and_leaves_the_choice(show):
    page = show(ALL)
    figure = page.locator(".cl-attention")
    before = said(page, "attention")
    figure.locator(".cl-word", has_text="Haus").hover()
    hovered = said(page, "attention")
    assert hovered.startswith("Step 2 of 2: “Haus”")
    page.locator("h1").hover()
    assert said(page, "attention") == before
    page.get_by_role("radio", name="das").focus()
    page.keyboard.press("ArrowRight")
    assert said(page, "attention") == hovered
    figure.locator("tbody tr:visible").first.hover()
    assert said(page, "attention") == before


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_moves_under_a_pointer_that_walks_over_the_words(show, width):
    page = show(attention_explorer([LONG])._repr_html_(), width=width)
    page.wait_for_timeout(100)
    page.evaluate("window.courseShift = 0")
    figure = page.locator(".cl-attention")
    boxes = """root => [...root.querySelectorAll(".cl-word, tr, .cl-numbers")].map(e => {
        const box = e.getBoundingClientRect();
        return [box.x, box.y, box.width, box.height].join();
    })"""
    before = figure.evaluate(boxes)
    told = set()
    for word in [*figure.locator(".cl-word").all(), *figure.locator("tbody th").all()[:3]]:
        box = word.bounding_box()
        for step in range(10):
            x = box["x"] + box["width"] * (step + 0.5) / 10
            page.mouse.move(x, box["y"] + box["height"] / 2)
            assert figure.evaluate(boxes) == before
        told.add(said(page, "attention"))
    assert len(told) == len(SOURCE) + len(TARGET)
    page.wait_for_timeout(100)
    assert page.evaluate("window.courseShift") == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_curves_join_the_words_as_thick_as_the_weight(show, width):
    page = show(attention_explorer([LONG])._repr_html_(), width=width)
    figure = page.locator(".cl-attention")
    weights = softmax(_quantised(LONG))
    for line, focus in ((weights[6], ("target", 6)), (weights[:, 4], ("source", 4))):
        side, at = focus
        figure.locator(f".cl-{side} .cl-word").nth(at).hover()
        paths = figure.locator(".cl-arcs path")
        drawn = paths.evaluate_all("all => all.map(e => Number(e.getAttribute('stroke-width')))")
        np.testing.assert_allclose(drawn, 0.5 + 9 * line[line >= 0.005], atol=0.051)
        # The thickest ends at the middle of the word's upper or lower edge.
        thickest, word = int(np.argmax(drawn)), int(line.argmax())
        other = "source" if side == "target" else "target"
        box = figure.locator(f".cl-{other} .cl-word span").nth(word).bounding_box()
        end = paths.nth(thickest).evaluate(
            """path => {
              const point = path.getPointAtLength(path.getTotalLength());
              const place = path.ownerSVGElement.getBoundingClientRect();
              return [point.x + place.x, point.y + place.y];
            }"""
        )
        y = box["y"] + (box["height"] if other == "source" else 0)
        np.testing.assert_allclose(end, [box["x"] + box["width"] / 2, y], atol=1)


def test_attention_opens_on_the_word_that_is_asked_for_in_each_sentence(show):
    one = AttentionExample(SOURCE, TARGET, DIAGONAL, title="one", opened=10)
    two = AttentionExample(SOURCE, TARGET, DIAGONAL, title="two", opened=("source", 8))
    page = show(attention_explorer([one, two])._repr_html_())
    assert said(page, "attention").startswith("Step 11 of 13: “kleinen”")
    assert page.locator(".cl-target input").nth(10).is_checked()
    page.get_by_role("combobox").select_option(index=1)
    assert said(page, "attention").startswith("“saw” is looked at by")
    page.get_by_role("button", name="Reset").click()
    assert said(page, "attention").startswith("Step 11 of 13")


def test_a_word_that_means_two_things_has_the_gloss_of_its_place(show):
    target = ["die", "Frau", ",", "die"]
    gloss = {0: "the", "die": "who", "Frau": "woman"}
    example = AttentionExample(["the", "woman", "who"], target, np.zeros((4, 3)), gloss=gloss)
    page = show(attention_explorer([example])._repr_html_())
    glosses = page.locator(".cl-target .cl-word i").all_inner_texts()
    assert glosses == ["the", "woman", "\u00a0", "who"]


def test_the_link_of_a_section_and_states_of_others_stay(show):
    page = show(ALL, at="#a-section")
    step = page.locator(".cl-em").get_by_role("button", name="Step")
    assert address_of(page) == "#a-section"
    step.click()
    assert address_of(page) == "#em=1"
    page.locator(".cl-em").get_by_role("button", name="Reset").click()
    assert address_of(page) == "#a-section"
    page = show(ALL, at="#gaze=0.1~2~&em=2")
    page.locator(".cl-length").get_by_label("256").check(force=True)
    page.locator(".cl-em").get_by_role("button", name="Reset").click()
    assert address_of(page) == "#gaze=0.1~2~&length=1"


def test_a_second_figure_of_a_kind_has_a_key_of_its_own(show):
    page = show(ALL + ALL, at="#em2=2")
    said_now = [line.inner_text()[:8] for line in page.locator(".cl-em .cl-say").all()]
    assert said_now == ["At the s", "After 2 "]


def test_a_link_within_the_page_leads_to_a_state_out_of_its_fold(show):
    page = show(f"<a href='#em=2'>there</a><details>{FIGURES['em']._repr_html_()}</details>")
    page.get_by_role("link").click()
    page.locator(".cl-em").wait_for()
    assert said(page, "em").startswith("After 2 iterations")
    # What was hidden as the page loaded is drawn for the width it has.
    assert page.locator(".cl-em .cl-chart svg").bounding_box()["width"] > 300


def test_the_temperature_recomputes_the_softmax_up_to_its_limits(show):
    page = show(ALL)
    slider = page.locator(".cl-attention").get_by_role("slider")
    slider.focus()
    for key, temperature in (("Home", "0.125"), ("End", "8.00")):
        page.keyboard.press(key)
        assert numbers(page) == expected(SHORT, float(temperature))
        assert f"Temperature {temperature}." in said(page, "attention")
    page.keyboard.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") == "6.73"
    page.locator(".cl-attention").get_by_role("button", name="Reset").click()
    assert numbers(page) == expected(SHORT, 1.0)
    assert "Temperature" not in said(page, "attention")


def test_gold_links_can_be_hidden(show):
    page = show(ALL)
    marks = page.locator(".cl-attention table:visible .cl-mark:visible")
    assert marks.all_text_contents() == ["◆", "◇"]
    table = page.locator(".cl-attention table:visible")
    size = "e => [e.offsetWidth, e.offsetHeight]"
    before = table.evaluate(size)
    page.get_by_label("True links").uncheck()
    assert marks.count() == 0
    assert "True" not in said(page, "attention")
    # The marks keep their room.
    assert table.evaluate(size) == before


def test_the_same_figure_twice_on_a_page_works(show):
    page = show(ALL + ALL)
    ids = page.locator(".cl-fig").evaluate_all("all => all.map(e => e.id)")
    assert len(set(ids)) == len(ids) == 8
    first, second = (page.locator(".cl-attention").nth(i) for i in (0, 1))
    second.get_by_label("Haus").check(force=True)
    assert first.get_by_label("das").is_checked()
    assert second.locator(".cl-say").inner_text().startswith("Step 2 of 2")
    assert first.locator(".cl-say").inner_text().startswith("Step 1 of 2")


def test_a_front_end_that_moves_the_scripts_starts_the_figures_too(show):
    """Some take scripts out and run them elsewhere; then `document.currentScript` is no help."""
    page = show("<div id='host'></div>")
    page.evaluate(
        """html => {
          const host = document.getElementById("host");
          host.innerHTML = html;
          for (const script of host.querySelectorAll("script")) {
            new Function(script.textContent)();
          }
        }""",
        ALL + ALL,
    )
    settle(page)
    assert page.locator(".cl-fig[data-on]").count() == 8
    assert page.locator(".cl-say").count() == 8


FAR = f"<div style='height:5000px'></div>{PLANE}"
NEVER_IDLE = "window.requestIdleCallback = () => 0;"


def test_a_figure_far_down_is_built_when_it_comes_near(show):
    page = show(FAR, before=NEVER_IDLE)
    built = page.locator(".cl-fig[data-on]")
    assert built.count() == 0
    assert page.locator(".cl-fig > :visible").count() == 0
    page.mouse.wheel(0, 4300)
    built.wait_for()
    assert page.locator(".cl-plane table").first.is_visible()


@pytest.mark.parametrize("idle", ["", "delete window.requestIdleCallback;"])
def test_a_figure_far_down_is_built_once_there_is_nothing_else_to_do(show, idle):
    page = show(FAR, before=idle)
    page.locator(".cl-fig[data-on]").wait_for()
    assert page.locator(".cl-say").count() == 1


def test_a_figure_that_nobody_came_near_is_printed(show):
    page = show(FAR, before=NEVER_IDLE)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".cl-fig[data-on]").count() == 1
    page.mouse.wheel(0, 4300)
    page.wait_for_timeout(200)
    assert page.locator(".cl-say").count() == 1


@pytest.mark.parametrize(
    "html", [DARK, 'html lang="en" theme="dark"', 'html lang="en" data-jp-theme-light="false"']
)
def test_the_dark_scheme_is_followed_in_the_book_in_colab_and_in_jupyterlab(show, html):
    page = show(ALL, html=html)
    ground = page.locator(".cl-fig").first.evaluate("e => getComputedStyle(e).backgroundColor")
    assert ground == "rgb(20, 24, 30)"


def test_nothing_moves_for_those_who_asked_for_rest(show):
    for motion, seconds in (("reduce", "0s"), ("no-preference", "0.25s")):
        page = show(ALL, reduced_motion=motion)
        box = page.locator(".cl-chain-row .cl-box").first
        assert box.evaluate("e => getComputedStyle(e).transitionDuration").startswith(seconds)
