"""Chapter 6a: what is counted of local attention, its cost, and its control models."""

import pytest
import torch

from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.where_to_look import maps, other_ways, window
from course_lab.experiments.where_to_look.other_ways import LEFT, RIGHT, SEEN, VARIANTS
from course_lib.data.pairs import AlignedPair


def pair_of(*links: tuple[int, int]) -> AlignedPair:
    words = tuple("abcdef")
    return AlignedPair(words, words, frozenset(links), frozenset(links))


def test_the_reach_of_a_pair_is_the_radius_that_local_m_needs():
    near, far = pair_of((0, 0), (1, 2), (2, 1)), pair_of((0, 2), (1, 0))
    assert [window.reach(pair) for pair in (near, far, pair_of())] == [1, 2, 0]
    assert [window.outside([near, far], radius) for radius in (0, 1, 2)] == [4 / 5, 1 / 5, 0]


@pytest.mark.parametrize(
    ("links", "radius", "wanted"),
    [
        ([(0, 0), (2, 1)], 1, SEEN),
        ([(0, 3)], 3, SEEN),
        ([(0, 3), (1, 1)], 2, LEFT),
        ([(3, 0)], 2, RIGHT),
        ([(0, 3), (4, 1)], 2, RIGHT),
        ([], 1, SEEN),
    ],
)
def test_on_which_side_the_missed_words_lie(links, radius, wanted):
    assert other_ways.side(pair_of(*links), radius) == wanted


@pytest.mark.parametrize("attention", ["global", "local-m", "local-p"])
@pytest.mark.parametrize("source", [4, 9])
def test_the_cost_of_a_step_is_what_is_computed(attention, source, monkeypatch):
    """Scores counted where they are made, products from the shapes of the weights."""
    model, scored = window.make_model(attention, 2, 0), []

    def counting(query, key):
        scored.append(key.shape[-2])
        return query @ key.mT

    monkeypatch.setattr("course_lib.models.luong.dot", counting)
    ids = torch.full((1, source), 5)
    model(ids, torch.ones_like(ids, dtype=torch.bool), torch.tensor([[2]]))
    cost = window.step_cost(model.config, source)
    assert scored == [cost.scores] == [source if attention == "global" else min(5, source)]
    matrices = [model.decoder.weight_ih_l0, model.decoder.weight_hh_l0]
    matrices += [model.combine.weight, model.words.weight]
    assert cost.rest == sum(matrix.numel() for matrix in matrices)
    position = model.position
    extra = position.hidden.weight.numel() + position.energy.weight.numel() if position else 0
    assert cost.attention == 2 * cost.scores * model.config.hidden + extra


def test_the_rates_are_those_with_the_most_validation_sentences_right():
    for name, tried in window.rates_table().items():
        assert set(tried) == set(window.RATES_TRIED)
        assert tried[window.RATES[name]] == max(tried.values())


def test_the_stored_maps_are_of_the_chosen_sentences():
    for entry in load_stored(maps.STORED)["examples"]:
        source, target = entry["source"], entry["target"]
        assert source[-1] == "</s>"
        assert all(i < len(source) and j < len(target) for i, j in entry["links"])
        assert len(entry["positions"]) == len(target)
        assert all(0 < position <= len(source) for position in entry["positions"])


SOURCE, OTHER_END = torch.tensor([[5, 6, 7, 8]]), torch.tensor([[5, 6, 7, 9]])


def encoded(model, source):
    return model.encode(source, torch.ones_like(source, dtype=torch.bool))


@pytest.mark.parametrize("name", [name for name in VARIANTS if "zero" in name])
def test_a_decoder_that_begins_in_zeros_learns_nothing_from_its_first_state(name):
    model = other_ways.make_model(VARIANTS[name], 0)
    memory = encoded(model, SOURCE)
    start = model.start(memory)
    assert memory.hidden.abs().sum() > 0
    assert not start.hidden.any()
    assert not start.cell.any()


@pytest.mark.parametrize("two_way", [True, False])
def test_a_first_annotation_knows_the_last_word_if_it_was_read_backwards(two_way):
    model = other_ways.make_model(other_ways.LuongVariant(two_way=two_way), 0)
    first, other = (encoded(model, ids).annotations[:, 0] for ids in (SOURCE, OTHER_END))
    assert first.shape == (1, model.config.hidden)
    assert torch.equal(first, other) != two_way


def test_predicted_positions_are_counted_at_both_ends_and_links_in_the_window(monkeypatch):
    model = other_ways.make_model(VARIANTS["local-p, D = 3"], 0)
    pair = pair_of((0, 0), (5, 1), (3, 2))  # 7 positions with </s>
    predicted = torch.tensor([0.2, 0.3, 3.0, 6.8, 6.6, 7.0])
    monkeypatch.setattr(other_ways, "positions", lambda *_: predicted)
    # An end reaches 0.35 far; the second link is 4.7 away.
    assert other_ways.places(model, [pair]) == (round(4 / 6, 4), round(2 / 3, 4))
