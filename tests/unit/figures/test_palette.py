"""The palette, measured: apart to every reader and in grey, and legible on every ground."""

from itertools import combinations, product

import numpy as np
import pytest

from course_lab.figures import palette
from course_lab.figures.palette import FULL, GROUNDS, MODELS, NEUTRALS, ROLES, SURFACES, for_words
from tests.unit.figures.sight import SIGHT, apart, contrast, lab, luminance, oklab
from tools.project import ROOT

SCHEMES = ("light", "dark")
KINDS = {"roles": ROLES, "models": MODELS, "neutrals": dict(enumerate(NEUTRALS))}

each_kind = pytest.mark.parametrize("kind", KINDS)
each_scheme = pytest.mark.parametrize("scheme", SCHEMES)


def shades(kind: str, scheme: str) -> list[str]:
    return [getattr(colour, scheme) for colour in KINDS[kind].values()]


def test_the_yardstick_measures_what_it_should() -> None:
    assert oklab("#ffffff") == pytest.approx([1, 0, 0], abs=1e-3)
    assert oklab("#ff0000") == pytest.approx([0.628, 0.225, 0.126], abs=1e-3)
    # Red and green of like lightness, to most readers far apart and to two of the others not.
    red, green = "#d62728", "#6a7d1a"
    assert apart(red, green, "deuteranopia") < 0.07 < apart(red, green, "typical") / 2
    assert palette.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert palette.luminance("#8a5a00") == pytest.approx(luminance("#8a5a00"))


@each_kind
@each_scheme
@pytest.mark.parametrize("sight", SIGHT)
def test_colours_stay_apart_to_every_reader(kind: str, scheme: str, sight: str) -> None:
    for one, other in combinations(shades(kind, scheme), 2):
        assert apart(one, other, sight) > 0.06, (one, other)


@each_scheme
@pytest.mark.parametrize("sight", SIGHT)
def test_no_line_without_a_model_looks_like_a_model_s(scheme: str, sight: str) -> None:
    for one, other in product(shades("models", scheme), shades("neutrals", scheme)):
        assert apart(one, other, sight) > 0.045, (one, other)


@each_kind
@each_scheme
def test_colours_stay_apart_in_grey(kind: str, scheme: str) -> None:
    lightness = sorted(lab(shade)[0] for shade in shades(kind, scheme))
    assert min(np.diff(lightness)) > 2


@each_kind
@each_scheme
def test_lines_and_marks_stand_out_from_every_ground(kind: str, scheme: str) -> None:
    for shade in [*shades(kind, scheme), getattr(FULL, scheme)]:
        for ground in getattr(GROUNDS, scheme).split():
            assert contrast(shade, ground) >= 3, (shade, ground)


@each_scheme
def test_words_can_be_read_on_every_ground(scheme: str) -> None:
    words = {role: for_words(colour) for role, colour in ROLES.items()}
    words |= {name: SURFACES[name] for name in ("ink", "muted")}
    for name, colour in words.items():
        for ground in getattr(GROUNDS, scheme).split():
            assert contrast(getattr(colour, scheme), ground) >= 4.5, (name, ground)
    assert contrast(getattr(SURFACES["frame"], scheme), getattr(SURFACES["card"], scheme)) >= 4.5


def test_the_pages_have_the_colours_of_the_palette() -> None:
    static = ROOT / "book" / "_static"
    written = (static / "palette.css").read_text(encoding="utf-8")
    assert written == palette.style_sheet(), "make drawings"
    # What the palette names, no other style sheet of the book names again.
    course = (static / "course.css").read_text(encoding="utf-8")
    for name, _ in palette.properties():
        assert f"{name}:" not in course, name


def test_names_of_models_are_known_however_they_are_written() -> None:
    assert set(palette.SAID.values()) == set(MODELS)
    assert palette.model_of("Equal weights, 4 ×") == "equal"
    assert palette.model_of("dot") is None
    assert palette.untwinned("tanh, orthogonal") == "tanh, orthogonal"
