"""What a figure cannot show truly is refused: each function, with what would draw a falsehood."""

import numpy as np
import pytest

from course_lab.figures.drawn.linked import Sentences, linked
from course_lab.figures.still.attention_map import attention_map
from course_lab.figures.still.dot_rows import mean_dots
from course_lab.figures.still.gradients import gradient_plot
from course_lab.figures.still.length_curve import length_curve
from course_lab.figures.still.looks_and_worth import looks_and_worth
from course_lab.figures.still.position_map import position_map
from course_lab.figures.still.risk_by_length import risk_by_length
from course_lab.figures.still.scene_looks import scene_looks
from course_lab.figures.still.seed_dots import seed_dots
from course_lab.figures.still.smoothing import smoothing_plot
from course_lab.figures.still.table import Column, Table
from course_lab.figures.still.time_to_learn import time_to_learn
from course_lab.figures.still.two_budgets import Budgets, two_budgets
from course_lab.figures.still.vector_plane import vector_plane
from course_lab.figures.still.worth import Worth, weight_and_worth
from course_lab.figures.touch.attention import AttentionExample, attention_explorer
from course_lab.figures.touch.chain import unrolled_chain
from course_lab.figures.touch.em import em_steps
from course_lab.figures.touch.heat import HeatedDocument, document_heat
from course_lab.figures.touch.length import length_explorer
from course_lab.figures.touch.plane import attention_plane
from course_lab.figures.touch.posteriors import posterior_explorer
from course_lab.figures.touch.rows import attention_rows
from course_lab.figures.touch.swap import Intervention, swap
from course_lab.figures.touch.unfold import DecoderStep, unfold

NAN, HALVES, TWO = float("nan"), np.full((2, 2), 0.5), ["a", "b"]
PAIR = Sentences(TWO, TWO, {})
BINS = [(1, 2), (3, 4)]
AXES = {"x_name": "x", "y_name": "y"}


def example(scores, *links) -> AttentionExample:
    return AttentionExample(["a"], ["x"], scores, *links)


