"""Numbers and looks in words, as the figures to touch say them."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np


def number(weight: float) -> str:
    """Return a weight in two digits without the leading zero; nothing for what rounds to zero."""
    text = f"{weight:.2f}"
    return "" if text == "0.00" else "1" if text == "1.00" else text[1:]


def most_looked_at(
    asks: Sequence[str], asked: Sequence[str], weights: Iterable, *, told: bool = False
) -> list[str]:
    """Return for each word that asks the one that it looks at most, and the weight if `told`."""
    return [
        f"“{word}” at “{asked[int(row.argmax())]}”" + f" ({row.max():.2f})" * told
        if row.any()
        else f"“{word}” at nothing"
        for word, row in zip(asks, map(np.asarray, weights), strict=True)
    ]


def name_by_name(told: Mapping[str, Iterable[str]]) -> str:
    """Return what is said of each name: "a: 0.1 at 2, 0.3 at 4; b: none at 2."."""
    return "; ".join(f"{name}: {', '.join(said)}" for name, said in told.items()) + "."


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 model", "2 models"."""
    return f"{number} {noun}" + ("" if number == 1 else "s")
