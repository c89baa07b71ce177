"""The numbers in the figures to touch, and what they refuse."""

import base64
import html
import re

import numpy as np
import pytest
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


# The unrolled chain


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
    assert "tanh, × 1: 20 steps back the gradient is 3·10⁻⁴ times" in figure.alt
    assert "5·10⁷ times as large as at the last state; it explodes." in figure.alt


@pytest.mark.parametrize(
    ("last", "fate"),
    [
        (0.0, "vanishes"),
        (1e-3, "vanishes"),
        (2e-3, "shrinks"),
        (0.11, "lasts"),
        (9.0, "lasts"),
        (10.0, "grows"),
        (1e3, "explodes"),
        (float("inf"), "explodes"),
    ],
)
def test_the_chain_says_what_becomes_of_the_gradient(last, fate):
    assert unrolled_chain({"a": {"b": [1.0, last]}}, [0, 9]).detail.endswith(f"; it {fate}.")


def test_a_gradient_that_is_the_same_is_not_one_times_as_large():
    detail = unrolled_chain({"a": {"b": [1.0, 0.999]}}, [0, 50]).detail
    assert detail == "a, b: 50 steps back the gradient is as large as at the last state; it lasts."


def test_what_is_said_to_grow_is_marked_and_what_lasts_is_not():
    html_ = unrolled_chain({"a": {"b": [1e-9, 9.0, 10.0]}}, [0, 1, 2])._repr_html_()
    marked = re.findall(r'<td class="([^"]*)" style="--w:([\d.]*)">([^<]*)', html_)
    assert [("cl-grown" in classes, w, text) for classes, w, text in marked] == [
        (False, "0.00", "10⁻⁹"),
        (False, "1.00", "9"),
        (True, "1.00", "10¹"),
    ]


@pytest.mark.parametrize(
    ("profiles", "distances", "said"),
    [
        ({}, [0], "at least one cell type"),
        ({"a": {}}, [0], "at least one cell type"),
        ({"a": {"b": [1.0]}}, [], "rising"),
        ({"a": {"b": [1.0, 1.0]}}, [5, 5], "rising"),
        ({"a": {"b": [1.0]}}, [0, 1], "each of 2 distances"),
        ({"a": {"b": [1.0, -1.0]}}, [0, 1], "negative"),
        ({"a": {"b": ["x", "y"]}}, [0, 1], "numbers"),
    ],
)
def test_the_chain_refuses(profiles, distances, said):
    with pytest.raises(ValueError, match=said):
        unrolled_chain(profiles, distances)


# The length explorer


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
    assert figure.detail == f"{first} width 256: 1.00 at 3–9 words; one run."


def test_a_seed_without_a_number_leaves_the_others_their_mean():
    nan = float("nan")
    figure = length_explorer(
        [(1, 2)], {"a": [[0.4], [nan], [0.6]], "b": [[nan], [nan]]}, choose="n", y_name="y"
    )
    assert ["a", "mean", "0.50"] in tables(figure)[0]
    assert "n b: no number." in figure.detail


@pytest.mark.parametrize(
    ("bins", "curves", "said"),
    [
        ([], {"a": []}, "bins"),
        ([(5, 3)], {"a": [0.5]}, "shortest, longest"),
        ([(1, 5), (5, 9)], {"a": [0.5, 0.5]}, "not overlap"),
        ([(1, 5)], {}, "at least one curve"),
        ([(1, 5)], {"a": [[0.1, 0.2]]}, "each of 1 bins"),
        ([(1, 5)], {"a": [1.2]}, r"0\.\.1"),
        ([(1, 5)], {"a": [-0.1]}, r"0\.\.1"),
    ],
)
def test_the_length_explorer_refuses(bins, curves, said):
    with pytest.raises(ValueError, match=said):
        length_explorer(bins, curves, choose="n", y_name="y")


def test_the_length_explorer_refuses_a_model_without_a_colour():
    with pytest.raises(ValueError, match="names no model 'choo', only bahdanau, cho"):
        length_explorer([(1, 5)], {"a": [0.5]}, choose="n", y_name="y", model="choo")


# EM step by step

