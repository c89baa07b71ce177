"""The experiment of chapter 8: its sentences, its loss, and that a run can be made again."""

import math

from course_lab.experiments.self_attention import articles


def test_blanks_stand_where_articles_were():
    words = [articles.PADDING, articles.BLANK, "Mann", "sieht"]
    data = articles.with_blanks([("der", "Mann", "sieht", "den", "Hut"), ("sieht",)], words)
    assert data.words.tolist() == [[1, 2, 3, 1, 0], [3, 0, 0, 0, 0]]
    assert data.real.tolist() == [[True] * 4 + [False], [True] + [False] * 4]
    assert data.wanted[0].tolist() == [0, -1, -1, 3, -1]


def test_the_loss_counts_blanks_alone():
    words = [articles.PADDING, articles.BLANK, "Mann", "sieht"]
    model = articles.make_reader(articles.WHOLE, articles.ArticleWorld([], [], [], words), 0)
    model.answers.weight.data.zero_()
    data = articles.with_blanks([("der", "Mann", "sieht", "den", "Mann"), ("sieht", "die")], words)
    loss = articles.article_loss(model, data)
    assert loss.count == 3
    assert abs(float(loss.mean.detach()) - math.log(4)) < 1e-6
