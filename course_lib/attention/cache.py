"""The key-value cache, with which a decoder projects every token only once.

Letters: B batch, H heads, K positions, Dk and Dv width of a key and of a value.
"""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor


class KeyValueCache(NamedTuple):
    """Keys and values of the tokens so far, projected once and kept; one for each layer."""

    keys: Float[Tensor, "B H K Dk"]
    values: Float[Tensor, "B H K Dv"]

    @property
    def length(self) -> int:
        """K, the number of positions."""
        return self.keys.shape[2]

    def followed_by(self, newer: "KeyValueCache") -> "KeyValueCache":
        """A new cache of these and then newer positions.

        All is copied. Writing into spare room saved 4 to 9 % of the time of greedy decoding over
        128 tokens, but hypotheses with a common past would share the room.
        """
        if not self.length:
            return newer
        return KeyValueCache(
            torch.cat([self.keys, newer.keys], dim=2), torch.cat([self.values, newer.values], dim=2)
        )