PAIRS = [(["the", "house"], ["das", "Haus"]), (["the"], ["das"])]


def em_of(null: bool | str):
    models = [IBMModel1.fit(PAIRS, iterations=n, null=bool(null)) for n in range(4)]
    posteriors = [[model.posterior(*pair) for pair in PAIRS] for model in models]
    return models, em_steps(PAIRS, posteriors, [m.log_likelihoods[-1] for m in models], null=null)


def test_em_holds_every_posterior_and_likelihood():
    models, figure = em_of(null=False)
    (rows,) = tables(figure)
    assert rows[0] == ["pair", "target", "source", "0", "1", "2", "3"]
    assert len(rows) == 1 + 4 + 1 + 1
    expected = [f"{m.posterior(*PAIRS[0])[1, 1]:.2f}" for m in models]
    assert rows[4] == ["1", "Haus", "house", *expected]
    likelihoods = [f"−{-m.log_likelihoods[-1]:.3f}" for m in models]
    assert rows[-1] == ["log-likelihood", *likelihoods]


def test_em_moves_the_last_column_of_the_library_to_the_front():
    models, figure = em_of(null="last")
    (rows,) = tables(figure)
    assert [row[2] for row in rows[1:4]] == ["NULL", "the", "house"]
    assert rows[1][-1] == f"{models[-1].posterior(*PAIRS[0])[0, 2]:.2f}"
    assert rows[2][-1] == f"{models[-1].posterior(*PAIRS[0])[0, 0]:.2f}"


def test_em_takes_null_in_front_as_it_is():
    figure = em_steps([(["a"], ["x"])], [[[[0.25, 0.75]]]], [-1.0], null=True)
    assert [row[2:] for row in tables(figure)[0][1:3]] == [["NULL", "0.25"], ["a", "0.75"]]


def test_em_holds_the_table_of_each_step_for_words_that_meet():
    models, _ = em_of(null=False)
    posteriors = [[model.posterior(*pair) for pair in PAIRS] for model in models]
    figure = em_steps(
        PAIRS,
        posteriors,
        [m.log_likelihoods[-1] for m in models],
        tables=[m.table for m in models],
    )
    _, rows = tables(figure)
    assert rows[0] == ["e", "f", "0", "1", "2", "3"]
    assert [row[:2] for row in rows[1:]] == [[e, f] for e in PAIRS[0][0] for f in PAIRS[0][1]]
    assert rows[2][2:] == [f"{m.probability('Haus', 'the'):.2f}" for m in models]


def test_the_table_of_em_has_a_row_for_null():
    models, _ = em_of(null="last")
    posteriors = [[model.posterior(*pair) for pair in PAIRS] for model in models]
    likelihoods = [m.log_likelihoods[-1] for m in models]
    given = [m.table for m in models]
    figure = em_steps(PAIRS, posteriors, likelihoods, null="last", tables=given)
    rows = tables(figure)[1]
    assert rows[1] == ["NULL", "das", *(f"{m.probability('das', None):.2f}" for m in models)]


def test_em_says_when_a_word_is_undecided_and_who_writes_it_when_not():
    _, figure = em_of(null=False)
    start, end = figure.detail.split(" After 3 iterations: ")
    assert start.startswith("At the start: log-likelihood −")
    # The same word may stand in both.
    assert "Pair 1: das undecided, Haus undecided. Pair 2: das from the 1.00." in start
    assert "Haus from house" in end
    assert re.search(r", \+0\.\d{3} by this iteration", end)


@pytest.mark.parametrize(
    ("pairs", "words", "said"),
    [
        (1, 2, "Most probable: x from a 1.00, x from a 1.00."),
        (1, 9, f"Most probable: {', '.join(['x from a 1.00'] * 8)}, and so on."),
        (3, 4, f". Pair 2: {', '.join(['x from a 1.00'] * 4)}, and so on."),
        (2, 4, f". Pair 2: {', '.join(['x from a 1.00'] * 4)}."),
    ],
)
def test_em_says_eight_words_and_of_which_pair(pairs, words, said):
    matrix = [[1.0]] * words
    figure = em_steps([(["a"], ["x"] * words)] * pairs, [[matrix] * pairs], [-1.0])
    assert figure.detail.endswith(said)


