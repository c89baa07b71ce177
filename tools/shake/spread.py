"""How far printed numbers lie apart, from one condition to another."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tools.notebooks.tolerance import Tolerance, is_integer, numbers, skeleton


class Spread(NamedTuple):
    """The smallest and the largest value of one printed number, as they were printed."""

    low: str
    high: str

    @property
    def is_count(self) -> bool:
        """True for whole numbers."""
        return is_integer(self.low) and is_integer(self.high)

    @property
    def size(self) -> float:
        """The larger of the two, without its sign."""
        return max(abs(float(self.low)), abs(float(self.high)))

    @property
    def width(self) -> float:
        """From the smallest to the largest."""
        return float(self.high) - float(self.low)

    def within(self, tolerance: Tolerance) -> bool:
        """True if a comparison of the smallest with the largest passes; counts must be equal."""
        if self.low == self.high:
            return True
        have = 0.0 if self.is_count else tolerance.at(self.size)
        # Not the other way round: what is not a number has moved. The rest is rounding.
        return have * (1 + 1e-6) >= self.width

    def with_value(self, printed: str) -> "Spread":
        """The spread of these and one value more."""
        return _spread([self.low, self.high, printed])


def _spread(values: Sequence[str]) -> Spread:
    """Of some values; what is not a number counts as the largest, so that it is never lost."""
    rising = sorted(values, key=lambda x: (math.isnan(float(x)), float(x)))
    return Spread(rising[0], rising[-1])


def spreads(texts: Mapping[str, str]) -> tuple[list[Spread], dict[str, str]]:
    """What moved between the outputs of a cell.

    Args:
        texts: what it printed under each condition.

    Returns:
        a spread for each number, and the texts that say something else than the first one, by
        condition; their numbers are left out.
    """
    first = skeleton(next(iter(texts.values())))
    differs = {name: text for name, text in texts.items() if skeleton(text) != first}
    rows = [numbers(text) for name, text in texts.items() if name not in differs]
    return [_spread(column) for column in zip(*rows, strict=True)], differs
