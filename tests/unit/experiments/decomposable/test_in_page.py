"""The network of the page: its words, its menus, what logic says of them, what the figure shows."""

import pytest
import torch

from course_lab.experiments.decomposable import in_page
from course_lab.experiments.decomposable.in_page import MENUS, right, sentence
from course_lib.data.inference_pairs import LABELS
from tests.unit.data.mini_world import worlds


def test_a_choice_becomes_a_sentence():
    assert " ".join(sentence(MENUS, (4, 0, 1, 1))) == "every young doctor helps a small dog today ."
    two = list(MENUS.slots["who"]).index("two doctors")
    assert " ".join(sentence(MENUS, (two, 2, 0, 0))) == "two doctors paint a dog ."


def test_every_word_of_the_menus_is_known():
    words = in_page.words_of_menus()
    for k, options in enumerate(MENUS.slots.values()):
        for i in range(len(options)):
            chosen = [0] * len(MENUS.slots)
            chosen[k] = i
            assert set(sentence(MENUS, chosen)) <= set(words)


@pytest.mark.parametrize("number", range(12))
def test_logic_agrees_with_the_worlds(number):
    pair = in_page.drawn(12, seed=5)[number]
    one, other = worlds.read(pair.premise), worlds.read(pair.hypothesis)
    found = {worlds.label_in(one, other, worlds.some_worlds(one, other, 5, 6000))}
    if worlds.bits(one, other, 2) <= 16:
        found.add(worlds.label_in(one, other, worlds.every_world(one, other, 2)))
    assert pair.label in found


def test_the_small_network_is_the_large_one():
    from course_lib.models.decomposable import Decomposable, DecomposableConfig

    large = Decomposable(
        DecomposableConfig(20, 6, 4, frozen=True), torch.Generator().manual_seed(0)
    ).eval()
    ids = [2, 7, 9]
    small = in_page.small(large, ids)
    row, mask = torch.tensor([[2, 9, 7]]), torch.ones(1, 3, dtype=torch.bool)
    places = torch.tensor([[0, 2, 1]])
    torch.testing.assert_close(
        small(places, mask, places[:, :2], mask[:, :2]), large(row, mask, row[:, :2], mask[:, :2])
    )


def test_the_stored_network_is_nearly_always_right_about_its_menus(tmp_path):
    model, words = in_page.load()
    good = 0
    for pair in in_page.drawn(200, seed=9):
        with torch.inference_mode():
            said = model(*in_page.inputs_of(words, pair.premise, pair.hypothesis)).argmax()
        good += LABELS[said] == pair.label
    assert good >= 190
    in_page.save_to(tmp_path / "again", model)
    assert (tmp_path / "again").read_bytes() == in_page.STORED.read_bytes()


def test_the_figure_opens_on_an_entailment():
    assert right(MENUS, MENUS.premise, MENUS.hypothesis) == "entailment"
    figure = in_page.show()
    assert "“every young doctor helps an animal .”: entailment 0.9" in figure.alt
    html = figure._repr_html_()
    assert html.count("<table>") == 2
    assert 'scope="row">contradiction</th>' in html
