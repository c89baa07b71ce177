"""The control models of chapter 6a: what is changed, what is counted, what is stored."""

import pytest
import torch

from course_lab.experiments.where_to_look import other_ways
from course_lab.experiments.where_to_look.other_ways import LEFT, RIGHT, SEEN, VARIANTS
from course_lib.data.pairs import AlignedPair


def pair_of(*links: tuple[int, int]) -> AlignedPair:
    words = tuple("abcdef")
    return AlignedPair(words, words, frozenset(links), frozenset(links))


def read(model: other_ways.OtherWays, source: torch.Tensor):
    memory = model.encode(source, torch.ones_like(source, dtype=torch.bool))
    return memory, model.start(memory)


SOURCE = torch.tensor([[5, 6, 7, 8]])
OTHER_END = torch.tensor([[5, 6, 7, 9]])


@pytest.mark.parametrize(
    ("links", "radius", "wanted"),
    [
        ([(0, 0), (2, 1)], 1, SEEN),
        ([(0, 3)], 3, SEEN),
        ([(0, 3), (1, 1)], 2, LEFT),
        ([(3, 0)], 2, RIGHT),
        ([(0, 3), (4, 1)], 2, RIGHT),
        ([(0, 3), (4, 1)], 3, SEEN),
        ([], 1, SEEN),
    ],
)
def test_on_which_side_the_missed_words_lie(links, radius, wanted):
    assert other_ways.side(pair_of(*links), radius) == wanted


@pytest.mark.parametrize("name", [name for name in VARIANTS if "zero" in name])
def test_a_decoder_that_begins_in_zeros_is_told_nothing(name):
    memory, start = read(other_ways.make_model(VARIANTS[name], 0), SOURCE)
    assert memory.hidden.abs().sum() > 0
    assert not start.hidden.any()
    assert not start.cell.any()


@pytest.mark.parametrize("two_way", [True, False])
def test_a_first_annotation_knows_the_last_word_if_it_was_read_from_there(two_way):
    model = other_ways.make_model(other_ways.LuongVariant(two_way=two_way), 0)
    first, other = (read(model, ids)[0].annotations[:, 0] for ids in (SOURCE, OTHER_END))
    assert first.shape == (1, model.config.hidden)
    assert torch.equal(first, other) != two_way


def test_places_are_counted_at_both_ends_and_links_in_the_window(monkeypatch):
    model = other_ways.make_model(VARIANTS["local-p, D = 3"], 0)
    pair = pair_of((0, 0), (5, 1), (3, 2))  # 7 positions with </s>
    found = torch.tensor([0.2, 0.3, 3.0, 6.8, 6.6, 7.0])
    monkeypatch.setattr(other_ways, "positions", lambda *_: found)
    # An end reaches 0.35 far; the second link is 4.7 away.
    assert other_ways.places(model, [pair]) == (round(4 / 6, 4), round(2 / 3, 4))
