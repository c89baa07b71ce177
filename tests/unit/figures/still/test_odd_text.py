"""Whatever stands in a label, a name or a title: every still figure is drawn, nothing cut off."""

import inspect
import pkgutil
import warnings
from importlib import import_module

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from course_lab.figures import still
from course_lab.figures.still.attention_map import attention_map
from course_lab.figures.still.dot_rows import mean_dots
from course_lab.figures.still.gradients import gradient_plot
from course_lab.figures.still.length_curve import length_curve
from course_lab.figures.still.looks_and_worth import looks_and_worth
from course_lab.figures.still.narrow import narrowed
from course_lab.figures.still.scene_looks import scene_looks
from course_lab.figures.still.seed_dots import seed_dots
from course_lab.figures.still.smoothing import smoothing_plot
from course_lab.figures.still.time_to_learn import time_to_learn
from course_lab.figures.still.two_budgets import Budgets, two_budgets
from course_lab.figures.still.vector_plane import vector_plane
from course_lab.figures.still.worth import Worth, weight_and_worth
from course_lab.figures.style import Picture
from course_lab.figures.text import MISSING, phrase, printable, width_of
from tests.unit.figures.still.test_lines import assert_words_inside

LETTERS = (
    "\u2764\ufe0f a\u2028b word\ufeff a\udce4 \ufffe a\0b \x1b[31m a\nb \u2800 e\u0301" + "$" * 3
)
"""An emoji with its selector, separators, marks, half a character, controls, a formula."""
ODD = {
    "letters": LETTERS,
    "selector alone": "\ufe0f",
    "accent alone": "\u0301",
    "blank": " ",
    "one long word": "W" * 80,
    "many words": "word " * 20,
}
HALVES = np.full((2, 2), 0.5)
CURVE = {"b": [0.2, 0.3]}
DOTS = {"b": [0.2, 0.3]}
PLACES = [(-3.0, 1.0), (-3.0, 0.6), (3.0, -1.0), (3.0, -0.6)]


def plane(text="a", halves=(("l", "r"), ("b", "t"))):
    groups = {f"{text} l": [0, 1], f"{text} r": [2, 3]}
    return vector_plane(PLACES, [text, "b", text, "d"], groups, halves=halves, model="cho")


def scene(reader="a", looks=2, step="1"):
    shares = {reader: np.full((looks, 4), 0.25)}
    steps = [step] * looks
    return scene_looks(np.full((4, 4), 0.5), 2, shares, range(looks), steps=steps)


# By function and by what it is that has the text. What stands in headlines alone is not drawn.
FIGURES = {
    "attention_map, tokens": lambda text: attention_map(HALVES, [text, "a"], ["b", text]),
    "attention_map, names": lambda text: attention_map(
        HALVES, ["a", "b"], ["c", "d"], source_name=text, target_name=text
    ),
    "attention_map, title": lambda text: attention_map(HALVES, ["a", "b"], ["c", "d"], title=text),
    "length_curve, names": lambda text: length_curve([(1, 2), (3, 4)], {text: [0.1, 0.2], **CURVE}),
    "length_curve, axes": lambda text: length_curve(
        [(1, 2)], {"b": [0.2]}, x_name=text, y_name=text
    ),
    "narrowed": lambda text: narrowed(
        length_curve([(1, 2), (3, 4)], {text: [0.1, 0.2], **CURVE}),
        {text: (1, (2.0, 0.9)), "b": (0, (2.0, 0.5))},
    ),
    "time_to_learn, all": lambda text: time_to_learn(
        [1, 2], {text: [[5, None]]}, 10, x_name=text, y_name=text
    ),
    "gradient_plot, all": lambda text: gradient_plot(
        [1, 2], {text: [0.1, 0.2]}, x_name=text, y_name=text
    ),
    "smoothing_plot, all": lambda text: smoothing_plot(
        [1, 2], [1, 2], [1, 2], {text: [1, 2]}, x_name=text, y_name=text
    ),
    "vector_plane, names": plane,
    "vector_plane, across": lambda text: plane(halves=((text, text), ("b", "t"))),
    "vector_plane, up": lambda text: plane(halves=(("l", "r"), (text, text))),
    "scene_looks, readers": lambda text: scene(reader=text),
    "scene_looks, steps": lambda text: scene(step=text),
    "scene_looks, many": lambda text: scene(reader=text, looks=4, step=text),
    "mean_dots, names": lambda text: mean_dots({text: [0.1], **DOTS}, x_name=text),
    "mean_dots, marks": lambda text: mean_dots(DOTS, marks={text: 0.2, "c": 0.25}),
    "mean_dots, a mark": lambda text: mean_dots(DOTS, marks={text: 0.9}),
    "seed_dots, runs": lambda text: seed_dots({"one": DOTS}, headline="h", runs=text),
    "seed_dots, rows": lambda text: seed_dots(
        {"one": {text: [0.1]}, "two": {text: [0.1]}}, headline=text
    ),
    "seed_dots, titles": lambda text: seed_dots({text: DOTS, "two": DOTS}, headline="h"),
    "weight_and_worth, rows": lambda text: weight_and_worth({text: Worth([0.1], [0.2])}),
    "looks_and_worth, all": lambda text: looks_and_worth(
        {text: {text: [(0.1, 0.2)]}, "b": {text: [(0.5, 0.4)]}}, x_name=text, y_name=text
    ),
    "two_budgets, names": lambda text: two_budgets({text: Budgets(5, [0.1])}),
}
NO_TEXT = {"risk_by_length", "log_lines", "roofline", "position_map"}
"""Drawing functions that take numbers alone, or names of chapter 12's own that no reader writes."""


