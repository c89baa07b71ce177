"""The experiment of chapter 8: its sentences, its loss, and that a run can be made again."""

import math

import torch

from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.self_attention import articles


def test_blanks_stand_where_articles_were():
    words = [articles.PADDING, articles.BLANK, "Mann", "sieht"]
    data = articles.with_blanks([("der", "Mann", "sieht", "den", "Hut"), ("sieht",)], words)
    assert data.words.tolist() == [[1, 2, 3, 1, 0], [3, 0, 0, 0, 0]]
    assert data.real.tolist() == [[True] * 4 + [False], [True] + [False] * 4]
    assert data.wanted[0].tolist() == [0, -1, -1, 3, -1]


def test_the_loss_counts_blanks_alone():
    world = articles.the_world()
    model = articles.make_reader(articles.WHOLE, world, 0)
    model.answers.weight.data.zero_()
    data = articles.with_blanks([pair.target for pair in world.train[:5]], world.words)
    loss = articles.article_loss(model, data)
    assert loss.count == 10
    assert abs(float(loss.mean.detach()) - math.log(4)) < 1e-6


def test_a_run_learns_and_can_be_made_again(monkeypatch):
    monkeypatch.setattr(articles, "STEPS", 60)
    world = articles.the_world()
    one, two = (articles.train(Trial(articles.WHOLE, 0, 8e-2), world) for _ in range(2))
    assert torch.equal(one.words.weight, two.words.weight)
    assert articles.share_right(one, world.valid, world) > 0.5
