"""Keys and values that are kept, so that a decoder projects every token once.

A cache grows by a token a step. To copy it each time would move as many numbers as attention
reads, so it has room behind its end, and a step writes there.

Letters: B batch, H heads, K positions that are kept, T new ones, Dk and Dv width of a key and of a
value.
"""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

LEAST_ROOM = 32
"""Positions that the first block has room for; each later one has twice what is needed."""


class Room:
    """The memory in which the keys and values of a cache stand in front, with free places behind.

    Caches that grew from one another share it. Only who stands at the end of what is taken may
    write behind it: of two hypotheses with one past the first does, and the second copies.

    Attributes:
        blocks: of keys (B, H, C, Dk) and of values (B, H, C, Dv), C places each.
        taken: places that some cache has written.
    """

    def __init__(self, keys: Tensor, values: Tensor, count: int) -> None:
        """A copy of these with places for `count` more, and for as many again as that is."""
        self.taken = keys.shape[2]
        places = max(LEAST_ROOM, 2 * (self.taken + count))
        self.blocks = tuple(
            part.new_empty(*part.shape[:2], places, part.shape[3]) for part in (keys, values)
        )
        for block, part in zip(self.blocks, (keys, values), strict=True):
            block[:, :, : self.taken] = part

    def fits(self, cache: "KeyValueCache", count: int) -> bool:
        """Whether `count` positions may be written behind this cache."""
        keys, first = self.blocks[0], cache.length
        return (
            self.taken == first
            and first + count <= keys.shape[2]
            # Somebody may have put other numbers into the record, and they do not stand here.
            and all(
                block.data_ptr() == part.data_ptr()
                for block, part in zip(self.blocks, (cache.keys, cache.values), strict=True)
            )
            # A tensor of inference mode cannot be written outside of it.
            and (torch.is_inference_mode_enabled() or not keys.is_inference())
        )

    def write(self, *newer: Tensor) -> None:
        """Takes the next places for new keys and values."""
        first, self.taken = self.taken, self.taken + newer[0].shape[2]
        for block, part in zip(self.blocks, newer, strict=True):
            block[:, :, first : self.taken] = part

    def select(self, rows: Int[Tensor, " R"]) -> None:
        """None: rows picked from a cache begin with no room of their own (`Batched.select`)."""
        return


class KeyValueCache(NamedTuple):
    """Keys and values of what was read so far, projected once and kept.

    A decoder carries one for each layer in its `State`: the batch comes first, so `select` picks
    its rows, and `followed_by` makes it longer without changing the old one, which other
    hypotheses may still need.
    """

    keys: Float[Tensor, "B H K Dk"]
    values: Float[Tensor, "B H K Dv"]
    room: Room | None = None

    @property
    def length(self) -> int:
        """K, how many positions it holds."""
        return self.keys.shape[2]

    def followed_by(self, newer: "KeyValueCache") -> "KeyValueCache":
        """The same, with newer positions behind.

        Raises:
            ValueError: batch, heads or widths differ.
        """
        for old, new in zip((self.keys, self.values), (newer.keys, newer.values), strict=True):
            if old.shape[:2] != new.shape[:2] or old.shape[3] != new.shape[3]:
                raise ValueError(
                    "want newer keys and values that differ in the number of positions alone; got "
                    f"{tuple(new.shape)} behind {tuple(old.shape)}"
                )
        if not self.length:
            return newer
        # A gradient needs every step's numbers as they were, and a block has one kind of number.
        if torch.is_grad_enabled() or self.keys.dtype != newer.keys.dtype:
            return KeyValueCache(
                torch.cat([self.keys, newer.keys], dim=2),
                torch.cat([self.values, newer.values], dim=2),
            )
        room = self.room
        if room is None or not room.fits(self, newer.length):
            room = Room(self.keys, self.values, newer.length)
        room.write(newer.keys, newer.values)
        keys, values = (block[:, :, : room.taken] for block in room.blocks)
        return KeyValueCache(keys, values, room)
