"""The laws of positions: a shift of the sinusoids is a rotation, rotary knows distances alone."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.attention.position import rotate, shift_by, sinusoidal

WIDTH = 8
places = st.integers(0, 2000)


def drawn(seed: int, count: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(count, WIDTH, generator=generator, dtype=torch.float64)


@given(places, st.integers(-2000, 2000))
def test_the_shift_of_the_sinusoids_is_one_rotation_for_all_positions(place, distance):
    turn = shift_by(distance, WIDTH)
    before = sinusoidal(torch.tensor(place), WIDTH, torch.float64)
    after = sinusoidal(torch.tensor(place + distance), WIDTH, torch.float64)
    torch.testing.assert_close(turn @ before, after, rtol=0, atol=1e-9)
    torch.testing.assert_close(turn @ turn.T, torch.eye(WIDTH).double())
    torch.testing.assert_close(torch.linalg.det(turn), torch.ones(()).double())


@given(places, places, st.integers(0, 2000))
def test_the_product_of_two_sinusoids_depends_on_their_distance_alone(one, other, move):
    vectors = sinusoidal(torch.tensor([one, other, one + move, other + move]), WIDTH, torch.float64)
    torch.testing.assert_close(vectors[0] @ vectors[1], vectors[2] @ vectors[3])


@given(st.integers(0, 999), places, places, st.integers(0, 2000))
def test_a_rotary_score_depends_on_the_distance_alone(seed, one, other, move):
    query, key = drawn(seed, 2)
    scores = [
        rotate(query[None], torch.tensor([m])) @ rotate(key[None], torch.tensor([n])).T
        for m, n in ((one, other), (one + move, other + move))
    ]
    torch.testing.assert_close(*scores, rtol=1e-9, atol=1e-9)


@given(st.integers(0, 999), places)
def test_rotary_changes_no_length_and_another_distance_gives_another_score(seed, place):
    query, key = drawn(seed, 2)
    turned = rotate(query[None], torch.tensor([place]))
    torch.testing.assert_close(turned.norm(), query.norm())
    near, far = (turned @ rotate(key[None], torch.tensor([n])).T for n in (place, place + 1))
    assert (near - far).abs() > 1e-6
