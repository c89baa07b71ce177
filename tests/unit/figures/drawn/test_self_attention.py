"""The drawings of self-attention and of heads: what they show is what the library computes."""

from collections import Counter
from itertools import pairwise

import numpy as np
import torch

from course_lab.figures.drawn import asks_in_plane, clocks, three_maps
from course_lab.figures.drawn.parts import Arrow, Box, Cells, Gate
from course_lab.figures.drawn.shelf import drawing
from course_lib.attention.attend import attend
from course_lib.attention.position import sinusoidal


def test_the_hands_of_the_clocks_are_the_sinusoidal_positions() -> None:
    wanted = sinusoidal(torch.arange(clocks.PLACES), clocks.WIDTH)
    pairs = range(clocks.WIDTH // 2)
    for place in range(clocks.PLACES):
        shown = [number for pair in pairs for number in clocks.hand(place, pair)]
        np.testing.assert_allclose(shown, wanted[place], atol=1e-6)
    parts = drawing("clocks").parts
    dials = [part for part in parts if isinstance(part, Gate)]
    ways = [part.points for part in parts if isinstance(part, Arrow)]
    assert [(dial.x, dial.y) for dial in dials] == [middle for middle, _ in ways]
    (x, y), tip = ways[1]
    across, up = clocks.hand(1, 0)
    np.testing.assert_allclose([tip[0] - x, y - tip[1]], [14.4 * across, 14.4 * up], atol=1e-6)


def test_at_the_left_words_ask_as_they_are_and_at_the_right_through_the_matrix() -> None:
    words = torch.tensor(list(asks_in_plane.WORDS.values()))
    queries = words @ torch.tensor(asks_in_plane.QUERY_MAP)
    np.testing.assert_allclose(list(asks_in_plane.asked().values()), queries)
    parts = drawing("asks_in_plane").parts
    dots = [(p.x, p.y) for p in parts if isinstance(p, Gate) and p.role == "key"]
    ends = [p.points[-1] for p in parts if isinstance(p, Arrow) and p.role == "query"]
    assert sorted(ends[:3]) == sorted(dots[:3])
    dog, puppy = ends[3:]
    barks = dots[5]
    assert abs(dog[0] - barks[0]) < 6
    assert dog[1] == barks[1]
    assert dog[1] < puppy[1] < dots[3][1]


def test_each_table_has_a_row_a_word_and_the_weights_are_square() -> None:
    rows = Counter((p.role, p.count) for p in drawing("three_maps").parts if isinstance(p, Cells))
    words = len(three_maps.WORDS)
    x = torch.randn(words, three_maps.D)
    maps = [torch.randn(three_maps.D, n) for n in (three_maps.D_K, three_maps.D_K, three_maps.D_V)]
    found = attend(*(x @ each for each in maps))
    wanted = {"source": x, "query": x @ maps[0], "key": x @ maps[1], "value": x @ maps[2]}
    wanted |= {"weight": found.weights, "context": found.context}
    assert rows == {(role, table.shape[1]): len(table) for role, table in wanted.items()}


def test_the_stripes_at_the_left_are_the_maps_at_the_right_one_for_each_head() -> None:
    parts = drawing("stripes").parts
    boxes = [part for part in parts if isinstance(part, Box)]
    matrix, alone = boxes[::2], boxes[1::2]
    assert [(box.text, box.wide, box.high) for box in matrix] == [
        (box.text, box.wide, box.high) for box in alone
    ]
    for one, next_one in pairwise(matrix):
        assert (next_one.x, next_one.y - one.y) == (one.x, one.high)
    glued, apart = ([p for p in parts if isinstance(p, Cells)][side::2] for side in (0, 1))
    for one, next_one in pairwise(glued):
        assert next_one.x - one.x == 2 * one.half[0]
    for cells, box in zip(apart, alone, strict=True):
        assert (cells.y, box.wide) == (box.y, 6 * cells.half[0])
    for one, next_one in pairwise(alone):
        assert next_one.y - one.y > one.high
