"""The soft look-up and the scale laboratory: their numbers."""

import re
from functools import partial

import numpy as np
import pytest
import torch

from course_lab.experiments.query_key_value import scale
from course_lab.figures.touch.lookup import (
    BANDWIDTH,
    SCORES,
    attended,
    distance_outside,
    hull,
    soft_lookup,
)
from course_lab.figures.touch.scale import measures
from course_lib.attention import scores as library
from course_lib.attention.attend import attend
from course_lib.attention.smoothing import gaussian

WORDS = ["dog", "cat", "horse", "sparrow"]
K = np.array([[0.2, 1.1], [0.5, 0.5], [-1.1, 0.5], [1.5, 1.5]])
V = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.25]])


OF_THE_LIBRARY = {
    "dot product": library.dot,
    "distance": partial(gaussian, bandwidth=BANDWIDTH),
}


@pytest.mark.parametrize("name", SCORES)
def test_each_score_of_the_figure_is_the_librarys(name):
    query = np.array([0.7, -0.4])
    q, k, v = (torch.from_numpy(each)[None] for each in (query[None], K, V))
    found = attend(q, k, v, score=OF_THE_LIBRARY[name])
    weights, context = attended(name, query, K, V)
    np.testing.assert_allclose(weights, found.weights[0, 0], atol=1e-12)
    np.testing.assert_allclose(context, found.context[0, 0], atol=1e-12)


def test_the_hull_leaves_out_what_lies_within():
    assert set(hull(V)) == {0, 1, 2}
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5], [0.5, 0.0]], dtype=float)
    corners = hull(square)
    assert corners == [0, 1, 2, 3]  # counter-clockwise, none on an edge
    assert distance_outside(square[corners], np.array([0.5, 0.9])) == 0
    assert distance_outside(square[corners], np.array([2.0, 0.5])) == 1
    assert distance_outside(square[corners], np.array([4.0, 5.0])) == 5


def test_no_query_and_no_score_brings_the_context_out_of_the_hull():
    corners, rng = V[hull(V)], np.random.default_rng(0)
    for name in SCORES:
        for query in rng.uniform(-2, 2, (50, 2)):
            _, context = attended(name, query, K, V, temperature=0.2)
            assert distance_outside(corners, context) < 1e-12


def test_the_tables_hold_the_opening_state_and_all_scores():
    figure = soft_lookup(WORDS, K, V, [0.7, 0.45], [1.5, 1.5])
    html = figure._repr_html_()
    weights, _ = attended("dot product", np.array([0.7, 0.45]), K, V)
    row = re.search(r'<th scope="row">dot product</th>(.*?)</tr>', html)[1]
    assert re.findall(r">(0\.\d\d)<", row) == [f"{w:.2f}" for w in weights]
    assert all(f'<th scope="row">{name}</th>' in html for name in [*WORDS, *SCORES])


def test_measures_are_those_of_the_experiment():
    scores = np.array([3.0, -1.0, 0.5, 40.0])
    weights, entropy, steep = measures(scores)
    there = torch.from_numpy(scores).softmax(-1)
    np.testing.assert_allclose(weights, there, rtol=1e-12)
    assert steep == pytest.approx(scale.softmax_derivative(there).norm().item(), rel=1e-12)
    assert 0 < steep < 1e-15
    assert measures(np.zeros(8))[1] == pytest.approx(3)
    assert entropy < 1e-13
