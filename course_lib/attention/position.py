"""Where a token stands: attention by itself does not know, so it has to be told.

    sinusoidal   a fixed vector a position, added to the token's   Vaswani et al. 2017, section 3.5
    learned      a trained vector a position, added likewise       Gehring et al. 2017
    rotary       query and key turned by an angle, nothing added   Su et al. 2021 (2104.09864)

All three cut a vector of width D into D/2 pairs, numbers 2i and 2i + 1 (learned: no pairs at all).
Pair i belongs to the frequency 10000^(-2i/D): it turns once around in 2π · 10000^(2i/D) positions.
Positions count from 0 and are integers of any shape, so that rows of a batch may stand at
different places and a decoder may begin at the place that its cache has reached.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.attention.masks import known_all

BASE = 10_000.0
"""The longest wave is 2π times this many positions long (Vaswani et al. 2017, section 3.5)."""


def angles(positions: Int[Tensor, "*B"], width: int) -> Float[Tensor, "*B P"]:
    """position · 10000^(-2i/D), the angle by which pair i stands at a position; P is D/2.

    In double precision (single on Apple's GPUs, which have no other): late positions need it.

    Raises:
        ValueError: the width is odd or not positive.
    """
    if width < 2 or width % 2:
        raise ValueError(f"want an even width of 2 or more, for numbers go in pairs; got {width}")
    exact = torch.float32 if positions.device.type == "mps" else torch.float64
    pair = torch.arange(0, width, 2, dtype=exact, device=positions.device)
    return positions.to(exact).unsqueeze(-1) * BASE ** (-pair / width)


def sinusoidal(
    positions: Int[Tensor, "*B"], width: int, dtype: torch.dtype = torch.float32
) -> Float[Tensor, "*B D"]:
    """The fixed vectors of Vaswani et al. 2017, section 3.5.

        PE(pos, 2i)     = sin(pos / 10000^(2i/D))
        PE(pos, 2i + 1) = cos(pos / 10000^(2i/D))

    Each has length √(D/2). The vector of pos + k is that of pos, each pair turned by the angle of
    k, the same wherever pos is (`shift_by`): "to attend by relative positions" is a linear map.
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
    """Rotary position embedding (Su et al. 2021, section 3.2.2, equation 34).

    Each pair of a vector is turned by the angle of its position. A dot product of two vectors
    turned at m and at n is one of the first with the second turned at n - m: it depends on the
    distance alone. Turn queries and keys before the score; values stay as they are.

    Args:
        vectors: queries or keys of one head or of many, (..., T, D).
        positions: where they stand; their shape broadcasts against (..., T).

    Raises:
        ValueError: the width is odd.
        TypeError: the vectors are not of floating point: turned integers would be cut off.
    """
    if not vectors.is_floating_point():
        raise TypeError(f"want vectors of floating point to rotate; got {vectors.dtype}")
    turn = angles(positions, vectors.shape[-1])
    cos, sin = turn.cos().to(vectors.dtype), turn.sin().to(vectors.dtype)
    first, second = vectors[..., 0::2], vectors[..., 1::2]
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return turned.flatten(-2)


class Sinusoidal(nn.Module):
    """`sinusoidal` as a part of a model; it has no weights and no longest sentence."""

    def __init__(self, width: int) -> None:
        super().__init__()
        angles(torch.zeros(1, dtype=torch.long), width)  # refuses a width that cannot be
        self.width = width

    def forward(
        self, positions: Int[Tensor, "*B"], dtype: torch.dtype = torch.float32
    ) -> Float[Tensor, "*B D"]:
        """The vector of each position."""
        return sinusoidal(positions, self.width, dtype)


class LearnedPosition(nn.Module):
    """One trained vector a position (Gehring et al. 2017; Vaswani et al. 2017, table 3, row E).

    What it was never trained on it does not know: there is a longest sentence.
    """

    def __init__(self, width: int, max_length: int) -> None:
        super().__init__()
        self.table = nn.Embedding(max_length, width)

    def forward(
        self, positions: Int[Tensor, "*B"], dtype: torch.dtype = torch.float32
    ) -> Float[Tensor, "*B D"]:
        """The vector of each position.

        Raises:
            ValueError: a position lies behind the last one that there is, or before the first.
        """
        most = self.table.num_embeddings
        # Where nobody can look, the table itself refuses, less clearly.
        if known_all((positions >= 0) & (positions < most)) is False:
            first, last = (int(end) for end in positions.aminmax())
            wrong = last if last >= most else first
            raise ValueError(f"want positions from 0, below max_length={most}; got {wrong}")
        return self.table(positions).to(dtype)
