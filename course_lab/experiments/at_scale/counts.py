"""Chapter 12: operations and bytes of a layer that reads n words of width d, in closed form.

An operation is a multiplication or an addition of a matrix product; a product of (n, k) and (k, m)
has 2 n k m. Bytes are counted as if nothing stayed in a cache: each product and each softmax reads
what it needs from memory and writes what it makes. A number has four bytes.

    attention   the whole table of scores is written, read for the softmax, written and read again
    blockwise   scores stay in the processor; keys and values are read once per block of queries
    window      blockwise, and a block of queries meets its own keys and a radius to either side
    recurrent   a GRU: its input products at once, then for each word 3 d² weights read again

The first three have three matrices of d by d for query, key and value, and no output matrix.
"""

from typing import NamedTuple

MECHANISMS = ("attention", "blockwise", "window", "recurrent")
WIDTH, BLOCK = 256, 512
RADIUS, WINDOW_BLOCK = 64, 128
NUMBER = 4
"""Bytes."""


class Cost(NamedTuple):
    """What a layer costs.

    Attributes:
        operations: multiplications and additions in matrix products.
        moved: bytes read from memory and written to it.
    """

    operations: int
    moved: int

    @property
    def intensity(self) -> float:
        """Operations for each byte."""
        return self.operations / self.moved


def layer_cost(mechanism: str, n: int, d: int = WIDTH, *, batch: int = 1) -> Cost:
    """The whole layer: the matrices that are learned, and what meets or follows.

    Raises:
        ValueError: there is no such mechanism.
    """
    weights, words = 3 * d * d, batch * n * d
    made, moved = 2 * n * batch * weights, words + weights + 3 * words
    rest = core_cost(mechanism, n, d, batch=batch)
    return Cost(made + rest.operations, NUMBER * moved + rest.moved)


def core_cost(mechanism: str, n: int, d: int = WIDTH, *, batch: int = 1) -> Cost:
    """Without the products that make queries, keys and values, or a GRU's inputs.

    Raises:
        ValueError: there is no such mechanism.
    """
    if mechanism not in MECHANISMS:
        raise ValueError(f"want one of {', '.join(MECHANISMS)}; got {mechanism!r}")
    if mechanism == "recurrent":
        step = Cost(2 * batch * 3 * d * d, NUMBER * (3 * d * d + 5 * batch * d))
        return Cost(n * step.operations, n * step.moved)
    if mechanism == "attention":
        pairs, moved = n * n, 4 * n * n + 4 * n * d
    else:
        near = mechanism == "window"
        block = WINDOW_BLOCK if near else BLOCK
        seen = [
            min(n, first + block + RADIUS) - max(0, first - RADIUS) if near else n
            for first in range(0, n, block)
        ]
        sizes = [min(block, n - first) for first in range(0, n, block)]
        pairs = sum(size * keys for size, keys in zip(sizes, seen, strict=True))
        moved = 2 * n * d + 2 * d * sum(seen)
    return Cost(batch * 4 * pairs * d, batch * NUMBER * moved)


def cache_bytes(tokens: int, *, layers: int, key_heads: int, width: int, number: int = 2) -> int:
    """A key and a value for each token, layer and head of keys.

    Args:
        tokens: n.
        layers: N.
        key_heads: heads of keys and values; fewer than heads of queries where these share.
        width: of one key, and of one value.
        number: bytes of a number, 2 in half precision.
    """
    return 2 * tokens * layers * key_heads * width * number
