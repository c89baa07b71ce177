"""Greedy search on a model that says what it is told to say."""

from dataclasses import dataclass

import pytest
import torch
from jaxtyping import Int
from torch import Tensor

from course_lib.data.tokens.tokenizer import END, PAD, START, UNKNOWN
from course_lib.decoding.greedy import greedy
from course_lib.models.protocol import EncoderDecoder, Memory, State, Step

A, B, C = 4, 5, 6
VOCABULARY = 7


@dataclass(frozen=True)
class Script(Memory):
    lines: Int[Tensor, "B S"]


@dataclass(frozen=True)
class Place(State):
    position: Int[Tensor, " B"]


class Reciter(EncoderDecoder):
    """Writes its source, one token a step, whatever it is fed; looks at what it writes.

    Args:
        loved: tokens with a higher logit than the right one.
    """

    def __init__(self, loved=(), with_weights=True) -> None:
        super().__init__()
        self.loved, self.with_weights = list(loved), with_weights
        self.fed = []

    def encode(self, source, source_mask):
        assert torch.is_inference_mode_enabled()
        return Script(source_mask, source)

    def start(self, memory):
        return Place(torch.zeros_like(memory.lines[:, 0]))

    def step(self, token, state, memory):
        self.fed.append(token.tolist())
        at = state.position.clamp(max=memory.lines.shape[1] - 1)
        right = memory.lines.gather(1, at[:, None])
        logits = torch.zeros(len(token), VOCABULARY).scatter(1, right, 5.0)
        logits[:, self.loved] = 9.0
        weights = torch.nn.functional.one_hot(at, memory.lines.shape[1]).float()
        return Step(logits, Place(state.position + 1), weights if self.with_weights else None)


def batch(*rows):
    width = max(map(len, rows))
    source = torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows])
    lengths = torch.tensor([len(row) for row in rows])
    return source, torch.arange(width) < lengths[:, None]


def test_each_sentence_ends_at_its_own_end():
    rows = [A, B, END], [C, END], [END], [UNKNOWN, A, B, C, END]
    decoded = greedy(Reciter(), *batch(*rows), max_length=10)
    assert decoded.ids == [[A, B], [C], [], [UNKNOWN, A, B, C]]
    assert decoded.finished == [True] * 4


def test_the_first_token_fed_is_start_then_what_was_chosen():
    model = Reciter()
    greedy(model, *batch([A, B, END]), max_length=10)
    assert model.fed == [[START], [A], [B]]


def test_it_stops_when_the_last_sentence_is_finished():
    model = Reciter()
    greedy(model, *batch([A, END], [A, B, C, END]), max_length=100)
    assert len(model.fed) == 4


def test_max_length_counts_tokens_without_end():
    source = batch([A, B, END], [A, B, C, END])
    decoded = greedy(Reciter(), *source, max_length=2)
    assert decoded.ids == [[A, B], [A, B]]
    assert decoded.finished == [True, False]
    assert [tuple(w.shape) for w in decoded.weights] == [(2, 3), (2, 4)]


def test_weights_are_cut_to_the_emitted_and_the_real_source_tokens():
    decoded = greedy(Reciter(), *batch([A, B, END], [C, END], [END]), max_length=10)
    assert torch.equal(decoded.weights[0], torch.eye(3)[:2])
    assert torch.equal(decoded.weights[1], torch.eye(2)[:1])
    assert decoded.weights[2].shape == (0, 1)


def test_a_model_without_attention_has_no_weights():
    decoded = greedy(Reciter(with_weights=False), *batch([A, END], [END]), max_length=10)
    assert decoded.weights == [None, None]


def test_pad_and_start_are_never_written_even_if_preferred():
    decoded = greedy(Reciter(loved=[PAD, START]), *batch([A, B, END]), max_length=10)
    assert decoded.ids == [[A, B]]


def test_of_equals_the_first_is_taken():
    decoded = greedy(Reciter(loved=[C, B, PAD]), *batch([A]), max_length=1)
    assert decoded.ids == [[B]]


def test_other_start_and_end_tokens():
    model = Reciter(loved=[A])
    decoded = greedy(model, *batch([C, END, B]), start=A, end=B, max_length=10)
    assert decoded.ids == [[C, END]]
    assert model.fed[0] == [A]


@pytest.mark.parametrize("max_length", [0, -3])
def test_an_impossible_length_is_refused(max_length):
    with pytest.raises(ValueError, match="at least 1"):
        greedy(Reciter(), *batch([END]), max_length=max_length)


def test_the_callers_mode_is_not_touched():
    model = Reciter().train()
    greedy(model, *batch([END]), max_length=1)
    assert model.training
