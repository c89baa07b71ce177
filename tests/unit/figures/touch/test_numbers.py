"""The numbers in the figures to touch."""

import base64
import html
import re

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from course_lab.figures.touch.attention import (
    MASKED,
    AttentionExample,
    _quantised,
    attention_explorer,
    softmax,
)
from course_lab.figures.touch.chain import unrolled_chain
from course_lab.figures.touch.em import em_steps
from course_lab.figures.touch.length import length_explorer
from course_lib.alignment.ibm1 import IBMModel1


def tables(figure) -> list[list[list[str]]]:
    """Every table of the figure as rows of texts."""
    found = []
    for table in re.findall(r"<table>.*?</table>", figure._repr_html_()):
        rows = re.findall(r"<tr>(.*?)</tr>", table)
        cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
        found.append([[html.unescape(re.sub(r"<.*?>", "", c)) for c in row] for row in cells])
    return found


def test_the_chain_tells_every_norm_by_its_power_of_ten():
    figure = unrolled_chain(
        {"tanh": {"× 1": [1.0, 0.25, 3.2e-4]}, "ReLU": {"× 2": np.array([1, 20, 5e7])}}, [0, 5, 20]
    )
    assert tables(figure) == [
        [
            ["cell", "weights", "0", "5", "20"],
            ["tanh", "× 1", "1", "0.25", "3·10⁻⁴"],
            ["ReLU", "× 2", "1", "2·10¹", "5·10⁷"],
        ]
    ]
    said = [scale["words"] for cell in figure.data["cells"] for scale in cell["scales"]]
    assert said[0].startswith("tanh, × 1: 20 steps back the gradient is 3·10⁻⁴ times")
    assert said[1].endswith("5·10⁷ times as large as at the last state; it explodes.")


def test_the_length_explorer_holds_every_run_and_the_mean():
    figure = length_explorer(
        [(3, 9), (10, 10)],
        {"64": torch.tensor([[0.9, 0.2], [0.7, 0.1]]), "256": [1.0, float("nan")]},
        choose="width",
        y_name="exact match",
    )
    assert tables(figure) == [
        [
            ["width", "run", "3–9", "10"],
            ["64", "seed 1", "0.90", "0.20"],
            ["64", "seed 2", "0.70", "0.10"],
            ["64", "mean", "0.80", "0.15"],
            ["256", "run", "1.00", "–"],
        ]
    ]
    first = "width 64: 0.80 at 3–9 words, 0.15 at 10 words; mean of 2 seeds, at most 0.20 apart."
    said = [curve["words"] for curve in figure.data["curves"]]
    assert said == [first, "width 256: 1.00 at 3–9 words; one run."]


PAIRS = [(["the", "house"], ["das", "Haus"]), (["the"], ["das"])]


def test_em_holds_every_posterior_and_likelihood():
    models = [IBMModel1.fit(PAIRS, iterations=n, null=False) for n in range(4)]
    posteriors = [[model.posterior(*pair) for pair in PAIRS] for model in models]
    figure = em_steps(PAIRS, posteriors, [m.log_likelihoods[-1] for m in models])
    (rows,) = tables(figure)
    assert rows[0] == ["pair", "target", "source", "0", "1", "2", "3"]
    assert len(rows) == 1 + 4 + 1 + 1
    expected = [f"{m.posterior(*PAIRS[0])[1, 1]:.2f}" for m in models]
    assert rows[4] == ["1", "Haus", "house", *expected]
    likelihoods = [f"−{-m.log_likelihoods[-1]:.3f}" for m in models]
    assert rows[-1] == ["log-likelihood", *likelihoods]


def test_the_attention_tables_hold_the_weights_and_mark_the_links():
    scores = torch.tensor([[0.0, float(np.log(3))], [9.0, 0.0]], requires_grad=True)
    example = AttentionExample(
        ["the", "house"], ["das", "Haus"], scores, {(1, 0)}, {(1, 0), (0, 1)}
    )
    figure = attention_explorer([example, AttentionExample(["a"], ["b"], [[5.0]], title="second")])
    assert tables(figure) == [
        [["", "the", "house"], ["das", ".25", ".75◆"], ["Haus", "1◇", ""]],
        [["", "a"], ["b", "1"]],
    ]
    html_ = figure._repr_html_()
    assert "<caption><span>das Haus</span></caption>" in html_
    assert "<caption><span>second</span></caption>" in html_
    assert html_.count('aria-label="true link">') == 1


def test_masked_scores_get_no_weight_and_a_masked_row_none_at_all():
    minus = float("-inf")
    stored = _quantised(AttentionExample(["a", "b"], ["x", "y"], [[1.0, minus], [minus, minus]]))
    assert stored.tolist() == [[0, MASKED], [MASKED, MASKED]]
    assert softmax(stored).tolist() == [[1.0, 0.0], [0.0, 0.0]]


def test_the_script_gets_the_stored_scores_little_endian():
    scores = [[0.0, -1.0, -200.0]]
    figure = attention_explorer([AttentionExample(["a", "b", "c"], ["x"], scores)])
    (code,) = re.findall(r'"scores":"([^"]*)"', figure._repr_html_())
    assert np.frombuffer(base64.b64decode(code), "<i2").tolist() == [0, -256, -32767]


@given(
    scores=arrays(np.float64, (3, 4), elements=st.floats(-1e4, 1e4)),
    temperature=st.sampled_from([0.125, 0.5, 1.0, 8.0]),
)
def test_storing_moves_a_weight_by_little(scores, temperature):
    example = AttentionExample(list("abcd"), list("xyz"), scores)
    exact = torch.tensor(scores / temperature).softmax(dim=-1).numpy()
    error = np.abs(softmax(_quantised(example), temperature) - exact).max()
    # A score is off by 1/512 at most, so a weight w moves by less than w (1 - w) 2 / 512 t.
    assert error <= 0.25 * (np.exp(2 / 512 / temperature) - 1) * 1.02