def test_every_function_that_draws_is_here():
    found = {}
    for module in pkgutil.iter_modules(still.__path__):
        for name, function in vars(import_module(f"{still.__name__}.{module.name}")).items():
            if inspect.isfunction(function) and not name.startswith("_"):
                found[name] = inspect.signature(function).return_annotation
    drawing = {name for name, given in found.items() if given is Picture}
    assert drawing == {figure.partition(",")[0] for figure in FIGURES} | NO_TEXT


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_every_figure_is_drawn_with_it_and_nothing_is_cut_off(figure, monkeypatch):
    seen, as_ever = [], Text.draw

    def remember(text, renderer):
        if text.get_visible() and text.get_text():
            # Of an annotation this is the text without its pointer.
            seen.append((text.get_text(), Text.get_window_extent(text, renderer)))
        as_ever(text, renderer)

    monkeypatch.setattr(Text, "draw", remember)
    for name in ("letters", "one long word", "many words"):
        text = ODD[name]
        seen.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            # Old releases of Matplotlib warn of the names that they use in new ones of pyparsing.
            warnings.simplefilter("ignore", DeprecationWarning)
            picture = figure(text)
            FigureCanvasAgg(picture).draw()
        picture.alt.encode()
        assert len(picture.alt.splitlines()) == 1, name
        for words, box in seen:
            assert min(box.x0, box.y0) >= -1, (name, words)
            assert box.x1 <= picture.bbox.width + 1, (name, words)
            assert box.y1 <= picture.bbox.height + 1, (name, words)
        assert all(axes.get_position().width > 0.05 for axes in picture.axes), name


# Where two names meet in so small a figure there is no room for two long ones.
TOO_SMALL = ("attention_map, names", "vector_plane, across")


@pytest.mark.parametrize("name", [name for name in FIGURES if name not in TOO_SMALL])
def test_with_a_common_name_no_word_lies_on_another(name):
    assert_words_inside(FIGURES[name]("no word GRU, 4 times"))


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_each_format_takes_its_letters(text, kind, tmp_path):
    FIGURES["attention_map, title"](text).save(tmp_path / f"figure.{kind}")


def test_a_selector_goes_with_its_character_and_alone_is_a_box():
    assert printable("❤\ufe0f") == "❤"
    assert printable("\ufe0f") == MISSING
    assert printable("a\u2028\ufeff") == f"a{MISSING}{MISSING}"


def test_a_phrase_is_cut_only_where_it_must_be():
    words = "validation loss per token"
    assert phrase(words, 12.0, 1000.0) == words
    cut = phrase(words, 12.0, 80.0)
    assert cut.endswith("…")
    assert words.startswith(cut[:-1])
    assert 60 < width_of(cut, 12.0) <= 80
