"""A text where words are wanted is refused: its letters would fit a map of that many columns."""

import numpy as np
import pytest

from course_lab.figures.still.attention_map import attention_map
from course_lab.figures.still.glossed import Glossed
from course_lab.figures.touch.attention import AttentionExample, attention_explorer
from course_lab.figures.touch.em import em_steps
from course_lab.figures.touch.plane import attention_plane
from course_lab.figures.touch.posteriors import posterior_explorer
from course_lab.figures.touch.rows import attention_rows

MAP = np.full((2, 3), 1 / 3)
TWO = np.ones((3, 2))


@pytest.mark.parametrize(
    "draw",
    [
        lambda: attention_map(MAP, "der", ["t", "h"]),
        lambda: attention_map(MAP, ["d", "e", "r"], "th"),
        lambda: attention_explorer([AttentionExample("der", ["t", "h"], MAP)]),
        lambda: posterior_explorer([AttentionExample(["d", "e", "r"], "th", MAP)]),
        lambda: em_steps([("der", ["t", "h"])], [[MAP]], [0.0]),
        lambda: attention_plane("der", TWO, [1.0, 1.0]),
        lambda: attention_rows("der", TWO, [1.0, 1.0]),
        lambda: Glossed({"German": "der"}, {}),
    ],
)
def test_letters_are_not_taken_for_words(draw):
    with pytest.raises(TypeError, match=r"want .* as a list of words; got the text"):
        draw()
