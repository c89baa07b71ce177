"""Chapter 8: the reader and its variants, its loss, and what the page stores."""

import math

import pytest
import torch

from course_lab.experiments.self_attention import articles, in_page
from course_lab.experiments.self_attention.reader import ARTICLES, ArticleReader, ReaderConfig

WORDS = torch.randint(1, 20, (3, 7), generator=torch.Generator().manual_seed(1))
REAL = torch.ones_like(WORDS, dtype=torch.bool)
SETTINGS = (
    {},
    {"positions": "learned"},
    {"positions": "rotary"},
    {"positions": "none"},
    {"causal": True},
    {"maps": "two"},
    {"maps": "none"},
    {"equal": True},
)


def reader(**settings) -> ArticleReader:
    return ArticleReader(ReaderConfig(20, **settings), torch.Generator().manual_seed(0)).eval()


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_padding_changes_no_answer(settings):
    model, longer = reader(**settings), torch.cat([WORDS, WORDS[:, :2]], dim=1)
    mask = torch.cat([REAL, torch.zeros(3, 2, dtype=torch.bool)], dim=1)
    torch.testing.assert_close(model(longer, mask)[:, :7], model(WORDS, REAL))


@pytest.mark.parametrize("positions", ["none", "sinusoidal", "learned", "rotary"])
def test_only_without_positions_a_shuffled_sentence_gives_the_shuffled_answers(positions):
    order, model = torch.tensor([3, 1, 6, 0, 2, 5, 4]), reader(positions=positions)
    gap = (model(WORDS[:, order], REAL) - model(WORDS, REAL)[:, order]).abs().max()
    assert gap < 1e-5 if positions == "none" else gap > 1e-2


def test_a_causal_reader_asks_only_earlier_words():
    model, other = reader(causal=True), WORDS.clone()
    other[:, 4:] = 1
    torch.testing.assert_close(model(other, REAL)[:, :4], model(WORDS, REAL)[:, :4])
    assert (model.look(WORDS, REAL).weights.triu(1) == 0).all()


def test_each_variant_is_what_its_name_says():
    scores = reader(maps="two").look(WORDS, REAL).scores
    torch.testing.assert_close(scores, scores.mT)
    plain = reader(maps="none").look(WORDS, REAL)
    torch.testing.assert_close(plain.scores, plain.x @ plain.x.mT)
    torch.testing.assert_close(plain.context, plain.weights @ plain.x)
    assert (reader(equal=True).look(WORDS, REAL).weights - 1 / 7).abs().max() < 1e-6
    # The chapter's slip: a softmax over the queries.
    weights = reader(over="queries").look(WORDS, REAL).weights
    torch.testing.assert_close(weights.sum(1), torch.ones(3, 7))


def test_blanks_replace_articles_and_the_loss_counts_blanks_alone():
    words = [articles.PADDING, articles.BLANK, "Mann", "sieht"]
    sentences = [("der", "Mann", "sieht", "den", "Mann"), ("sieht", "die")]
    data = articles.with_blanks(sentences, words)
    assert data.words.tolist() == [[1, 2, 3, 1, 2], [3, 1, 0, 0, 0]]
    assert data.real.tolist() == [[True] * 5, [True] * 2 + [False] * 3]
    assert data.wanted[0].tolist() == [0, -1, -1, 3, -1]
    model = articles.make_reader(articles.WHOLE, articles.ArticleWorld([], [], [], words), 0)
    model.answers.weight.data.zero_()
    loss = articles.article_loss(model, data)
    assert loss.count == 3
    assert loss.mean.item() == pytest.approx(math.log(4), abs=1e-6)


def test_the_page_reader_of_every_word_is_right_and_the_causal_one_guesses():
    readers = in_page.load()

    def answers(name, sentence):
        chosen = readers[name](*in_page.ids_of(sentence))[0].argmax(-1)
        words = in_page.blanked(sentence).words
        return [ARTICLES[chosen[t]] for t, word in enumerate(words) if word == "_"]

    wanted = {sentence: in_page.blanked(sentence).wanted for sentence in in_page.SENTENCES}
    assert all(answers("every word", sentence) == wanted[sentence] for sentence in wanted)
    assert sum(answers("earlier words", sentence) != wanted[sentence] for sentence in wanted) >= 3
