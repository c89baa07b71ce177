"""What a layer costs as its text grows: bars to compare at a length, and a cache that fills."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course_lab.figures.touch.core import Interactive, plain, row, sheet


class Quantity(NamedTuple):
    """Something that each mechanism costs.

    Attributes:
        name: on its key, such as "operations".
        unit: "" for plain numbers, "B" for bytes, "s" for seconds.
        values: for each mechanism a number at each length, None where it was not measured.
    """

    name: str
    unit: str
    values: Mapping[str, Sequence[int | float | None]]


class Cache(NamedTuple):
    """A memory that keys and values fill.

    Attributes:
        room: bytes of the memory.
        token: bytes of a token, by the name of the layout.
    """

    room: int
    token: Mapping[str, int]


def growing_costs(
    lengths: Sequence[int], quantities: Sequence[Quantity], cache: Cache, *, first: int
) -> Interactive:
    """Bars for what each mechanism costs at the chosen length; the longest bar is full.

    A mark in each bar shows the cost of half as many words, where that length is listed.

    Args:
        lengths: rising.
        quantities: all of the same mechanisms, in the same order.
        cache: what a decoder has kept after so many tokens.
        first: the length on which the figure opens.
    """
    held = {name: [size * n for n in lengths] for name, size in cache.token.items()}
    names = list(quantities[0].values)
    place = {length: i for i, length in enumerate(lengths)}
    return Interactive(
        "cost",
        f"Costs of {len(names)} layers, {lengths[0]:,} to {lengths[-1]:,} words",
        tables=[_table(q, lengths) for q in (*quantities, Quantity("the cache", "B", held))],
        parts=["bars"],
        data={
            "lengths": [f"{n:,}" for n in lengths],
            "at": place[first],
            "half": [place.get(n / 2, -1) for n in lengths],
            "names": names,
            "quantities": [
                {"name": q.name, "values": list(q.values.values()), "texts": _texts(q)}
                for q in quantities
            ],
            "cache": {
                "title": f"A decoder's cache, in a memory of {amount(cache.room, 'B')}",
                "names": list(held),
                "shares": [[min(1.0, size / cache.room) for size in row] for row in held.values()],
                "texts": _texts(Quantity("", "B", held)),
            },
        },
    )


def amount(value: int | float | None, unit: str = "") -> str:
    """A number as a reader says it: 1.5 million, 24 kB, 3.1 GB, 40 ms."""
    if value is None:
        return "not measured"
    steps = {
        "": ((1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1e3, " thousand")),
        "B": ((2**40, " TiB"), (2**30, " GiB"), (2**20, " MiB"), (2**10, " KiB")),
        "s": ((1.0, " s"), (1e-3, " ms"), (1e-6, " µs")),
    }[unit]
    for size, word in steps:
        if value >= size:
            return f"{_two_digits(value / size)}{word}"
    return f"{_two_digits(value)}{' B' if unit == 'B' else ''}"


def _two_digits(value: int | float) -> str:
    return f"{value:.1f}".removesuffix(".0") if value < 9.95 else f"{value:,.0f}"


def _texts(quantity: Quantity) -> list[list[str]]:
    return [[amount(value, quantity.unit) for value in row] for row in quantity.values.values()]


def _table(quantity: Quantity, lengths: Sequence[int]) -> str:
    lines = zip(lengths, zip(*_texts(quantity), strict=True), strict=True)
    told = f"{quantity.name.capitalize()}, by the number of words"
    rows = [row([f"{n:,}"], plain(texts)) for n, texts in lines]
    return sheet(told, ["words", *quantity.values], rows, corners=0)
