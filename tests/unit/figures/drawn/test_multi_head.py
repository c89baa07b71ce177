"""The drawing of chapter 9's slip: what a head holds is what PyTorch gives it."""

from collections import Counter

import torch

from course_lab.figures.drawn import one_or_two, several_heads, two_cuts
from course_lab.figures.drawn.parts import CELL, Arrow, Cells, Gate, Label
from course_lab.figures.drawn.shelf import drawing


def test_what_the_first_head_holds_is_what_view_gives_it() -> None:
    count, size = len(two_cuts.WORDS), two_cuts.WIDTH // two_cuts.HEADS
    numbers = torch.arange(count * two_cuts.WIDTH).view(1, count, two_cuts.WIDTH)
    cut = numbers.view(1, count, two_cuts.HEADS, size).transpose(1, 2)
    slip = numbers.view(1, two_cuts.HEADS, count, size)
    wanted = {
        name: {divmod(place, two_cuts.WIDTH) for place in pieces[0, 0].flatten().tolist()}
        for name, pieces in (("coordinates", cut), ("words", slip))
    }
    assert two_cuts.held() == wanted


def test_a_point_has_the_two_numbers_of_the_hand_calculation_beside_its_name() -> None:
    parts = drawing("one_or_two").parts
    dog, cat = (torch.tensor(each) for each in (one_or_two.DOG, one_or_two.CAT))
    told = [part.text for part in parts if isinstance(part, Label)]
    for name, point in (("dog", dog), ("cat", cat), ("“dog sees cat”", dog - cat)):
        numbers = ", ".join(f"{number:g}" for number in point.tolist()).replace("-", "−")
        assert f"{name} ({numbers})" in told
    origin, *_ = (part.points[0] for part in parts if isinstance(part, Arrow) and part.dashed)
    signs = [part for part in parts if isinstance(part, Gate)]
    shown = [((part.x - origin[0]) / 52, (origin[1] - part.y) / 52) for part in signs]
    assert shown == [tuple(point.tolist()) for point in (dog, cat, dog - cat, cat - dog)]


def test_every_table_of_the_heads_has_a_row_a_word_and_the_heads_are_as_wide_as_the_sentence():
    cells = [part for part in drawing("several_heads").parts if isinstance(part, Cells)]
    tables = {}
    for each in cells:
        tables.setdefault((each.role, each.x), []).append(each)
    assert {len(rows) for rows in tables.values()} == {len(several_heads.WORDS)}
    wide = Counter()
    for (role, _), rows in tables.items():
        wide[role] += rows[0].count
    assert set(wide.values()) == {several_heads.WIDTH}
    places = [x for role, x in tables if role == "context"]
    assert len(places) == several_heads.HEADS
    assert places[1] - places[0] == places[2] - places[1]
    assert places[1] == next(x for role, x in tables if role == "source")


def test_the_numbers_of_the_first_head_stand_out_and_no_others() -> None:
    cells = [part for part in drawing("two_cuts").parts if isinstance(part, Cells)]
    rows = sorted({cell.y for cell in cells})
    for own, left in (two_cuts.held()["coordinates"], 66), (two_cuts.held()["words"], 226):
        right = left + two_cuts.WIDTH * CELL
        shown = {
            (rows.index(cell.y), round((cell.x - cell.half[0] - left) / CELL) + i)
            for cell in cells
            if left < cell.x < right and cell.role == "weight"
            for i in range(cell.count)
        }
        assert shown == own
