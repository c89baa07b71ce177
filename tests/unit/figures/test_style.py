"""The house style, measured: contrast, colours apart in grey and to the colour-blind, no leaks."""

import base64
import io
import itertools
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib.colors import to_rgb
from PIL import Image

from course_lab.figures.packed import packed
from course_lab.figures.still.attention_map import attention_map, number_colour
from course_lab.figures.still.gradients import gradient_plot
from course_lab.figures.still.length_curve import length_curve
from course_lab.figures.still.time_to_learn import time_to_learn
from course_lab.figures.style import (
    CARD,
    FRAME,
    INK,
    LINES,
    MAX_WIDTH,
    MUTED,
    WEIGHTS,
    as_array,
    house_style,
    line_styles,
)
from course_lib.errors import CourseError
from tests.unit.figures.sight import SIGHT, contrast, difference, lab

DARK_PAGE = "#121212"
OTHERS = tuple(line_styles("abcdef").values())
"""Lines that are no model's."""


def test_the_yardsticks_measure_what_they_should() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert lab("#ffffff") == pytest.approx([100, 0, 0], abs=0.01)
    # Red and green of like lightness: far apart to most readers, close to two of the others.
    red, green = "#d62728", "#6a7d1a"
    typical = difference(red, green, "typical")
    assert difference(red, green, "deuteranopia") < typical / 3
    assert difference(red, green, "tritanopia") > typical / 2


def test_no_single_text_colour_suits_both_a_white_and_a_dark_page() -> None:
    # Contrast depends on luminance alone, and greys reach every luminance.
    for level in range(256):
        grey = f"#{level:02x}{level:02x}{level:02x}"
        assert min(contrast(grey, "#ffffff"), contrast(grey, DARK_PAGE)) < 4.5


@pytest.mark.parametrize("colour", [INK, MUTED, FRAME])
def test_text_stands_out_from_the_card(colour: str) -> None:
    assert contrast(colour, CARD) >= 4.5


@pytest.mark.parametrize("line", [*LINES, *OTHERS])
def test_lines_stand_out_from_the_card(line) -> None:
    # WCAG 2.1, 1.4.11: graphical objects need 3.
    assert contrast(line.colour, CARD) >= 3


def test_the_card_stands_out_from_a_dark_page() -> None:
    assert contrast(CARD, DARK_PAGE) >= 3


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("lines", [LINES, OTHERS], ids=["models", "others"])
def test_line_colours_stay_apart_to_every_reader(sight: str, lines) -> None:
    # About 2.3 is what an eye can just tell apart side by side.
    for one, other in itertools.combinations(lines, 2):
        assert difference(one.colour, other.colour, sight) > 16, (one.colour, other.colour)


@pytest.mark.parametrize("lines", [LINES, OTHERS], ids=["models", "others"])
def test_line_colours_stay_apart_in_grey(lines) -> None:
    lightness = sorted(lab(line.colour)[0] for line in lines)
    assert min(np.diff(lightness)) > 7


def test_lines_stay_apart_with_no_colour_at_all() -> None:
    assert len({line.marker for line in LINES}) == len({str(s.dashes) for s in LINES}) == len(LINES)


@pytest.mark.parametrize("sight", SIGHT)
def test_a_larger_weight_is_darker_to_every_reader(sight: str) -> None:
    lightness = [lab(WEIGHTS(w)[:3], sight)[0] for w in np.linspace(0, 1, 101)]
    assert (np.diff(lightness) < 0).all()
    # Even steps: no tenth of the scale takes more than a quarter of the whole way.
    steps = -np.diff(lightness[::10])
    assert steps.max() < 0.25 * steps.sum()


def test_numbers_stand_out_from_their_cell_whatever_the_weight() -> None:
    for weight in np.linspace(0, 1, 1001):
        assert contrast(number_colour(float(weight)), WEIGHTS(weight)[:3]) >= 4.5, weight


def a_map():
    rng = np.random.default_rng(0)
    return attention_map(rng.dirichlet(np.ones(4), size=3), list("abcd"), ["ä", "ß", "ü"])


def a_curve():
    seeds = np.random.default_rng(0).random((3, 2))
    return length_curve([(3, 9), (10, 19)], {"a": seeds, "b": [0.5, 1.0]})


def a_gradient_plot():
    return gradient_plot([1, 2, 3], {"tanh": [1, 1e-2, 1e-4], "ReLU": [1, 0.5, 0]})


def a_time_to_learn():
    return time_to_learn([10, 20], {"GRU": [[50, 300], [100, None]], "LSTM": [[200, None]]}, 1000)


