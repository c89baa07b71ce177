"""Smaller pictures: the same to the eye and in words, and no larger than before."""

import io

import numpy as np
from PIL import Image, ImageChops, ImageStat

from course_lab.figures.packed import packed
from course_lab.figures.still.attention_map import attention_map

WORDS = ["die", "Hunde", "sehen", "mich", "."]


def a_map() -> bytes:
    weights = np.random.default_rng(1).dirichlet(np.ones(len(WORDS)), size=len(WORDS))
    return attention_map(weights, WORDS, WORDS).png()


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def test_a_picture_gets_smaller_and_looks_the_same():
    drawn = a_map()
    smaller = packed(drawn)
    assert len(smaller) < 0.5 * len(drawn)
    before, after = (opened(png).convert("RGB") for png in (drawn, smaller))
    assert before.size == after.size
    assert max(ImageStat.Stat(ImageChops.difference(before, after)).mean) < 0.5


def test_its_words_stay_whatever_their_letters():
    drawn = a_map()
    assert "Description" in opened(drawn).text
    assert opened(packed(drawn)).text == opened(drawn).text
    image = io.BytesIO()
    opened(drawn).convert("RGB").save(image, "PNG")
    assert opened(packed(image.getvalue())).text == {}
