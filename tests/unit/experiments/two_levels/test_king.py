"""The experiment of chapter 6c: its variants, its rates, and the documents to touch."""

import pytest
import torch

from course_lab.experiments.two_levels import in_page, king
from course_lab.experiments.two_levels.controls import BagOfWords, EqualQuery, OneByOne
from course_lib.data.mini_world.documents import SILENCE


@pytest.fixture(scope="module")
def world():
    return king.make_world()


def test_a_variant_is_the_network_with_one_thing_changed(world):
    models = {name: king.make_model(name, world, 0) for name in king.VARIANTS}
    whole = models["attention"]
    for name, level in (("equal words", "word_query"), ("equal sentences", "sentence_query")):
        assert isinstance(getattr(models[name], level), EqualQuery)
        assert torch.equal(models[name].classes.weight, whole.classes.weight)
    assert isinstance(models["bag"], BagOfWords)
    assert isinstance(models["no word GRU"].word_encoder, OneByOne)
    assert not isinstance(models["no word GRU"].sentence_encoder, OneByOne)
    assert isinstance(models["no GRU"].sentence_encoder, OneByOne)
    assert torch.equal(models["no word GRU"].word_query.query, whole.word_query.query)
    both = models["no word GRU, equal, longer"]
    assert isinstance(both.word_encoder, OneByOne)
    assert isinstance(both.word_query, EqualQuery)
    assert isinstance(both.sentence_query, EqualQuery)
    assert torch.equal(models["three answers"].classes.weight, whole.classes.weight)


def test_three_answers_learn_from_the_documents_that_are_not_silent(world):
    assert len(king.learned_from("attention", world.train)) == 4 * king.FAMILIES
    told = king.learned_from("three answers", world.train)
    assert len(told) == 3 * king.FAMILIES
    assert {d.label for d in told} == set(range(SILENCE))


def test_a_twin_is_another_in_all_but_how_long_it_is_trained():
    for name, changed in king.VARIANTS.items():
        plain = name.removesuffix(", longer")
        assert changed.times == (1 if name == plain else 4), name
        assert changed._replace(times=1) == king.VARIANTS[plain], name


def test_the_documents_to_touch_are_one_family_and_every_answer_is_right():
    documents = in_page.load()
    assert [d.title for d in documents] == list(king.ANSWERS)
    for number, document in enumerate(documents):
        assert max(range(4), key=lambda c: document.answer[c]) == number
        assert sum(document.sentence_weights) == pytest.approx(1, abs=0.01)
    kitchen = documents[2]
    top = max(range(len(kitchen.sentences)), key=lambda i: kitchen.sentence_weights[i])
    assert "king" in kitchen.sentences[top]
    assert kitchen.without_sentence[top][2] < 0.1
    place = kitchen.sentences[top].index("king")
    assert kitchen.word_weights[top][place] < 0.3
    assert kitchen.without_word[top][place][2] < 0.5