@pytest.mark.parametrize(
    ("pairs", "posteriors", "likelihoods", "how", "said"),
    [
        ([], [], [], {}, "at least one pair"),
        ([(["a"], [])], [[[[1.0]]]], [-1.0], {}, "both sides"),
        ([(["a"], ["x"])], [], [], {}, "0 entries"),
        ([(["a"], ["x"])], [[[[1.0]]]], [-1.0, -2.0], {}, "1 entries and 2 log-likelihoods"),
        ([(["a"], ["x"])], [[]], [-1.0], {}, "array for each of 1 pair, got 0"),
        ([(["a"], ["x"])], [[[[0.5, 0.5]]]], [-1.0], {}, "1 by 1, got 1 by 2"),
        ([(["a"], ["x"])], [[[[1.0]]]], [-1.0], {"null": True}, "with NULL, 1 by 2, got 1 by 1"),
        ([(["a"], ["x"])], [[[[1.5]]]], [-1.0], {}, r"0\.\.1"),
        ([(["a"], ["x"])], [[[[1.0]]]], [float("nan")], {}, "one row of numbers"),
        ([(["a"], ["x"])], [[[[1.0]]]], [-1.0], {"null": "middle"}, "null must be"),
        ([(["a"], ["x"])], [[[[1.0]]]], [-1.0], {"tables": [{}, {}]}, "1 tables or none, got 2"),
        ([(["a"], ["x"])], [[[[1.0]]]], [-1.0], {"tables": [{"a": {"x": 2.0}}]}, r"lie in 0\.\.1"),
        ([(["a"], ["x"])], [[[[1.0]]]], [-1.0], {"opened": 1}, "entry 0 to 0, not 1"),
    ],
)
def test_em_refuses(pairs, posteriors, likelihoods, how, said):
    with pytest.raises(ValueError, match=said):
        em_steps(pairs, posteriors, likelihoods, **how)


# The attention explorer


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
    assert '<caption><span><bdi lang="de" translate="no">das Haus</bdi></span></caption>' in html_
    assert "<caption><span>second</span></caption>" in html_
    assert html_.count('aria-label="true link">') == 1
    assert "“das” at “house” (0.75)" in figure.alt


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


@pytest.mark.parametrize(
    ("example", "said"),
    [
        (AttentionExample([], ["x"], []), "at least one source"),
        (AttentionExample(["a"], ["x"], [[1.0, 2.0]]), "1 by 1, got 1 by 2"),
        (AttentionExample(["a"], ["x"], [1.0]), "1 by 1, got 1"),
        (AttentionExample(["a"], ["x"], [["?"]]), "must be numbers"),
        (AttentionExample(["a"], ["x"], [[float("nan")]]), "minus infinity"),
        (AttentionExample(["a"], ["x"], [[float("inf")]]), "minus infinity"),
        (AttentionExample(["a"], ["x"], [[1.0]], {(1, 0)}), r"link \(1, 0\) is outside"),
        (AttentionExample(["a"], ["x"], [[1.0]], set(), {(0, 1)}), r"link \(0, 1\) is outside"),
        (AttentionExample(["a"], ["x"], [[1.0]], opened=1), "no word to open on at 1"),
        (AttentionExample(["a"], ["x"], [[1.0]], opened=-1), "no word to open on at -1"),
        (AttentionExample(["a"], ["x"], [[1.0]], opened=("side", 0)), "no word to open on"),
    ],
)
def test_the_attention_explorer_refuses(example, said):
    with pytest.raises(ValueError, match=said):
        attention_explorer([example])


def test_the_script_gets_the_word_to_open_on():
    sides = [0, ("target", 1), ("source", 2)]
    examples = [
        AttentionExample(list("abc"), list("xy"), np.zeros((2, 3)), opened=o) for o in sides
    ]
    found = re.findall(r'"opened":(\[\d,\d\])', attention_explorer(examples)._repr_html_())
    assert found == ["[1,0]", "[1,1]", "[0,2]"]


def test_an_attention_explorer_needs_an_example():
    with pytest.raises(ValueError, match="at least one example"):
        attention_explorer([])
