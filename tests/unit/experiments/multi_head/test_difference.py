"""Sums and differences: what is wanted, what one head can reach, and the least it must leave."""

import pytest
import torch

from course_lab.experiments.multi_head import difference
from course_lab.experiments.multi_head.difference import VARIANTS, Reader, draw, left_over
from course_lib.device import cpu_generator


def test_what_is_wanted():
    for task, sign in {"sum": 1, "difference": -1}.items():
        rows = draw(task, cpu_generator(0), 3)
        vectors, marks = rows.memory[..., : difference.WIDTH], rows.memory[..., difference.WIDTH :]
        assert torch.equal(marks[1], torch.eye(difference.PLACES))
        torch.testing.assert_close(rows.wanted, vectors[:, 1] + sign * vectors[:, 3])


def by_hand(variant: str, signs: list[float]) -> Reader:
    """Head h looks at one place of `ASKED` (a single head at both) and is worth its sign."""
    model = Reader(VARIANTS[variant]).double().eval()
    attention, width = model.attention, difference.WIDTH
    with torch.no_grad():
        for part in (*model.parameters(),):
            part.zero_()
        model.query.bias[0] = 1.0
        for h, sign in enumerate(signs):
            first = h * attention.key_width
            attention.queries.weight[first, 0] = 1.0
            places = difference.ASKED if len(signs) == 1 else (difference.ASKED[h],)
            for place in places:
                attention.keys.weight[first, width + place] = 1e3
            begin = h * attention.value_width
            for k in range(width):
                attention.values.weight[begin + k, k] = 1.0
                attention.output.weight[k, begin + k] = sign
    return model


def test_two_heads_by_hand_leave_nothing_of_a_difference():
    model = by_hand("two heads", [1.0, -1.0])
    rows = draw("difference", cpu_generator(1), 20)
    torch.testing.assert_close(model(rows.memory.double()), rows.wanted.double())
    looks = model.looks(rows.memory.double())
    assert looks[0].argmax(-1).tolist() == list(difference.ASKED)


def test_one_head_by_hand_leaves_nothing_of_a_sum_and_half_of_a_difference_at_best():
    rows = draw("sum", cpu_generator(1), 20)
    model = by_hand("one head", [2.0])
    torch.testing.assert_close(model(rows.memory.double()), rows.wanted.double())
    single = by_hand("one head", [1.0])
    with torch.no_grad():
        # The other place is no longer looked at.
        single.attention.keys.weight[0, difference.WIDTH + difference.ASKED[1]] = 0.0
    assert left_over(single.float(), "difference") == pytest.approx(0.5, abs=0.01)
