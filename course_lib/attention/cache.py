"""Keys and values that are kept, so that a decoder projects every token once.

Letters: B batch, H heads, K positions that are kept, T new ones, Dk and Dv width of a key and of a
value.
"""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor


class KeyValueCache(NamedTuple):
    """Keys and values of what was read so far, projected once and kept.

    A decoder carries one for each layer in its `State`: the batch comes first, so `select` picks
    its rows, and `followed_by` makes a longer one without changing the old one, which other
    hypotheses may still need.
    """

    keys: Float[Tensor, "B H K Dk"]
    values: Float[Tensor, "B H K Dv"]

    @property
    def length(self) -> int:
        """K, how many positions it holds."""
        return self.keys.shape[2]

    def followed_by(self, newer: "KeyValueCache") -> "KeyValueCache":
        """The same, with newer positions behind.

        It copies all that is kept. Room to write a step behind the old numbers would spare 4 % of
        the time of 128 steps, and would be shared by all that go on from one past.

        Raises:
            ValueError: batch, heads or widths differ.
        """
        for old, new in zip(self, newer, strict=True):
            if old.shape[:2] != new.shape[:2] or old.shape[3] != new.shape[3]:
                raise ValueError(
                    "want newer keys and values that differ in the number of positions alone; got "
                    f"{tuple(new.shape)} behind {tuple(old.shape)}"
                )
        if not self.length:
            return newer
        return KeyValueCache(
            torch.cat([self.keys, newer.keys], dim=2),
            torch.cat([self.values, newer.values], dim=2),
        )
