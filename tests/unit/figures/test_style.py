"""The house style, measured: contrast, colours apart in grey and to the colour-blind, no leaks."""

import base64
import io
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from PIL import Image

from course_lab.figures.packed import packed
from course_lab.figures.still.attention_map import attention_map, number_colour
from course_lab.figures.still.length_curve import length_curve
from course_lab.figures.style import WEIGHTS, as_array
from tests.unit.figures.sight import SIGHT, contrast, lab


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


each_figure = pytest.mark.parametrize("draw", [a_map, a_curve])


@each_figure
@pytest.mark.parametrize("kind", ["png", "pdf"])
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


def test_pyplot_and_its_global_figures_are_not_touched() -> None:
    code = (
        "import sys\n"
        "from course_lab.figures.still.length_curve import length_curve\n"
        "length_curve([(3, 9)], {'a': [0.5]}).png()\n"
        "assert 'torch' not in sys.modules\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
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


def test_numbers_may_be_tensors_of_any_kind() -> None:
    import torch

    tensor = torch.tensor([[0.25, 0.75]], dtype=torch.bfloat16, requires_grad=True)
    assert as_array(tensor, "weights").tolist() == [[0.25, 0.75]]
    assert as_array([[1, 2]], "weights").dtype == np.float64
