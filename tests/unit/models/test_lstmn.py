"""The LSTMN as a translator keeps the protocol, although its state grows."""

import torch

from course_lib.decoding.beam import beam
from course_lib.decoding.greedy import greedy
from course_lib.models.lstmn import LSTMNConfig, LSTMNTranslator
from tests.kinds import stepwise
from tests.sizes import strong
from tests.watched import check_running_sums

WORDS = 11


def make(**settings) -> LSTMNTranslator:
    config = LSTMNConfig(WORDS, WORDS, embedding=5, hidden=6, **settings)
    return strong(LSTMNTranslator(config))


def sentences(lengths=(6, 2, 4), target: int = 5):
    draw = torch.Generator().manual_seed(1)
    source = torch.randint(4, WORDS, (len(lengths), max(lengths)), generator=draw)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    return source, mask, torch.randint(2, WORDS, (len(lengths), target), generator=draw)


def test_the_laws_of_the_protocol():
    model, (source, mask, target_in) = make(), sentences()
    whole = model(source, mask, target_in, return_attention=True)
    torch.testing.assert_close(stepwise(model, source, mask, target_in).logits, whole.logits)
    assert model(source, mask, target_in).attention is None
    torch.testing.assert_close(whole.attention.sum(-1), torch.ones(3, 5).double())
    assert (whole.attention.masked_select(~mask[:, None]) == 0).all()
    other = torch.where(mask, source, (source + 5) % WORDS)
    assert torch.equal(model(other, mask, target_in).logits, whole.logits)
    alone = model(source[1:2, :2], mask[1:2, :2], target_in[1:2]).logits
    torch.testing.assert_close(alone[0], whole.logits[1])
    changed = target_in.clone()
    changed[:, 3] = (changed[:, 3] + 1) % WORDS
    later = model(source, mask, changed).logits
    assert torch.equal(later[:, :3], whole.logits[:, :3])
    assert (later[:, 3:] != whole.logits[:, 3:]).any(-1).all()


def test_rows_of_growing_tapes_are_selected():
    model, (source, mask, target_in) = make(), sentences()
    memory, rows = model.encode(source, mask), torch.tensor([2, 2, 0])
    state = model.start(memory)
    for t in range(3):
        state = model.step(target_in[:, t], state, memory).state
    assert state.own.hidden_tape.shape == (3, 3, 6)
    found = model.step(target_in[rows, 3], state.select(rows), memory.select(rows)).logits
    torch.testing.assert_close(found, model(source, mask, target_in).logits[rows, 3])
    one = beam(model, source, mask, beams=1, max_length=6)
    assert one.ids == greedy(model, source, mask, max_length=6).ids


def test_beams_that_change_places_take_their_tapes_with_them():
    source, mask, _ = sentences()
    assert check_running_sums(make(), source, mask) > 5
