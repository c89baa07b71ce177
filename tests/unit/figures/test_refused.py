"""What a figure cannot show truly is refused: each function, with what would draw a falsehood."""

import numpy as np
import pytest

from course_lab.figures.still.attention_map import attention_map
from course_lab.figures.still.length_curve import length_curve
from course_lab.figures.still.table import Column, Table
from course_lab.figures.touch.attention import AttentionExample, attention_explorer
from course_lab.figures.touch.em import em_steps
from course_lab.figures.touch.length import length_explorer
from course_lab.figures.touch.plane import attention_plane
from course_lab.figures.touch.posteriors import posterior_explorer
from course_lab.figures.touch.rows import attention_rows

NAN, HALVES, TWO = float("nan"), np.full((2, 2), 0.5), ["a", "b"]
BINS = [(1, 2), (3, 4)]


def example(scores, *links) -> AttentionExample:
    return AttentionExample(["a"], ["x"], scores, *links)


POINTS = [[1, 0], [0, 1], [-1, -1]]
# By function: what it is given, and a word of what it says.
REFUSED = {
    "attention_map, shape": (lambda: attention_map(HALVES, TWO, ["c"]), "target by source"),
    "attention_map, range": (lambda: attention_map(3 * HALVES, TWO, TWO), "must lie in"),
    "attention_map, nan": (lambda: attention_map(NAN * HALVES, TWO, TWO), "in|finite"),
    "attention_map, link": (lambda: attention_map(HALVES, TWO, TWO, links=[(2, 0)]), "outside"),
    "length_curve, bins": (lambda: length_curve(BINS[::-1], {"a": [0.5, 0.5]}), "rise"),
    "length_curve, values": (lambda: length_curve(BINS, {"a": [0.5]}), "2 bins"),
    "length_curve, share": (lambda: length_curve(BINS, {"a": [0.5, 1.1]}), r"0\.\.1"),
    "Table": (lambda: Table("c", "m", [Column("n")], {"a": (1, 2)}), "values for 1 columns"),
    "length_explorer": (
        lambda: length_explorer([(1, 5), (5, 9)], {"a": [0.5, 0.5]}, choose="n", y_name="y"),
        "rise",
    ),
    "em_steps, shape": (lambda: em_steps([(["a"], ["x"])], [[[[0.5, 0.5]]]], [-1.0]), "1 by 1"),
    "em_steps, range": (lambda: em_steps([(["a"], ["x"])], [[[[1.5]]]], [-1.0]), r"0\.\.1"),
    "attention_explorer, shape": (lambda: attention_explorer([example([[1.0, 2.0]])]), "1 by 1"),
    "attention_explorer, nan": (lambda: attention_explorer([example([[NAN]])]), "minus infinity"),
    "attention_explorer, link": (
        lambda: attention_explorer([example([[1.0]], {(1, 0)})]),
        "outside",
    ),
    "posterior_explorer": (lambda: posterior_explorer([example([[1.1]])]), r"0\.\.1"),
    "attention_plane": (lambda: attention_plane(["a", "b"], POINTS, [0, 1]), "2 annotations and a"),
    "attention_plane, far": (
        lambda: attention_plane(["a", "b", "c"], [[3, 0]] * 3, [0, 1]),
        "within 2 of zero",
    ),
    "attention_rows": (lambda: attention_rows(["a", "b"], POINTS, [0, 1]), "2 annotations and a"),
}


@pytest.mark.parametrize(("draw", "said"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_a_falsehood_is_refused(draw, said):
    with pytest.raises(ValueError, match=said):
        draw()
