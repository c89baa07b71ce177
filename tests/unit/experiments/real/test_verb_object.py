"""Verbs and their objects: a head and a distance judged by hand, and what is stored."""

import numpy as np
import torch

from course_lab.experiments.real import verb_object
from course_lab.experiments.real.verb_object import AMONG, DIRECTIONS, DISTANCES, Pair


def test_a_look_at_the_mark_the_end_or_the_word_itself_can_be_left_out():
    # The mark, four words, the end mark: the verb is word 1 of the caption, its object word 3.
    looks = torch.zeros(2, 6, 6)
    looks[0, 2] = torch.tensor([0.5, 0.0, 0.3, 0.0, 0.2, 0.0])
    looks[1, 2] = torch.tensor([0.3, 0.1, 0.0, 0.0, 0.2, 0.4])
    looks[0, 4] = torch.tensor([0.0, 0.0, 0.6, 0.0, 0.3, 0.1])
    looks[1, 4] = torch.tensor([0.0, 0.4, 0.2, 0.1, 0.0, 0.3])
    pair = [Pair(0, 1, 3)]
    found = {
        (direction, among): verb_object.hits([looks], pair, direction, among)[:, 0].tolist()
        for direction in DIRECTIONS
        for among in AMONG
    }
    assert found["verb to object", "all"] == [False, False]
    assert found["verb to object", "other words"] == [True, True]
    assert found["object to verb", "all"] == [True, False]
    assert found["object to verb", "other words"] == [True, False]


def test_the_second_half_is_judged_by_the_choice_of_the_first():
    heads = np.array([[1, 1, 1, 0, 0, 1], [1, 0, 0, 1, 1, 1]], dtype=bool)
    fixed = np.zeros((len(DISTANCES), 6), dtype=bool)
    fixed[DISTANCES.index(2)] = [1, 1, 0, 0, 1, 1]
    found = verb_object.compare(heads, fixed)
    assert (found["head"], found["distance"]) == (0, 2)
    judged = found["second_half"]
    assert (judged["right"], judged["distance_right"]) == (0.333, 0.667)
    assert judged["elsewhere"] == [0, 1]
    low, high = judged["difference"]
    assert low < -1 / 3 < high
    # The second half would choose the other head, which is right once on the first half.
    assert (found["head_of_second_half"], found["every_head"]) == (1, [0.333, 1.0])
    assert found["both_halves"]["right"] == round((1 + 1) / 6, 3)
    assert found["both_halves"]["distance_right"] == round((2 + 2) / 6, 3)
    assert found["both_halves"]["elsewhere"] == [0, 2]


def test_what_is_stored_is_200_captions_and_four_comparisons(tmp_path):
    found = verb_object.pairs()
    assert len(found) == len({pair.caption for pair in found}) == 200
    assert found == sorted(found)
    assert all(pair.noun > pair.verb >= 0 for pair in found)
    records = verb_object.load()
    asked = [(record["direction"], record["among"]) for record in records]
    assert asked == [(direction, among) for direction in DIRECTIONS for among in AMONG]
    half = found[100:]
    for record in records:
        fixed = verb_object.at_distance(half, record["direction"])
        judged = record["second_half"]
        assert judged["distance_right"] == fixed[DISTANCES.index(record["distance"])].mean()
        assert judged["right"] == record["every_head"][record["head"]]
        assert max(record["untrained"]) < judged["right"] - 0.1
        for part in (judged, record["both_halves"]):
            low, high = part["difference"]
            assert low <= part["right"] - part["distance_right"] <= high
    file = tmp_path / "again.json"
    verb_object.write(file, found, records)
    assert file.read_text() == verb_object.STORED.read_text()