POINTS = [[1, 0], [0, 1], [-1, -1]]
STEP = DecoderStep("", [0.0], [1.0], [0.0], [0.5], [("x", 0.5)])
TRIAL = Intervention("t", "T.", ["x", "y"], [[1.0]])
HEATED = HeatedDocument(
    "h", [["a", "b"]], [1.0], [[0.5, 0.5]], [0.5, 0.5], [[0.5, 0.5]], [[[0.5, 0.5]] * 2]
)
# By function: what it is given, and a word of what it says.
REFUSED = {
    "attention_map, shape": (lambda: attention_map(HALVES, TWO, ["c"]), "target by source"),
    "attention_map, range": (lambda: attention_map(3 * HALVES, TWO, TWO), "must lie in"),
    "attention_map, nan": (lambda: attention_map(NAN * HALVES, TWO, TWO), "in|finite"),
    "attention_map, link": (lambda: attention_map(HALVES, TWO, TWO, links=[(2, 0)]), "outside"),
    "length_curve, bins": (lambda: length_curve(BINS[::-1], {"a": [0.5, 0.5]}), "rise"),
    "length_curve, values": (lambda: length_curve(BINS, {"a": [0.5]}), "2 bins"),
    "length_curve, share": (lambda: length_curve(BINS, {"a": [0.5, 1.1]}), r"0\.\.1"),
    "length_curve, interval": (
        lambda: length_curve(BINS, {"a": [0.5, 0.5]}, intervals={"a": [[1, 0]] * 2}),
        "low and a high end",
    ),
    "gradient_plot, distances": (lambda: gradient_plot([2, 1], {"a": [1, 1]}), "rising"),
    "gradient_plot, norms": (lambda: gradient_plot([1, 2], {"a": [1, -1]}), "0 or more"),
    "time_to_learn, sizes": (lambda: time_to_learn([0, 1], {"a": [[5, 5]]}, 9), "rising positive"),
    "time_to_learn, limit": (lambda: time_to_learn([1, 2], {"a": [[5, 10]]}, 9), r"1\.\.9"),
    "risk_by_length": (lambda: risk_by_length(BINS, [0.9, 1.2], [0.9, 0.5], [5.0, 6.0]), "share"),
    "vector_plane": (
        lambda: vector_plane(
            np.eye(3), TWO, {"all": [0, 1]}, halves=(("l", "r"), ("b", "t")), model="cho"
        ),
        "a name and a group",
    ),
    "scene_looks": (
        lambda: scene_looks(np.ones((4, 4)), 3, {"a": [[1.0]]}, [0], steps=["1"]),
        "rows of 3 patches",
    ),
    "position_map": (lambda: position_map([[2.0]]), "between -1 and 1"),
    "smoothing_plot": (lambda: smoothing_plot([1, 2], [1], [1, 2], {"a": [1, 2]}), "each key"),
    "mean_dots": (lambda: mean_dots({"a": [1.2]}), "wanted"),
    "mean_dots, mark": (lambda: mean_dots({"a": [0.6]}, floor=0.5, marks={"b": 0.3}), "wanted"),
    "seed_dots": (
        lambda: seed_dots({"a": {"x": [0.5]}, "b": {"y": [0.5]}}, headline="h"),
        "wanted",
    ),
    "weight_and_worth": (lambda: weight_and_worth({"a": Worth([0.5], [2.0])}), "wanted"),
    "two_budgets": (lambda: two_budgets({"a": Budgets(3, [1.2])}), "wanted"),
    "looks_and_worth": (
        lambda: looks_and_worth({"a": {"b": [(1.2, 0.0)]}}, **AXES),
        "wanted shares",
    ),
    "looks_and_worth, layers": (
        lambda: looks_and_worth({"a": {layer: [(0.2, 0.0)] for layer in "bcd"}}, **AXES),
        "one or two layers",
    ),
    "Table": (lambda: Table("c", "m", [Column("n")], {"a": (1, 2)}), "values for 1 columns"),
    "linked, link": (lambda: linked("n", "t", PAIR, {(2, 0): 1.0}), "outside 2 and 2 words"),
    "linked, weight": (lambda: linked("n", "t", PAIR, {(0, 0): 1.5}), r"0\.\.1"),
    "linked, wrong": (lambda: linked("n", "t", PAIR, {}, wrong={(0, 0)}), "not drawn"),
    "unrolled_chain": (lambda: unrolled_chain({"a": {"b": [1.0, -1.0]}}, [0, 1]), "negative"),
    "length_explorer": (
        lambda: length_explorer([(1, 5), (5, 9)], {"a": [0.5, 0.5]}, choose="n", y_name="y"),
        "not overlap",
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
    "unfold, step": (lambda: unfold(["a"], [STEP], {}, 1), "a step of 1 to open, got 1"),
    "unfold, weights": (lambda: unfold(["a", "b"], [STEP], {}), "want 2 weights, got 1"),
    "swap": (lambda: swap([["a"], ["b"]], 0, "x", []), "at least one trial"),
    "swap, weights": (lambda: swap([["a"], ["b"]], 0, "x", [TRIAL]), "'t': want 2 words and"),
    "swap, words": (
        lambda: swap([["a"]], 0, "x", [TRIAL._replace(written=["x", "y"])]),
        "got 2 and",
    ),
    "document_heat": (
        lambda: document_heat([HEATED], ["y", "n"], question="?", chosen=1),
        "wanted a document from 0 to 0, got 1",
    ),
    "document_heat, words": (
        lambda: document_heat([HEATED._replace(word_weights=[[1.0]])], ["y", "n"], question="?"),
        "'h': wanted a weight for each of its 2 words",
    ),
    "document_heat, answers": (
        lambda: document_heat([HEATED], ["y", "n", "?"], question="?"),
        "3 probabilities",
    ),
}


@pytest.mark.parametrize(("draw", "said"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_a_falsehood_is_refused(draw, said):
    with pytest.raises(ValueError, match=said):
        draw()
