"""A cache is never changed by what another one, of the same past, does."""

from dataclasses import dataclass

import pytest
import torch

from course_lib.attention.cache import KeyValueCache
from course_lib.models.protocol import State

B, H = 3, 2


def part(count: int, seed: int) -> KeyValueCache:
    generator = torch.Generator().manual_seed(seed)
    shapes = ((B, H, count, 4), (B, H, count, 5))
    return KeyValueCache(*(torch.randn(shape, generator=generator) for shape in shapes))


def grown(parts: list[KeyValueCache]) -> KeyValueCache:
    cache = parts[0]
    for newer in parts[1:]:
        cache = cache.followed_by(newer)
    return cache


def check(cache: KeyValueCache, parts: list[KeyValueCache]) -> None:
    assert torch.equal(cache.keys, torch.cat([p.keys for p in parts], dim=2))
    assert torch.equal(cache.values, torch.cat([p.values for p in parts], dim=2))


@pytest.fixture(params=[torch.no_grad, torch.inference_mode, torch.enable_grad])
def mode(request):
    with request.param():
        yield


def test_it_holds_every_part_in_order_however_long_it_grows(mode):
    parts = [part(1 + seed % 3, seed) for seed in range(40)]
    cache, passed = parts[0], [parts[0]]
    for newer in parts[1:]:
        cache = cache.followed_by(newer)
        passed.append(cache)
    for count, cache in enumerate(passed, start=1):
        check(cache, parts[:count])


def test_two_that_go_on_from_one_past_do_not_meet(mode):
    past = [part(2, 0), part(1, 1)]
    cache = grown(past)
    one, other = cache.followed_by(part(1, 2)), cache.followed_by(part(1, 3))
    further, late = one.followed_by(part(1, 4)), cache.followed_by(part(2, 5))
    check(cache, past)
    check(one, [*past, part(1, 2)])
    check(other, [*past, part(1, 3)])
    check(further, [*past, part(1, 2), part(1, 4)])
    check(late, [*past, part(2, 5)])


@dataclass(frozen=True)
class Layers(State):
    layers: tuple[KeyValueCache, ...]


def test_picked_rows_do_not_write_into_what_they_were_picked_from(mode):
    parts, rows = [part(2, 0), part(1, 1)], torch.tensor([2, 0, 2])
    cache = grown(parts)
    (picked,) = Layers((cache,)).select(rows).layers
    longer = picked.followed_by(part(1, 2))
    check(cache.followed_by(part(1, 3)), [*parts, part(1, 3)])
    assert torch.equal(longer.keys[:, :, :3], cache.keys[rows])
    assert torch.equal(longer.keys[:, :, 3:], part(1, 2).keys)


def test_a_gradient_reaches_every_step():
    parts = [part(1, seed) for seed in range(4)]
    leaves = [p.keys.requires_grad_() for p in parts]
    total = torch.zeros(())
    cache = parts[0]
    for newer in parts[1:]:
        cache = cache.followed_by(newer)
        total = total + cache.keys.square().sum()
    total.backward()
    for count, leaf in zip((3, 3, 2, 1), leaves, strict=True):
        torch.testing.assert_close(leaf.grad, 2 * count * leaf.detach())
