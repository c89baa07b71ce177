"""Positions: attention by itself ignores the order of tokens, so the order is an input.

    sinusoidal   a fixed vector for each position, added to the token's   Vaswani et al. 2017, 3.5
    learned      a trained vector for each position, added likewise       Gehring et al. 2017
    rotary       query and key rotated by an angle, nothing added         Su et al. 2021

Sinusoidal and rotary positions cut a vector of width D into D/2 pairs, numbers 2i and 2i + 1. Pair
i has the frequency 10000^(-2i/D). Positions count from 0 and are integers of any shape, so that
each row of a batch may have its own and a decoder can continue where its cache ends.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

BASE = 10_000.0
"""The longest wave has 2π times this many positions (Vaswani et al. 2017, section 3.5)."""


def angles(positions: Int[Tensor, "*B"], width: int) -> Float[Tensor, "*B P"]:
    """position · 10000^(-2i/D), the angle of pair i at each position; P is D/2, so D must be even.

    Double precision, which large positions need; single on Apple's GPUs, which have no double.
    """
    if width < 2 or width % 2:
        raise ValueError(f"want an even width of 2 or more, to form pairs; got {width}")
    exact = torch.float32 if positions.device.type == "mps" else torch.float64
    pair = torch.arange(0, width, 2, dtype=exact, device=positions.device)
    return positions.to(exact).unsqueeze(-1) * BASE ** (-pair / width)


def sinusoidal(
    positions: Int[Tensor, "*B"], width: int, dtype: torch.dtype = torch.float32
) -> Float[Tensor, "*B D"]:
    """The fixed vectors of Vaswani et al. 2017, section 3.5.

        PE(pos, 2i)     = sin(pos / 10000^(2i/D))
        PE(pos, 2i + 1) = cos(pos / 10000^(2i/D))

    Each has length √(D/2). The vector of pos + k is that of pos with each pair rotated by the angle
    of k, whatever pos is (`shift_by`).
    """
    turned = angles(positions, width)
    return torch.stack([turned.sin(), turned.cos()], dim=-1).flatten(-2).to(dtype)


def shift_by(distance: int, width: int) -> Float[Tensor, "D D"]:
    """The rotation R with PE(pos + distance) = R PE(pos) at every position; double precision.

    From sin(a + b) = sin a cos b + cos a sin b: a block [[cos, sin], [-sin, cos]] for each pair.
    """
    turn = angles(torch.tensor(distance), width)
    blocks = torch.stack([turn.cos(), turn.sin(), -turn.sin(), turn.cos()], dim=-1)
    return torch.block_diag(*blocks.unflatten(-1, (2, 2)))


def rotate(
    vectors: Float[Tensor, "*B T D"], positions: Int[Tensor, "*P T"]
) -> Float[Tensor, "*B T D"]:
    """Rotary position embedding (Su et al. 2021, arXiv:2104.09864, section 3.2.2, equation 34).

    Each pair of a vector is rotated by the angle of its position. So the dot product of two vectors
    depends only on their distance. Rotate queries and keys before the score; values stay.

    The vectors are (..., T, D), of one head or of several; `positions` broadcast against (..., T).
    """
    turn = angles(positions, vectors.shape[-1])
    cos, sin = turn.cos().to(vectors.dtype), turn.sin().to(vectors.dtype)
    first, second = vectors[..., 0::2], vectors[..., 1::2]
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return turned.flatten(-2)


class Sinusoidal(nn.Module):
    """`sinusoidal` as a module, with no parameters and no limit to the length."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width

    def forward(
        self, positions: Int[Tensor, "*B"], dtype: torch.dtype = torch.float32
    ) -> Float[Tensor, "*B D"]:
        """The vector of each position."""
        return sinusoidal(positions, self.width, dtype)


class LearnedPosition(nn.Module):
    """One trained vector for each position below `max_length` (Gehring et al. 2017)."""

    def __init__(self, width: int, max_length: int) -> None:
        super().__init__()
        self.table = nn.Embedding(max_length, width)

    def forward(
        self, positions: Int[Tensor, "*B"], dtype: torch.dtype = torch.float32
    ) -> Float[Tensor, "*B D"]:
        """The vector of each position; IndexError below 0 and from `max_length` on."""
        return self.table(positions).to(dtype)
