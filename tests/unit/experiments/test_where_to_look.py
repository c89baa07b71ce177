"""Chapter 6a: what is counted of local attention, its cost, and its control models."""

import pytest
import torch

from course_lab.experiments.where_to_look import other_ways, window
from course_lab.experiments.where_to_look.other_ways import LEFT, RIGHT, SEEN
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
