"""The experiment of chapter 6a: what is counted, what is planned, what is stored."""

import pytest
import torch

from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.where_to_look import maps, window
from course_lib.data.pairs import AlignedPair


def pair_of(*links: tuple[int, int]) -> AlignedPair:
    return AlignedPair(("a", "b", "c"), ("A", "B", "C"), frozenset(links), frozenset(links))


PAIR = pair_of((0, 0), (1, 2), (2, 1))


def test_the_reach_of_a_pair_is_the_radius_that_local_m_needs():
    assert window.reach(PAIR) == 1
    far = pair_of((0, 2), (1, 0))
    assert window.reach(far) == 2
    assert window.reach(pair_of()) == 0
    assert [window.outside([PAIR, far], radius) for radius in (0, 1, 2)] == [4 / 5, 1 / 5, 0]


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
    place = model.position
    extra = 0 if place is None else place.hidden.weight.numel() + place.energy.weight.numel()
    assert cost.attention == 2 * cost.scores * model.config.hidden + extra


def test_the_rates_are_those_with_the_most_validation_sentences_right():
    for name, tried in window.rates_table().items():
        assert set(tried) == set(window.RATES_TRIED)
        assert tried[window.RATES[name]] == max(tried.values())


def test_the_stored_maps_are_of_the_chosen_sentences():
    pairs = maps.chosen_pairs()
    assert len({tuple(maps._form(pair)) for pair in pairs[:-1]}) == maps.SENTENCES - 1
    assert window.reach(pairs[-1]) <= 1 < 8 <= window.reach(pairs[0])
    for entry, pair in zip(load_stored(maps.STORED)["examples"], pairs, strict=True):
        assert entry["source"] == [*pair.source, "</s>"]
        assert entry["target"] == list(pair.target)
        assert {tuple(link) for link in entry["links"]} == set(pair.sure)
        assert all(0 < place <= len(entry["source"]) for place in entry["positions"])
