"""What must hold of links read from attention, whatever the weights."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.evaluation.alignment import links_from_weights


@st.composite
def attention(draw: st.DrawFn) -> torch.Tensor:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 10_000)))
    sharpness = draw(st.sampled_from([0.0, 1.0, 10.0]))
    return (sharpness * torch.randn(rows, columns, generator=generator)).softmax(-1)


@given(attention())
def test_every_target_word_gets_the_one_link_of_its_largest_weight(weights) -> None:
    links = links_from_weights(weights)
    assert sorted(t for _, t in links) == list(range(weights.shape[0]))
    assert all(weights[t, s] == weights[t].max() for s, t in links)


@given(attention(), st.floats(0.01, 1), st.floats(0.01, 1))
def test_a_higher_threshold_takes_links_away_and_adds_none(weights, one, other) -> None:
    low, high = sorted((one, other))
    assert links_from_weights(weights, high) <= links_from_weights(weights, low)


@given(attention(), st.integers(-7, 7), st.sampled_from([None, 0.3]))
def test_a_shift_moves_links_and_loses_only_those_that_leave_the_sentence(
    weights, shift, threshold
) -> None:
    plain = links_from_weights(weights, threshold)
    moved = links_from_weights(weights, threshold, shift=shift)
    rows = range(weights.shape[0])
    assert moved == {(s, t - shift) for s, t in plain if t - shift in rows}


@given(attention(), st.integers(0, 6))
def test_columns_that_are_no_words_never_make_links(weights, words) -> None:
    kept = links_from_weights(weights, source_words=words)
    assert kept == {(s, t) for s, t in links_from_weights(weights) if s < words}
