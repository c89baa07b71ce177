"""The captioner keeps the protocol, and its equations, with both kinds of attention."""

import pytest
import torch
from torch import nn

from course_lib.models.captioner import Captioner, CaptionerConfig
from course_lib.models.protocol import HiddenState

WORDS, PATCH, PLACES = 13, 5, 7
KINDS = ("soft", "hard")


def make(looks: str, seed: int = 0) -> Captioner:
    config = CaptionerConfig(WORDS, PATCH, PLACES, looks, 6, 9, 8, 7)
    return Captioner(config, torch.Generator().manual_seed(seed)).double().eval()


def given(lengths=(7, 2, 4), target: int = 5):
    draw = torch.Generator().manual_seed(1)
    size = max(lengths)
    mask = torch.arange(size) < torch.tensor(lengths)[:, None]
    image = torch.randn(len(lengths), size, PATCH, generator=draw, dtype=torch.float64)
    return image, mask, torch.randint(2, WORDS, (len(lengths), target), generator=draw)


def asked(looks: str) -> dict:
    """What is said to a reader so that it draws, if it can."""
    return {"generator": torch.Generator().manual_seed(3)} if looks == "hard" else {}


@pytest.mark.parametrize("looks", KINDS)
def test_a_masked_patch_moves_nothing_and_gets_no_gradient(looks):
    model, (image, mask, target) = make(looks), given()
    results = []
    for rubbish in (0.0, 7.0):
        source = image.masked_fill(~mask[..., None], rubbish).requires_grad_()
        out = model(source, mask, target, return_attention=True, **asked(looks))
        value = out.logits.sum()
        if out.log_probability is not None:
            value = value + out.log_probability.sum()
        value.backward()
        assert (source.grad[~mask] == 0).all()
        assert (out.attention.sum(1)[~mask] == 0).all()
        results.append(out.logits.detach())
    assert torch.equal(*results)


def test_one_soft_step_is_the_papers_equations_with_pytorchs_parts():
    """Equations 4, 5 and 13, by PyTorch's attention operator and its GRU cell; with gradients."""
    model, (image, mask, target) = make("soft"), given()
    memory = model.encode(image, mask)
    hidden = torch.randn(3, 8, generator=torch.Generator().manual_seed(5), dtype=torch.float64)
    found = model.step(target[:, 0], HiddenState(hidden), memory, return_attention=True)

    a = torch.tanh(
        torch.relu(image @ model.encoder.pixels.weight.T + model.encoder.pixels.bias)
        @ model.encoder.mix.weight.T
        + model.encoder.mix.bias
        + model.encoder.position.weight
    )
    score = model.score
    e = torch.tanh((hidden @ score.queries.weight.T)[:, None] + a @ score.keys.weight.T)
    e = (e @ score.energy.weight[0]).masked_fill(~mask, -torch.inf)
    zeros = torch.zeros(3, 7, 1, dtype=torch.float64)
    context = nn.functional.scaled_dot_product_attention(
        zeros[:, :1], zeros, a, attn_mask=e[:, None]
    )[:, 0]
    cell = nn.GRUCell(6 + 9, 8).double()
    with torch.no_grad():
        cell.weight_ih.copy_(model.input_gates.weight)
        cell.bias_ih.copy_(model.input_gates.bias)
        cell.weight_hh.copy_(model.recurrent_gates.weight)
        cell.bias_hh.copy_(model.recurrent_gates.bias)
    word = model.target_embed(target[:, 0])
    after = cell(torch.cat([word, context], -1), hidden)
    logits = model.output(after, word, context)

    torch.testing.assert_close(found.attention, e.softmax(-1), atol=1e-12, rtol=0)
    torch.testing.assert_close(found.state.hidden, after, atol=1e-12, rtol=0)
    torch.testing.assert_close(found.logits, logits, atol=1e-12, rtol=0)
    wanted = torch.autograd.grad(logits.square().sum(), list(score.parameters()))
    got = torch.autograd.grad(found.logits.square().sum(), list(score.parameters()))
    for one, other in zip(got, wanted, strict=True):
        torch.testing.assert_close(one, other, atol=1e-10, rtol=0)


def test_a_hard_reader_draws_from_the_weights_that_a_soft_one_mixes_by():
    soft, hard = make("soft"), make("hard")
    assert all(map(torch.equal, soft.parameters(), hard.parameters()))
    image, mask, target = given(target=1)
    rows = torch.zeros(6000, dtype=torch.long)
    mixed = soft(image[:1], mask[:1], target[:1], return_attention=True).attention[0, 0]
    out = hard(image[rows], mask[rows], target[rows], return_attention=True, **asked("hard"))
    assert ((out.attention == 0) | (out.attention == 1)).all()
    torch.testing.assert_close(out.attention[:, 0].mean(0), mixed, atol=0.03, rtol=0)
    there = out.attention[:, 0].argmax(-1)
    torch.testing.assert_close(out.log_probability[:, 0], mixed[there].log(), atol=1e-12, rtol=0)
    memory = hard.encode(image[:1], mask[:1])
    torch.testing.assert_close(hard.soft_weights(hard.start(memory), memory)[0], mixed)


def test_the_scores_of_a_hard_reader_get_no_gradient_through_the_draw():
    model, batch = make("hard"), given()
    out = model(*batch, **asked("hard"))
    out.logits.square().sum().backward()
    assert all(p.grad is None or (p.grad == 0).all() for p in model.score.parameters())
    out = model(*batch, **asked("hard"))
    out.log_probability.sum().backward()
    assert all((p.grad != 0).any() for p in model.score.parameters())
