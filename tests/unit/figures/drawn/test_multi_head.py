"""The drawing of chapter 9's slip: what a head holds is what PyTorch gives it."""

import torch

from course_lib.figures.drawn import two_cuts
from course_lib.figures.drawn.parts import CELL, Cells
from course_lib.figures.drawn.shelf import drawing


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
