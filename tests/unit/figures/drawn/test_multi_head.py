"""The drawing of chapter 9's slip: what a head holds is what PyTorch gives it."""

import torch

from course_lab.figures.drawn import two_cuts


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
