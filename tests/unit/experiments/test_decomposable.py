"""Chapter 7: the formula of the cost, SICK, the network of the page."""

import pytest
import torch

from course_lab.experiments.decomposable import in_page, sick
from course_lab.experiments.decomposable.cost import by_part, counted
from course_lib.cli.main import make_parser
from course_lib.data.inference_pairs import LABELS
from course_lib.models.decomposable import Decomposable, DecomposableConfig


@pytest.mark.parametrize(("length", "hidden"), [(3, 8), (50, 8), (20, 32)])
def test_the_formula_of_the_cost_is_what_pytorch_counts(length, hidden):
    once = 3 * hidden**2 + 3 * hidden  # H and the verdict, once a pair of sentences
    assert counted(length, hidden) == sum(by_part(length, hidden).values()) + once


@pytest.mark.parametrize("name", sick.VARIANTS)
def test_every_variant_on_sick_is_a_command_and_is_stored(name):
    options = make_parser().parse_args(["train", *sick.VARIANTS[name], "--data", "sick"])
    # The LSTM always sees the contrast.
    assert bool(options.contrast) == ("with contrast" in name and options.model != "lstm")
    assert (options.premise is False) == (name == "hypothesis alone")
    records = sick.load_scores()[name]
    assert tuple(record["seed"] for record in records) == sick.seeds_of(name)
    times = 4 if name in sick.LONGER.values() else 1
    assert {record["updates"] for record in records} == {times * 1410}


def test_the_network_of_the_page_is_the_large_one_with_its_words_alone():
    config = DecomposableConfig(20, 6, 4, frozen=True)
    large = Decomposable(config, torch.Generator().manual_seed(0)).eval()
    small = in_page.small(large, [2, 7, 9])
    row, mask = torch.tensor([[2, 9, 7]]), torch.ones(1, 3, dtype=torch.bool)
    new = torch.tensor([[0, 2, 1]])
    torch.testing.assert_close(
        small(new, mask, new[:, :2], mask[:, :2]), large(row, mask, row[:, :2], mask[:, :2])
    )


def test_the_stored_network_is_nearly_always_right_about_its_menus(tmp_path):
    model, words = in_page.load()
    pairs = in_page.drawn(200, seed=9)
    with torch.inference_mode():
        answers = [
            LABELS[model(*in_page.inputs_of(words, pair.premise, pair.hypothesis)).argmax()]
            for pair in pairs
        ]
    assert sum(map(str.__eq__, answers, [pair.label for pair in pairs])) >= 190
    in_page.save_to(tmp_path / "again", model)
    assert (tmp_path / "again").read_bytes() == in_page.STORED.read_bytes()
