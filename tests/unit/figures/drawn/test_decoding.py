"""Drawings of chapter 11: one step of a beam search, and the caches that go along with it."""

import torch

from course_lab.figures.drawn import all_ways, two_words
from course_lab.figures.drawn.parts import Box, Label
from course_lab.figures.drawn.shelf import drawing


def test_the_marked_ways_are_those_that_topk_finds_in_the_flat_table() -> None:
    words = all_ways.WORDS
    firsts = two_words.AFTER.values()
    rows = [[p * after.get(word, 0.0) for word in words] for p, after in firsts]
    table = torch.tensor(rows, dtype=torch.float64)
    assert all_ways.ways() == table.flatten().tolist()
    where = table.flatten().topk(all_ways.BEAMS).indices.tolist()
    assert all_ways.best() == where
    parts = drawing("all_ways").parts
    marked = [part.text for part in parts if isinstance(part, Box) and part.role == "weight"]
    assert sorted(marked) == sorted([f"{table.flatten()[place]:.2f}" for place in where] * 2)
    told = [part.text for part in parts if isinstance(part, Label) and "goes on" in part.text]
    assert len(told) == len(where)
    for line, place in zip(told, where, strict=True):
        parent, word = place // len(words), place % len(words)
        assert line.startswith(f"{place} = {len(words)} × {parent} + {word}:")
        assert line.endswith(f"beam {parent} goes on with {words[word]}")
