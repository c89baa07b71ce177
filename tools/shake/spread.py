"""How far printed numbers lie apart, from one condition to another."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from tools.notebooks.tolerance import is_integer, numbers, skeleton

_COUNT = re.compile(r"(?<![\w.,])(\d+) of\b")
UNMOVED = 1e-5
"""Two floats that differ by no more than this part of their size are the same to every cell."""


class Spread(NamedTuple):
    """The smallest and the largest value of one printed number, as they were printed."""

    low: str
    high: str

    @property
    def moved(self) -> bool:
        """True if a comparison without a tolerance would see it."""
        low, high = float(self.low), float(self.high)
        if self.low == self.high or low == high:
            return False
        if is_integer(self.low) and is_integer(self.high):
            return True
        # Not the other way round: what is not a number has moved.
        return not high - low <= UNMOVED * max(abs(low), abs(high))

    @property
    def counted(self) -> bool:
        """True for an integer that moved: a count that came out of training."""
        return is_integer(self.low) and is_integer(self.high) and self.low != self.high

    def with_value(self, printed: str) -> "Spread":
        """The spread of these and one value more."""
        values = sorted((self.low, self.high, printed), key=float)
        return Spread(values[0], values[-1])

    @property
    def width(self) -> float:
        """From the smallest to the largest."""
        return float(self.high) - float(self.low)


class Shaken(NamedTuple):
    """One cell's output over all conditions.

    Attributes:
        spreads: one for each number of the output.
        otherwise: what a condition printed in other words than the first condition, by its name.
    """

    spreads: list[Spread]
    otherwise: dict[str, str]


def shaken(outputs: Mapping[str, Sequence[str]]) -> Shaken:
    """What moved between the outputs of a cell, a list of texts for each condition."""
    texts = {name: "\n".join(parts) for name, parts in outputs.items()}
    first = skeleton(next(iter(texts.values())))
    otherwise = {name: text for name, text in texts.items() if skeleton(text) != first}
    rows = [numbers(text) for name, text in texts.items() if name not in otherwise]
    columns = [sorted(column, key=float) for column in zip(*rows, strict=True)]
    return Shaken([Spread(column[0], column[-1]) for column in columns], otherwise)


def counts(outputs: Mapping[str, Sequence[str]]) -> list[Spread]:
    """Counts out of a whole that moved, such as the 18 of "18 of 1000", whatever stands around.

    The outputs of a cell that nobody compares may say something else under each condition, so that
    numbers cannot be put side by side. A count is known by its "of", as long as all have as many.
    """
    rows = [_COUNT.findall("\n".join(parts)) for parts in outputs.values()]
    if len({len(row) for row in rows}) != 1:
        return []
    columns = [sorted(column, key=int) for column in zip(*rows, strict=True)]
    return [s for s in (Spread(column[0], column[-1]) for column in columns) if s.counted]


def last_place(printed: str) -> float:
    """One unit of the last digit that is printed: 0.01 for "0.25", 1e-08 for "3e-08"."""
    try:
        return float(Decimal(1).scaleb(Decimal(printed).as_tuple().exponent))
    except (ValueError, TypeError):  # nan and inf have no digits
        return 0.0
