"""Decomposable attention against its equations, word by word, in plain loops."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from course_lib.models.decomposable import Decomposable, DecomposableConfig, IntraAttention
from course_lib.models.parts import initialise
from course_lib.models.words import FrozenTable

WORDS, CONFIG = 12, DecomposableConfig(12, embedding=5, hidden=6)
LENGTHS = ((4, 3), (2, 5), (1, 1))


def seed(number: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(number)


def model(**changes) -> Decomposable:
    made = Decomposable(replace(CONFIG, **changes), seed()).eval()
    # Biases that are zero would hide that they are left out.
    for name, weight in made.named_parameters():
        if weight.dim() < 2 or "intra.bias" in name:
            torch.nn.init.normal_(weight, std=0.5, generator=seed(1))
    return made


def sentences() -> list[Tensor]:
    """Ids and masks of both sides; the padding holds words, to be seen if it is read."""
    inputs = []
    for side in (0, 1):
        lengths = torch.tensor([pair[side] for pair in LENGTHS])
        size = int(lengths.max())
        inputs.append(torch.randint(1, WORDS, (len(LENGTHS), size), generator=seed(2 + side)))
        inputs.append(torch.arange(size) < lengths[:, None])
    return inputs


def naive(net: Decomposable, first: list[int], second: list[int]) -> Tensor:
    """The logits of one pair, as the paper's sections 3.1 to 3.4 say it."""

    def exp_weights(scores: list[Tensor]) -> list[Tensor]:
        total = sum(score.exp() for score in scores)
        return [score.exp() / total for score in scores]

    def mixed(weights: list[Tensor], vectors: list[Tensor]) -> Tensor:
        return sum(weight * vector for weight, vector in zip(weights, vectors, strict=True))

    def represented(ids: list[int]) -> list[Tensor]:
        words = [net.words(torch.tensor(i)) for i in ids]
        if net.intra is None:
            return words
        seen = [net.intra.attend(word) for word in words]
        most, wide = net.intra.distances, []
        for i, word in enumerate(words):
            scores = []
            for j in range(len(words)):
                apart = max(-most, min(most, i - j))
                scores.append(seen[i] @ seen[j] + net.intra.bias.weight[most + apart, 0])
            wide.append(torch.cat([word, mixed(exp_weights(scores), words)]))
        return wide

    a, b = represented(first), represented(second)
    e = [[net.attend(x) @ net.attend(y) for y in b] for x in a]
    beta = [mixed(exp_weights(row), b) for row in e]
    alpha = [mixed(exp_weights([row[j] for row in e]), a) for j in range(len(b))]

    def compared(x: Tensor, y: Tensor) -> Tensor:
        more = [x - y, x * y] if net.config.contrast else []
        return net.compare(torch.cat([x, y, *more]))

    v1 = sum(compared(x, y) for x, y in zip(a, beta, strict=True))
    v2 = sum(compared(x, y) for x, y in zip(b, alpha, strict=True))
    return net.verdict(net.aggregate(torch.cat([v1, v2])))


@pytest.mark.parametrize("contrast", [False, True])
@pytest.mark.parametrize("intra", [False, True])
def test_it_is_the_papers_equations(intra, contrast):
    net = model(intra=intra, contrast=contrast, distances=2)
    inputs = sentences()
    logits = net(*inputs)
    for row, (m, n) in enumerate(LENGTHS):
        first, second = inputs[0][row, :m].tolist(), inputs[2][row, :n].tolist()
        torch.testing.assert_close(logits[row], naive(net, first, second), atol=1e-5, rtol=1e-5)


def test_weights_are_over_the_real_words_of_the_other_sentence():
    premise, premise_mask, hypothesis, hypothesis_mask = sentences()
    looked = model().explain(premise, premise_mask, hypothesis, hypothesis_mask)
    for weights, mask in (
        (looked.premise_weights, hypothesis_mask),
        (looked.hypothesis_weights, premise_mask),
    ):
        torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:2]))
        assert (weights.masked_select(~mask[:, None].expand_as(weights)) == 0).all()
    assert (looked.premise_compared[~premise_mask] == 0).all()
    assert (looked.hypothesis_compared[~hypothesis_mask] == 0).all()
    assert looked.logits.shape == (len(LENGTHS), 3)


def test_far_words_share_one_bias_and_sides_do_not():
    intra = IntraAttention(4, distances=2, dropout=0.0).eval()
    initialise(intra, seed())
    words, mask = torch.randn(1, 7, 4, generator=seed()), torch.ones(1, 7, dtype=torch.bool)
    before = intra(words, mask)
    with torch.no_grad():
        intra.bias.weight[-1] += 5.0  # i - j of two or more: keys to the left
    after = intra(words, mask)
    changed = (before != after).any(-1)[0]
    # Who has nobody so far to the left is not moved.
    assert changed.tolist() == [False] * 2 + [True] * 5


def test_a_frozen_table_stays_and_what_is_learned_is_added():
    net = model(frozen=True)
    norms = net.words.table.weight.norm(dim=-1)
    torch.testing.assert_close(norms, torch.full((WORDS,), FrozenTable.LENGTH))
    assert not net.words.table.weight.requires_grad
    assert (net.words.learned.weight == 0).all()
    net(*sentences()).sum().backward()
    assert net.words.table.weight.grad is None
    assert net.words.learned.weight.grad is not None


def test_the_papers_size():
    net = Decomposable(DecomposableConfig(4, embedding=300, hidden=200))
    from course_lib.models.parts import parameters_of

    # The paper counts 382K.
    assert 375_000 < parameters_of(net) < 390_000
