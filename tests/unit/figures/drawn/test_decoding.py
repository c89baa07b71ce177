"""Drawings of chapter 11: one step of a beam search, and the caches that go along with it."""

import torch

from course_lib.figures.drawn import all_ways
from course_lib.figures.drawn.parts import Box, Label
from course_lib.figures.drawn.shelf import drawing
from course_lib.figures.drawn.two_words import AFTER


def test_the_marked_ways_are_those_that_topk_finds_in_the_flat_table() -> None:
    rows = [[p * after.get(word, 0.0) for word in all_ways.WORDS] for p, after in AFTER.values()]
    table = torch.tensor(rows, dtype=torch.float64)
    assert all_ways.ways() == table.flatten().tolist()
    where = table.flatten().topk(all_ways.BEAMS).indices.tolist()
    assert all_ways.best() == where
    parts = drawing("all_ways").parts
    marked = [part.text for part in parts if isinstance(part, Box) and part.role == "weight"]
    assert sorted(marked) == sorted([f"{table.flatten()[place]:.2f}" for place in where] * 2)
    told = [part.text for part in parts if isinstance(part, Label) and "goes on" in part.text]
    words = all_ways.WORDS
    assert len(told) == len(where)
    for line, place in zip(told, where, strict=True):
        parent, word = place // len(words), place % len(words)
        assert line.startswith(f"{place} = {len(words)} × {parent} + {word}:")
        assert line.endswith(f"beam {parent} goes on with {words[word]}")


def test_a_cache_by_parent_holds_the_beginning_that_stands_beside_it() -> None:
    boxes = [part for part in drawing("whose_cache").parts if isinstance(part, Box)]
    whole = [box for box in boxes if " " in box.text]
    assert len(whole) == 4
    kept = []
    for written in whole:
        (cache,) = (b for b in boxes if b.y == written.y and b.x < written.x and b.x > 180)
        fits = written.text.startswith(cache.text)
        kept.append(fits)
        assert (cache.role == "key") == fits
    assert kept == [True, True, False, False]
