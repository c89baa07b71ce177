"""Luong's model in all its variants: by its equations, and the laws of the protocol for each."""

from itertools import product

import pytest
import torch

from course_lib.models.luong import ATTENTIONS, SCORES, Luong, LuongConfig
from tests.sizes import strong

WORDS = 17
VARIANTS = [
    {"attention": attention, "score": score, "input_feeding": feeding}
    for attention, score, feeding in product(ATTENTIONS, SCORES, (True, False))
]


def make(strength: float = 0.7, **settings) -> Luong:
    """In double precision, with weights so large that no two equations give nearly the same."""
    config = {"embedding": 5, "hidden": 6, "radius": 2} | settings
    return strong(Luong(LuongConfig(WORDS, WORDS, **config)), strength)


def sentences(lengths=(8, 3, 5), target: int = 7):
    draw = torch.Generator().manual_seed(1)
    source = torch.randint(4, WORDS, (len(lengths), max(lengths)), generator=draw)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    return source, mask, torch.randint(2, WORDS, (len(lengths), target), generator=draw)


@pytest.fixture(params=VARIANTS, ids=lambda v: " ".join(map(str, v.values())))
def variant(request) -> dict:
    return request.param


def by_hand(model: Luong, source, mask, target_in):
    """Equations 5 to 10 for one sentence, with loops; weights (T, S) and logits (T, V)."""
    config, size = model.config, int(mask.sum())
    notes, (h, c) = model.encoder.layers(model.source_embed.table(source[:, :size]))
    notes = notes[0]
    attentional, rows, logits = torch.zeros(config.hidden).double(), [], []
    for t, token in enumerate(target_in[0]):
        word = model.target_embed.table(token)
        read = torch.cat([word, attentional]) if config.input_feeding else word
        _, (h, c) = model.decoder(read[None, None], (h, c))
        state = h[-1, 0]
        place = float(t)
        if config.attention == "local-p":
            hidden = torch.tanh(model.position.hidden.weight @ state)
            place = size * torch.sigmoid(model.position.energy.weight[0] @ hidden).item()
        energy = []
        for s in range(size):
            if config.score == "dot":
                score = state @ notes[s]
            elif config.score == "general":
                score = state @ model.score.keys.weight @ notes[s]
            else:
                both = torch.cat([state, notes[s]])
                score = model.score.energy.weight[0] @ torch.tanh(model.score.pairs.weight @ both)
            seen = config.attention == "global" or abs(s - place) <= config.radius
            energy.append(torch.exp(score).item() if seen else 0.0)
        row = torch.tensor(energy, dtype=torch.float64)
        row = row / row.sum() if row.sum() else row
        if config.attention == "local-p":
            away = torch.arange(size) - place
            row = row * torch.exp(-(away**2) / (2 * (config.radius / 2) ** 2))
        context = row @ notes
        attentional = torch.tanh(model.combine.weight @ torch.cat([context, state]))
        logits.append(model.words.weight @ attentional + model.words.bias)
        rows.append(row)
    return torch.stack(rows), torch.stack(logits)


def test_every_variant_by_its_equations(variant):
    model = make(**variant, layers=2)
    source, mask, target_in = sentences()
    found = model(source, mask, target_in, return_attention=True)
    for b in range(len(source)):
        one = slice(b, b + 1)
        rows, logits = by_hand(model, source[one], mask[one], target_in[one])
        size = rows.shape[1]
        torch.testing.assert_close(found.attention[b, :, :size], rows)
        assert (found.attention[b, :, size:] == 0).all()
        torch.testing.assert_close(found.logits[b], logits)


def test_padding_has_no_influence(variant):
    model = make(**variant)
    source, mask, target_in = sentences()
    other = torch.where(mask, source, (source + 5) % WORDS)
    one, two = (model(ids, mask, target_in, return_attention=True) for ids in (source, other))
    assert torch.equal(one.logits, two.logits)
    assert (one.attention.masked_select(~mask[:, None].expand_as(one.attention)) == 0).all()
    model(torch.where(mask, source, 0), mask, target_in).logits.sum().backward()
    assert (model.source_embed.table.weight.grad[0] == 0).all()
    alone = model(source[1:2, :3], mask[1:2, :3], target_in[1:2]).logits
    torch.testing.assert_close(alone[0], one.logits[1])