each_figure = pytest.mark.parametrize("draw", [a_map, a_curve, a_gradient_plot, a_time_to_learn])


@each_figure
def test_a_picture_is_opaque_and_no_wider_than_the_page(draw) -> None:
    picture = draw()
    image = Image.open(io.BytesIO(picture.png())).convert("RGBA")
    assert image.getchannel("A").getextrema() == (255, 255)
    corner = tuple(round(255 * c) for c in to_rgb(CARD))
    assert image.getpixel((0, 0))[:3] == image.getpixel((image.width - 1, 0))[:3] == corner
    assert picture.get_figwidth() <= MAX_WIDTH + 1e-9


@each_figure
@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_same_data_gives_the_same_bytes(tmp_path, draw, kind: str) -> None:
    first, again = tmp_path / f"first.{kind}", tmp_path / f"again.{kind}"
    draw().save(first)
    draw().save(again)
    assert first.read_bytes() == again.read_bytes()
    assert matplotlib.__version__.encode() not in first.read_bytes()


@each_figure
def test_a_reader_s_own_settings_change_no_picture_and_stay_as_they_were(draw) -> None:
    before = draw().png()
    with matplotlib.rc_context({"font.size": 30, "text.antialiased": False}):
        settings = dict(matplotlib.rcParams)
        assert draw().png() == before
        assert dict(matplotlib.rcParams) == settings


def test_the_style_ends_with_its_block_even_after_a_mistake() -> None:
    def mistake() -> None:
        with house_style():
            assert matplotlib.rcParams["figure.facecolor"] == CARD
            raise RuntimeError("a mistake")

    settings = dict(matplotlib.rcParams)
    with pytest.raises(RuntimeError, match="a mistake"):
        mistake()
    assert dict(matplotlib.rcParams) == settings


def test_pyplot_and_its_global_figures_are_not_touched() -> None:
    code = (
        "import sys\n"
        "from course_lab.figures.still.length_curve import length_curve\n"
        "length_curve([(3, 9)], {'a': [0.5]}).png()\n"
        "assert 'torch' not in sys.modules\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
    assert done.stderr == ""


@each_figure
def test_a_notebook_gets_the_image_its_words_and_a_stable_text(draw) -> None:
    picture = draw()
    data, metadata = DisplayFormatter().format(picture)
    assert set(data) == {"image/png", "image/svg+xml", "text/plain"}
    assert data["image/svg+xml"] == picture.svg()
    assert data["text/plain"] == repr(picture) == f"<Picture: {picture.headline}>"
    assert "0x" not in data["text/plain"]
    assert metadata["image/png"]["alt"] == picture.alt
    # Drawn at twice the pixels that a page of 96 per inch shows.
    image = Image.open(io.BytesIO(picture.png()))
    assert abs(image.width - 2 * metadata["image/png"]["width"]) <= 2
    assert image.text["Description"] == picture.alt
    assert base64.b64decode(data["image/png"]) == packed(picture.png())


@each_figure
def test_the_words_say_what_is_shown_not_that_something_is(draw) -> None:
    picture = draw()
    assert picture.alt.startswith(picture.headline + ". ")
    assert picture.alt.endswith(".")
    assert len(picture.detail) > 20
    assert "\n" not in picture.alt


def test_the_notebook_text_holds_no_measured_figure() -> None:
    rng = np.random.default_rng(1)
    tokens = list("abc")
    texts = {
        repr(attention_map(rng.dirichlet(np.ones(3), size=3), tokens, tokens)) for _ in range(3)
    }
    assert texts == {"<Picture: Attention map, 3 source tokens across, 3 target tokens down>"}


@pytest.mark.parametrize("name", ["map.gif", "map", "map.png.txt"])
def test_an_unknown_file_kind_is_one_line(tmp_path, name: str) -> None:
    with pytest.raises(CourseError, match=r"saved as \.png, \.svg or \.pdf"):
        a_curve().save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_one_line(tmp_path) -> None:
    with pytest.raises(CourseError, match="no folder"):
        a_curve().save(tmp_path / "missing" / "curve.png")


def test_numbers_may_be_tensors_of_any_kind() -> None:
    import torch

    tensor = torch.tensor([[0.25, 0.75]], dtype=torch.bfloat16, requires_grad=True)
    assert as_array(tensor, "weights").tolist() == [[0.25, 0.75]]
    assert as_array([[1, 2]], "weights").dtype == np.float64


@pytest.mark.parametrize("bad", [[[1], [1, 2]], ["a"], [float("inf")], "x", {}])
def test_what_is_no_array_of_numbers_is_refused_by_name(bad) -> None:
    with pytest.raises(ValueError, match="norms must be"):
        as_array(bad, "norms")
