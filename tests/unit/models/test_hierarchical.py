"""Hierarchical attention: by its equations, and padding at two levels that nobody reads."""

import pytest
import torch
from torch import Tensor

from course_lib.models.hierarchical import HierarchicalAttention, HierarchicalConfig, LearnedQuery
from course_lib.recurrent.cells import gru_update
from tests.sizes import strong

CONFIG = HierarchicalConfig(vocabulary=19, classes=3, embedding=5, hidden=4, attention=6)
H = CONFIG.hidden
EXACT = {"rtol": 1e-9, "atol": 1e-10}
COUNTS = [[3, 1, 4, 2], [2, 5, 0, 0], [1, 0, 0, 0]]


def made() -> HierarchicalAttention:
    return strong(HierarchicalAttention(CONFIG), seed=7)


def documents(counts=COUNTS, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Random words, so many in each sentence."""
    generator = torch.Generator().manual_seed(seed)
    counts = torch.tensor(counts)
    size = int(counts.max())
    words = torch.randint(4, CONFIG.vocabulary, (*counts.shape, size), generator=generator)
    mask = torch.arange(size) < counts[..., None]
    return words.masked_fill(~mask, 0), mask


def both_ways(layers, inputs: Tensor) -> Tensor:
    """A bidirectional GRU over one sequence (T, D), by gru_update alone."""
    sides = []
    for suffix, order in (("", range(len(inputs))), ("_reverse", range(len(inputs) - 1, -1, -1))):
        w_ih, w_hh, b_ih, b_hh = (
            getattr(layers, f"{name}_l0{suffix}")
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        state, states = inputs.new_zeros(1, H), {}
        for t in order:
            state = gru_update(inputs[t : t + 1] @ w_ih.T + b_ih, state @ w_hh.T + b_hh, state)
            states[t] = state[0]
        sides.append(torch.stack([states[t] for t in range(len(inputs))]))
    return torch.cat(sides, dim=-1)


def read(query: LearnedQuery, annotations: Tensor) -> tuple[Tensor, Tensor]:
    """Equations 5 to 7, or 8 to 10, for one sequence."""
    keys = torch.tanh(annotations @ query.keys.weight.T + query.keys.bias)
    powers = (keys @ query.query).exp()
    weights = powers / powers.sum()
    return weights @ annotations, weights


def test_it_computes_what_the_papers_equations_say():
    model = made()
    words, mask = documents()
    found = model(words, mask, return_attention=True)
    for row, counts in enumerate(COUNTS):
        vectors = []
        for place, count in enumerate(n for n in counts if n):
            embedded = model.embed.table.weight[words[row, place, :count]]
            vector, weights = read(model.word_query, both_ways(model.word_encoder.layers, embedded))
            vectors.append(vector)
            torch.testing.assert_close(found.word_weights[row, place, :count], weights, **EXACT)
        notes = both_ways(model.sentence_encoder.layers, torch.stack(vectors))
        v, weights = read(model.sentence_query, notes)
        torch.testing.assert_close(found.sentence_weights[row, : len(weights)], weights, **EXACT)
        logits = v @ model.classes.weight.T + model.classes.bias
        torch.testing.assert_close(found.logits[row], logits, **EXACT)


@pytest.mark.parametrize(("sentences", "size"), [(4, 9), (7, 5), (7, 9)])
def test_more_padding_of_either_kind_changes_nothing(sentences, size):
    model = made()
    words, mask = documents()
    wide, hides = words.new_zeros(3, sentences, size), mask.new_zeros(3, sentences, size)
    wide[:, :4, : words.shape[-1]], hides[:, :4, : words.shape[-1]] = words, mask
    one, two = model(words, mask, return_attention=True), model(wide, hides, return_attention=True)
    torch.testing.assert_close(two.logits, one.logits, **EXACT)
    torch.testing.assert_close(
        two.word_weights[:, :4, : words.shape[-1]], one.word_weights, **EXACT
    )
    torch.testing.assert_close(two.sentence_weights[:, :4], one.sentence_weights, **EXACT)


def test_padding_has_no_gradient():
    """Not the embedding of the padding, and not through a document that the loss leaves out."""
    model = made()
    words, mask = documents()
    words = torch.where(mask, words, torch.full_like(words, 3))
    model(words, mask).logits.pow(2).sum().backward()
    assert torch.equal(model.embed.table.weight.grad[3], torch.zeros(5, dtype=torch.float64))
    model.zero_grad()
    words[2, 0, 0] = 3
    model(words, mask).logits[:2].pow(2).sum().backward()
    assert torch.equal(model.embed.table.weight.grad[3], torch.zeros(5, dtype=torch.float64))
    for parameter in model.parameters():
        assert parameter.grad.isfinite().all()


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_empty_sentence_is_passed_over_wherever_it_stands(place):
    model = made()
    words, mask = documents([[3, 2]])
    gap = torch.zeros_like(words[:, :1]), torch.zeros_like(mask[:, :1])
    with_gap = [
        torch.cat([part[:, :place], empty, part[:, place:]], 1)
        for part, empty in zip((words, mask), gap, strict=True)
    ]
    one, two = model(words, mask, return_attention=True), model(*with_gap, return_attention=True)
    torch.testing.assert_close(two.logits, one.logits, **EXACT)
    keep = [n for n in range(3) if n != place]
    torch.testing.assert_close(two.sentence_weights[:, keep], one.sentence_weights, **EXACT)
    torch.testing.assert_close(two.word_weights[:, keep], one.word_weights, **EXACT)
    assert two.sentence_weights[0, place] == 0
    assert (two.word_weights[0, place] == 0).all()


def test_a_document_without_a_word_is_refused():
    words, mask = documents([[2, 1], [0, 0]])
    with pytest.raises(RuntimeError, match="greater than 0"):
        made()(words, mask)
