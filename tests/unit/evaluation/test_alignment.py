"""Attention read as links, and scored against gold ones."""

import pytest
import torch

from course_lib.data.pairs import AlignedPair
from course_lib.evaluation.alignment import (
    attention_error_rate,
    links_from_weights,
)

WEIGHTS = torch.tensor([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.4, 0.35, 0.25]])


def test_each_target_word_links_to_what_it_looks_at_most() -> None:
    assert links_from_weights(WEIGHTS) == {(0, 0), (2, 1), (0, 2)}


def test_a_threshold_may_give_several_links_or_none() -> None:
    assert links_from_weights(WEIGHTS, 0.3) == {(0, 0), (1, 1), (2, 1), (0, 2), (1, 2)}
    assert links_from_weights(WEIGHTS, 0.65) == {(0, 0)}


def test_a_tie_goes_to_the_first_word() -> None:
    assert links_from_weights(torch.full((2, 5), 0.2)) == {(0, 0), (0, 1)}


def test_a_row_with_nothing_to_attend_to_links_to_nothing() -> None:
    assert links_from_weights(torch.tensor([[0.0, 0.0], [0.0, 1.0]])) == {(1, 1)}
    assert links_from_weights(torch.zeros(3, 0)) == set()
    assert links_from_weights(torch.zeros(0, 3)) == set()


def test_attention_to_the_end_mark_is_no_link() -> None:
    assert links_from_weights(WEIGHTS, source_words=2) == {(0, 0), (0, 2)}
    assert links_from_weights(WEIGHTS, 0.3, source_words=2) == {(0, 0), (1, 1), (0, 2), (1, 2)}


def test_the_shift_reads_a_word_from_the_row_after_or_before() -> None:
    # Diagonal attention that comes one row late, then one row early.
    late = torch.eye(4).roll(1, dims=0)
    late[0] = 0
    assert links_from_weights(late, shift=1) == {(0, 0), (1, 1), (2, 2)}
    early = torch.eye(4).roll(-1, dims=0)
    early[3] = 0
    assert links_from_weights(early, shift=-1) == {(1, 1), (2, 2), (3, 3)}


PAIR = AlignedPair(
    ("the", "dog"),
    ("der", "Hund"),
    frozenset({(0, 0), (1, 1)}),
    frozenset({(0, 0), (1, 1), (0, 1)}),
)


def test_attention_to_the_end_mark_is_a_missing_link_not_a_wrong_one() -> None:
    # "Hund" looks at the end mark: A = {(0, 0)}.
    away = torch.tensor([[0.8, 0.1, 0.1], [0.1, 0.2, 0.7]])
    assert attention_error_rate([away], [PAIR]) == pytest.approx(1 - (1 + 1) / (1 + 2))


def test_the_error_rate_by_hand() -> None:
    # Both words look at "the": A = {(0,0), (0,1)}, of which one is sure and two are possible.
    both = torch.tensor([[0.9, 0.1], [0.8, 0.2]])
    assert attention_error_rate([both], [PAIR]) == pytest.approx(1 - (1 + 2) / (2 + 2))


def test_the_corpus_is_counted_as_one_and_the_threshold_reaches_it() -> None:
    soft = torch.tensor([[0.6, 0.4], [0.4, 0.6]])
    assert attention_error_rate([soft, torch.eye(2)], [PAIR, PAIR]) == 0.0
    # At 0.4 all four cells of the first map are links, and (1, 0) is not even possible.
    rate = attention_error_rate([soft, torch.eye(2)], [PAIR, PAIR], threshold=0.4)
    assert rate == pytest.approx(1 - (2 + 2 + 3 + 2) / (6 + 4))


@pytest.mark.parametrize("shape", [(2, 4), (2, 1), (3, 2), (1, 3)])
def test_a_map_of_another_size_than_its_pair_is_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="2 target by 2 source words for pair 0"):
        attention_error_rate([torch.full(shape, 0.1)], [PAIR])
