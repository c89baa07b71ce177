"""The reader of chapter 8: each of its variants is what its name says, and padding says nothing."""

import pytest
import torch

from course_lab.experiments.self_attention.reader import ArticleReader, ReaderConfig
from course_lib.attention.attend import attend

SETTINGS = (
    {},
    {"positions": "learned"},
    {"positions": "rotary"},
    {"positions": "none"},
    {"causal": True},
    {"maps": "two"},
    {"maps": "none"},
    {"equal": True},
    {"over": "queries"},
)


def reader(**settings) -> ArticleReader:
    return ArticleReader(ReaderConfig(20, **settings), torch.Generator().manual_seed(0)).eval()


@pytest.fixture
def words():
    return torch.randint(1, 20, (3, 7), generator=torch.Generator().manual_seed(1))


@pytest.fixture
def real(words):
    return torch.ones_like(words, dtype=torch.bool)


def test_it_is_attend_between_its_maps(words, real):
    looked = reader().look(words, real)
    found = attend(looked.queries, looked.keys, looked.values)
    torch.testing.assert_close(looked.context, found.context)
    torch.testing.assert_close(looked.weights, found.weights)
    torch.testing.assert_close(looked.scores, looked.queries @ looked.keys.mT)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_padding_is_neither_asked_nor_heard_but_over_the_wrong_axis(words, real, settings):
    model, longer = reader(**settings), torch.cat([words, words[:, :2]], dim=1)
    behind = torch.cat([real, torch.zeros(3, 2, dtype=torch.bool)], dim=1)
    there, without = model(longer, behind)[:, :7], model(words, real)
    if settings.get("over") == "queries":  # padding asks too: one more thing that is wrong with it
        assert not torch.allclose(there, without, atol=1e-3)
    else:
        torch.testing.assert_close(there, without)


def test_without_positions_a_shuffled_sentence_gives_the_shuffled_answers(words, real):
    order = torch.tensor([3, 1, 6, 0, 2, 5, 4])
    for positions in ("none", "sinusoidal", "learned", "rotary"):
        model = reader(positions=positions)
        gap = (model(words[:, order], real) - model(words, real)[:, order]).abs().max()
        assert gap < 1e-5 if positions == "none" else gap > 1e-2


def test_only_earlier_words_are_asked(words, real):
    model, other = reader(causal=True), words.clone()
    other[:, 4:] = 1
    torch.testing.assert_close(model(other, real)[:, :4], model(words, real)[:, :4])
    assert (model.look(words, real).weights.triu(1) == 0).all()


def test_one_matrix_makes_scores_symmetric_and_no_matrix_those_of_the_words(words, real):
    scores = reader(maps="two").look(words, real).scores
    torch.testing.assert_close(scores, scores.mT)
    plain = reader(maps="none").look(words, real)
    torch.testing.assert_close(plain.scores, plain.x @ plain.x.mT)
    torch.testing.assert_close(plain.context, plain.weights @ plain.x)


def test_equal_weights_and_the_slip(words, real):
    assert (reader(equal=True).look(words, real).weights - 1 / 7).abs().max() < 1e-6
    weights = reader(over="queries").look(words, real).weights
    torch.testing.assert_close(weights.sum(1), torch.ones(3, 7))
