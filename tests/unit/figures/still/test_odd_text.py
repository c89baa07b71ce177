"""Whatever stands in a label, a name or a title: every still figure is drawn, nothing cut off."""

import warnings

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from course_lib.figures.still.attention_map import attention_map
from course_lib.figures.still.gradients import gradient_plot
from course_lib.figures.still.length_curve import length_curve
from course_lib.figures.text import MISSING, phrase, printable, width_of

ODD = {
    "emoji with selector": "❤\ufe0f",
    "selector alone": "\ufe0f",
    "line separator": "a\u2028b",
    "byte order mark": "\ufeff",
    "after a word": "word\ufeff",
    "half a character": "a\udce4",
    "no character": "\ufffe",
    "zero": "a\0b",
    "escape": "\x1b[31m",
    "line break": "a\nb",
    "blank": " ",
    "empty Braille": "\u2800",
    "accent alone": "\u0301",
    "formula": "$" * 200,
    "one long word": "W" * 200,
    "many words": "word " * 40,
}
FIGURES = {
    "tokens": lambda text: attention_map(np.full((2, 2), 0.5), [text, "a"], ["b", text]),
    "names": lambda text: attention_map(
        np.full((2, 2), 0.5), ["a", "b"], ["c", "d"], source_name=text, target_name=text
    ),
    "title": lambda text: attention_map(np.full((2, 2), 0.5), ["a", "b"], ["c", "d"], title=text),
    "curve": lambda text: length_curve([(1, 2), (3, 4)], {text: [0.1, 0.2], "b": [0.2, 0.3]}),
    "axes": lambda text: length_curve([(1, 2)], {"b": [0.2]}, x_name=text, y_name=text),
    "note": lambda text: length_curve(
        [(1, 2)], {"b": [0.2]}, intervals={"b": [[0.1, 0.3]]}, interval_name=text
    ),
    "gradients": lambda text: gradient_plot([1, 2], {text: [0.1, 0.2]}, x_name=text),
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_every_figure_is_drawn_with_it(figure, text, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture = figure(text)
        # The three formats take letters in ways of their own; one figure shows it for all.
        for kind in ("png", "svg", "pdf") if figure is FIGURES["title"] else ("png",):
            picture.save(tmp_path / f"figure.{kind}")
    picture.alt.encode()
    assert len(picture.alt.splitlines()) == 1


@pytest.mark.parametrize("text", [ODD["one long word"], ODD["many words"]], ids=["word", "words"])
@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_nothing_long_is_cut_off_by_the_edge(figure, text):
    picture = figure(text)
    canvas = FigureCanvasAgg(picture)
    canvas.draw()
    texts = list(picture.texts)
    for axes in picture.axes:
        texts += [*axes.texts, axes.xaxis.label, axes.yaxis.label]
    for drawn in texts:
        box = Text.get_window_extent(drawn, canvas.get_renderer())
        if drawn.get_text() and box.width:
            assert box.x0 >= -1, drawn
            assert box.y0 >= -1, drawn
            assert box.x1 <= picture.bbox.width + 1, drawn
            assert box.y1 <= picture.bbox.height + 1, drawn
    assert all(axes.get_position().width > 0.05 for axes in picture.axes)


@pytest.mark.parametrize("size", [(1, 1), (2, 3)])
def test_names_of_axes_find_room_beside_a_small_map(size):
    picture = attention_map(
        np.full(size, 0.5),
        ["a"] * size[1],
        ["b"] * size[0],
        source_name="source (German)",
        target_name="translation (English)",
    )
    canvas = FigureCanvasAgg(picture)
    canvas.draw()
    for text in picture.texts:
        assert not text.get_text().endswith("…")
        box = text.get_window_extent(canvas.get_renderer())
        assert min(box.x0, box.y0) >= -1
        assert box.y1 <= picture.bbox.height + 1
        assert box.x1 <= picture.bbox.width + 1


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
