"""Positions by hand, at the edges, and what is refused."""

import math

import pytest
import torch

from course_lib.attention.position import (
    LearnedPosition,
    angles,
    rotate,
    shift_by,
    sinusoidal,
)


def test_sinusoidal_is_the_papers_formula_number_by_number():
    width, places = 6, [0, 1, 2, 17, 5000]
    found = sinusoidal(torch.tensor(places), width, torch.float64)
    for row, place in enumerate(places):
        for i in range(width // 2):
            angle = place / 10_000 ** (2 * i / width)
            assert found[row, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-12)
            assert found[row, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-12)


def test_late_positions_are_as_exact_as_single_precision_can_say():
    place = torch.tensor([100_003])
    single, double = sinusoidal(place, 8), sinusoidal(place, 8, torch.float64)
    assert single.dtype == torch.float32
    assert torch.equal(single, double.float())


def test_rotary_turns_each_pair_by_its_own_angle():
    vectors = torch.tensor([[1.0, 0.0, 0.0, 2.0]], dtype=torch.float64)
    turned = rotate(vectors, torch.tensor([3]))[0]
    slow = 3 / 10_000**0.5
    wanted = [math.cos(3), math.sin(3), -2 * math.sin(slow), 2 * math.cos(slow)]
    assert turned.tolist() == pytest.approx(wanted, abs=1e-12)


def test_rotary_leaves_position_zero_alone_and_takes_heads_and_rows():
    vectors = torch.randn(2, 3, 5, 4, generator=torch.Generator().manual_seed(0)).double()
    assert torch.equal(rotate(vectors, torch.zeros(5, dtype=torch.long)), vectors)
    places = torch.tensor([[0, 1, 2, 3, 4], [7, 8, 9, 10, 11]])
    rows = rotate(vectors, places[:, None])
    for row in range(2):
        torch.testing.assert_close(rows[row], rotate(vectors[row], places[row]))
    assert rotate(vectors.float(), places[0]).dtype == torch.float32


def test_learned_positions_are_looked_up_and_have_an_end():
    learned = LearnedPosition(4, max_length=3)
    found = learned(torch.tensor([2, 0]))
    assert torch.equal(found, learned.table.weight[[2, 0]])
    assert learned(torch.zeros(2, 0, dtype=torch.long)).shape == (2, 0, 4)


@pytest.mark.parametrize("width", [0, 1, 7, -2])
def test_a_width_that_has_no_pairs_is_refused(width):
    with pytest.raises(ValueError, match="even width"):
        shift_by(1, width)
    with pytest.raises(ValueError, match="even width"):
        angles(torch.tensor([1]), width)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_late_positions_are_turned_by_exact_angles_in_half_precision(dtype):
    """Angles in bf16 are off by up to 4 radians at position 1000."""
    vectors = torch.randn(1000, 8, generator=torch.Generator().manual_seed(0)).to(dtype)
    late = torch.arange(100_000, 101_000)
    found = rotate(vectors, late)
    assert found.dtype == dtype
    torch.testing.assert_close(found.double(), rotate(vectors.double(), late), atol=0.05, rtol=0)
