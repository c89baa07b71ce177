"""Greedy search on a model that says what it is told to say."""

import pytest
import torch

from course_lib.data.tokens.tokenizer import END, PAD, START, UNKNOWN
from course_lib.decoding.greedy import greedy
from tests.stubs import Reciter
from tests.unit.decoding.test_beam import batch

A, B, C = 4, 5, 6


def test_each_sentence_ends_at_its_own_end():
    rows = [A, B, END], [C, END], [END], [UNKNOWN, A, B, C, END]
    decoded = greedy(Reciter(), *batch(*rows), max_length=10)
    assert decoded.ids == [[A, B], [C], [], [UNKNOWN, A, B, C]]
    assert decoded.finished == [True] * 4


def test_the_first_token_fed_is_start_then_what_was_chosen():
    model = Reciter()
    greedy(model, *batch([A, B, END]), max_length=10)
    assert model.fed == [[START], [A], [B]]


def test_max_length_counts_tokens_without_end():
    source = batch([A, B, END], [A, B, C, END])
    decoded = greedy(Reciter(), *source, max_length=2, return_attention=True)
    assert decoded.ids == [[A, B], [A, B]]
    assert decoded.finished == [True, False]
    assert [tuple(w.shape) for w in decoded.weights] == [(2, 3), (2, 4)]


def test_weights_are_cut_to_the_emitted_and_the_real_source_tokens():
    decoded = greedy(
        Reciter(), *batch([A, B, END], [C, END], [END]), max_length=10, return_attention=True
    )
    assert torch.equal(decoded.weights[0], torch.eye(3)[:2])
    assert torch.equal(decoded.weights[1], torch.eye(2)[:1])
    assert decoded.weights[2].shape == (0, 1)


@pytest.mark.parametrize("asked", [True, False])
def test_a_model_without_attention_has_no_weights(asked):
    source = batch([A, END], [END])
    decoded = greedy(Reciter(attends=False), *source, max_length=10, return_attention=asked)
    assert decoded.weights == [None, None]


def test_pad_and_start_are_never_written_even_if_preferred():
    decoded = greedy(Reciter(loved=[PAD, START]), *batch([A, B, END]), max_length=10)
    assert decoded.ids == [[A, B]]


def test_another_end_token():
    decoded = greedy(Reciter(), *batch([C, END, B]), end=B, max_length=10)
    assert decoded.ids == [[C, END]]


def test_dropout_is_off_and_every_part_is_left_in_its_mode():
    # Reciter itself refuses to encode while a part of it is in train mode.
    model = Reciter().train()
    model.frozen.eval()
    greedy(model, *batch([END]), max_length=1)
    assert (model.training, model.dropout.training, model.frozen.training) == (True, True, False)
