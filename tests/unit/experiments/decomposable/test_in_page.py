"""The network of the page: its words, its menus, what logic says of them, what the figure shows."""

import torch

from course_lab.experiments.decomposable import in_page
from course_lab.experiments.decomposable.in_page import MENUS, sentence
from course_lib.data.inference_pairs import LABELS


def test_a_choice_becomes_a_sentence():
    assert " ".join(sentence(MENUS, (4, 0, 1, 1))) == "every young doctor helps a small dog today ."
    two = list(MENUS.slots["who"]).index("two doctors")
    assert " ".join(sentence(MENUS, (two, 2, 0, 0))) == "two doctors paint a dog ."


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
