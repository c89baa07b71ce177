"""The protocol, on the models of the book and on small ones of the kinds to come."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

from course_lib.models.protocol import (
    Batched,
    EncoderDecoder,
    Output,
    evaluating,
    restoring_modes,
)
from tests.kinds import PROTOCOL, made, stepwise
from tests.stubs import Uneven

name = pytest.mark.parametrize("name", PROTOCOL)


@name
def test_step_decode_and_forward_agree(name):
    """Logits and weights, to 1e-5."""
    model, batch = made(name)
    *source, target_in = batch
    ways = [
        model(*batch, return_attention=True),
        model.decode(target_in, model.encode(*source), return_attention=True),
        stepwise(model, *batch, return_attention=True),
    ]
    for one in ways[1:]:
        torch.testing.assert_close(one.logits, ways[0].logits, atol=1e-5, rtol=1e-5)
        assert (one.attention is None) == (ways[0].attention is None)
        if one.attention is not None:
            torch.testing.assert_close(one.attention, ways[0].attention, atol=1e-5, rtol=1e-5)


@name
def test_decode_reads_a_changed_memory(name):
    """What chapters do to see what a word depends on: hide a place, decode again."""
    model, (source, mask, target_in) = made(name)
    memory = model.encode(source, mask)
    whole = model.decode(target_in, memory, return_attention=True).attention
    if whole is None:
        return
    place = 1 + int(whole[..., 1:].sum((0, 1)).argmax())
    assert (whole[..., place] != 0).any()
    hidden = memory.mask.clone()
    hidden[:, place] = False
    found = model.decode(target_in, replace(memory, mask=hidden), return_attention=True).attention
    assert (found[..., place] == 0).all()


class Pair(NamedTuple):
    left: Tensor
    right: Any


@dataclass(frozen=True)
class Inner:
    rows: Tensor


@dataclass(frozen=True)
class Nested(Batched):
    plain: Tensor
    parts: Any


ROWS = torch.tensor([2, 0, 0])


def nested(rows: Tensor | slice = slice(None)) -> Nested:
    """One of each kind of nesting, from tensors whose rows are told apart."""
    one, two, three, four = (
        (10 * n + torch.arange(4))[:, None].expand(4, n + 1)[rows] for n in range(4)
    )
    return Nested(one, ((two, None), Pair(three, Inner(four))))


def test_select_picks_rows_in_any_nesting():
    picked, wanted = nested().select(ROWS), nested(ROWS)
    (two, nothing), pair = picked.parts
    assert torch.equal(picked.plain, wanted.plain)
    assert torch.equal(two, wanted.parts[0][0])
    assert nothing is None
    assert type(pair) is Pair
    assert torch.equal(pair.left, wanted.parts[1].left)
    assert torch.equal(pair.right.rows, wanted.parts[1].right.rows)


def test_select_refuses_tensors_with_other_numbers_of_rows():
    """A state with its layers first would lose layers, and nobody would notice."""
    with pytest.raises(ValueError, match="want as many rows in every tensor"):
        Nested(torch.zeros(4), (torch.zeros(3, 4),)).select(ROWS)


@name
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_hypotheses_of_a_beam_go_on_as_if_they_had_stood_alone(name, steps):
    """Select rows after some steps, then go on: as with the rows selected from the beginning."""
    model, (source, mask, target_in) = made(name)
    memory = model.encode(source, mask)
    state = model.start(memory)
    for token in target_in[:, :steps].unbind(1):
        state = model.step(token, state, memory).state
    state, picked = state.select(ROWS), memory.select(ROWS)
    alone = stepwise(model, source[ROWS], mask[ROWS], target_in[ROWS]).logits
    for t in range(steps, target_in.shape[1]):
        step = model.step(target_in[ROWS, t], state, picked)
        state = step.state
        torch.testing.assert_close(step.logits, alone[:, t], atol=1e-5, rtol=1e-5)


def drawn(model: EncoderDecoder, batch, seed: int | None, way=None) -> Output:
    generator = None if seed is None else torch.Generator().manual_seed(seed)
    return (way or model)(*batch, return_attention=True, generator=generator)


def test_a_model_that_samples_draws_from_its_generator_alone():
    model, batch = made("captioner, hard")
    first = drawn(model, batch, 5)
    torch.rand(3)
    again, other, sure = drawn(model, batch, 5), drawn(model, batch, 6), drawn(model, batch, None)
    assert torch.equal(first.attention, again.attention)
    assert torch.equal(first.log_probability, again.log_probability)
    assert not torch.equal(first.attention, other.attention)
    assert sure.log_probability is None
    assert torch.equal(sure.attention, drawn(model, batch, None).attention)
    stepped = drawn(model, batch, 5, lambda *b, **asked: stepwise(model, *b, **asked))
    assert torch.equal(stepped.attention, first.attention)


def test_evaluating_leaves_every_part_as_it_was():
    model = Uneven(4).train()
    model.part = nn.Sequential(nn.Dropout(), nn.Linear(1, 1)).eval().requires_grad_(False)

    def look(device):
        assert device.type == "cpu"
        assert not any(module.training for module in model.modules())
        assert not torch.is_grad_enabled()
        raise KeyError

    with pytest.raises(KeyError), evaluating(model) as device:
        look(device)
    assert [m.training for m in (model, model.part, model.part[0])] == [True, False, False]
    assert not model.part[1].weight.requires_grad
    assert model.weight.requires_grad
    with restoring_modes(model):
        model.train()
    assert not model.part[0].training
