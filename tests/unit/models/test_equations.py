"""Each model computes what its paper's equations say, written out here once more from its weights.

Stepping equals forward whatever the equations are, so that alone would not notice a wrong one.
"""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from course_lib.models.registry import MODELS, build
from course_lib.recurrent.cells import gru_update
from tests.sizes import small, strong

SIZES = small("bahdanau", 17, 13)
HIDDEN = SIZES["hidden"]
SOURCE = torch.tensor([[5, 9, 16, 4, 11], [7, 7, 12, 10, 3]])
MASK = torch.ones(SOURCE.shape, dtype=torch.bool)
TARGET = torch.tensor([[2, 6, 8, 12], [2, 5, 5, 9]])


def made(name: str, **settings) -> torch.nn.Module:
    sizes = small(name, 17, 13) | settings
    return strong(build(name, sizes), seed=7)


def maxout(layer, *parts: Tensor) -> Tensor:
    """Equation 4's deep output: the larger of each pair, then one score per word."""
    pooled = torch.cat(parts, -1) @ layer.pool.weight.T + layer.pool.bias
    units = torch.maximum(*pooled.split(pooled.shape[-1] // 2, dim=-1))
    return units @ layer.words.weight.T + layer.words.bias


@pytest.mark.parametrize("name", ["bahdanau", "dot"])
def test_the_first_state_is_made_from_the_backward_direction_at_the_first_word(name):
    """Bahdanau et al. 2015, appendix A.2.2: it alone has read the whole sentence there."""
    model = made(name)
    memory = model.encode(SOURCE, MASK)
    width = memory.annotations.shape[-1] // 2
    backward, forward = memory.annotations[:, 0, width:], memory.annotations[:, -1, :width]
    first = model.start(memory).hidden
    torch.testing.assert_close(first, torch.tanh(model.bridge(backward)))
    assert (first - torch.tanh(model.bridge(forward))).abs().max() > 0.1


def test_bahdanau_by_its_equations():
    model = made("bahdanau")
    memory = model.encode(SOURCE, MASK)
    notes, state = memory.annotations, model.start(memory).hidden
    score, wanted = model.score, []
    for token in TARGET.unbind(1):
        word = model.target_embed.table.weight[token]
        query = (state @ score.queries.weight.T)[:, None]
        energy = torch.tanh(query + notes @ score.keys.weight.T) @ score.energy.weight[0]
        weights = energy.exp() / energy.exp().sum(1, keepdim=True)
        context = (weights[..., None] * notes).sum(1)
        gates = model.word_gates(word) + context @ model.context_gates.weight.T
        state = gru_update(gates, model.recurrent_gates(state), state)
        wanted.append(maxout(model.output, state, word, context))
    torch.testing.assert_close(model(SOURCE, MASK, TARGET).logits, torch.stack(wanted, 1))


def test_the_dot_model_by_its_equations():
    """Luong et al. 2015, section 3.1, "dot": no scale; equation 5 from context and state."""
    model = made("dot")
    memory = model.encode(SOURCE, MASK)
    notes = memory.annotations
    states, _ = model.cell(model.target_embed.table(TARGET), model.start(memory).hidden[None])
    for scale, right in ((1.0, True), (HIDDEN**-0.5, False)):
        energy = scale * torch.einsum("bth,bsh->bts", states, notes)
        weights = energy.exp() / energy.exp().sum(-1, keepdim=True)
        context = torch.einsum("bts,bsh->bth", weights, notes)
        logits = model.words(torch.tanh(model.combine(torch.cat([context, states], -1))))
        got = model(SOURCE, MASK, TARGET).logits
        assert torch.allclose(got, logits, rtol=1e-9, atol=1e-9) == right


def test_cho_by_its_equations():
    """Cho et al. 2014, appendix A.1.2: state and output both see the last word and c."""
    model = made("cho")
    decoder, memory = model.decoder, model.encode(SOURCE, MASK)
    state, context, wanted = model.start(memory).hidden, memory.context, []
    torch.testing.assert_close(state, torch.tanh(decoder.bridge(context)))
    for token in TARGET.unbind(1):
        word = decoder.embed.table.weight[token]
        gates = torch.cat([word, context], -1) @ decoder.cell.weight_ih_l0.T
        recurrent = state @ decoder.cell.weight_hh_l0.T + decoder.cell.bias_hh_l0
        state = gru_update(gates + decoder.cell.bias_ih_l0, recurrent, state)
        wanted.append(maxout(decoder.output, state, word, context))
    torch.testing.assert_close(model(SOURCE, MASK, TARGET).logits, torch.stack(wanted, 1))


def test_chos_context_is_made_from_the_encoders_last_state():
    model = made("cho")
    read, _ = model.encoder.layers(model.embed.table(SOURCE))
    wanted = torch.tanh(model.summary(read[:, -1]))
    torch.testing.assert_close(model.encode(SOURCE, MASK).context, wanted)


@pytest.mark.parametrize("part", ["cell", "output"])
def test_chos_context_reaches_the_state_and_the_output_each_by_its_own_way(part):
    model = made("cho")
    memory = model.encode(SOURCE, MASK)
    state = model.start(memory)
    other = replace(memory, context=-memory.context)
    embedding = SIZES["embedding"]
    with torch.no_grad():  # the other way is closed
        if part == "output":
            model.decoder.cell.weight_ih_l0[:, embedding:] = 0
        else:
            model.decoder.output.pool.weight[:, HIDDEN + embedding :] = 0
    one, two = (model.step(TARGET[:, 0], state, m).logits for m in (memory, other))
    assert (one - two).abs().max() > 0.1


@pytest.mark.parametrize("backwards", [True, False])
def test_sutskever_hands_over_the_states_of_every_layer_after_the_last_word_read(backwards):
    """Sutskever et al. 2014, section 3.3: the source is read from its last word to its first."""
    model = made("sutskever", reverse_source=backwards)
    read = SOURCE.flip(1) if backwards else SOURCE
    embedded = model.encoder.embed.table(read)
    _, (hidden, cell) = model.encoder.layers.layers(embedded)
    state = model.start(model.encode(SOURCE, MASK))
    torch.testing.assert_close(state.hidden, hidden.transpose(0, 1))
    torch.testing.assert_close(state.cell, cell.transpose(0, 1))
    outputs, _ = model.decoder.layers(model.decoder.embed.table(TARGET), (hidden, cell))
    logits = outputs @ model.decoder.words.weight.T + model.decoder.words.bias
    torch.testing.assert_close(model(SOURCE, MASK, TARGET).logits, logits)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_word_of_the_source_reaches_every_word_of_the_target(name):
    model = made(name)
    before = model(SOURCE, MASK, TARGET).logits
    for place in range(SOURCE.shape[1]):
        other = SOURCE.clone()
        other[:, place] = 8
        assert ((model(other, MASK, TARGET).logits - before).abs().amax(-1) > 1e-6).all()
