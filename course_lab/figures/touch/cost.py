"""What a layer costs as its text grows: bars to compare at a length, and a cache that fills."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course_lab.figures.touch.core import Interactive, row, sheet


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

    Raises:
        ValueError: `first` is not among the lengths, or values do not fit lengths or mechanisms.
    """
    if first not in lengths:
        raise ValueError(f"want a first length among {list(lengths)}; got {first}")
    names = list(quantities[0].values)
    for quantity in quantities:
        sizes = {len(values) for values in quantity.values.values()}
        if list(quantity.values) != names or sizes != {len(lengths)}:
            raise ValueError(
                f"want {len(lengths)} values for each of {names}; got {quantity.name!r} with "
                f"{list(quantity.values)} of {sorted(sizes)}"
            )
    at = list(lengths).index(first)
    operations = {name: values[at] for name, values in quantities[0].values.items()}
    told = ", ".join(f"{name} {amount(value)}" for name, value in operations.items())
    kept = {
        name: [min(1.0, size * n / cache.room) for n in lengths]
        for name, size in cache.token.items()
    }
    return Interactive(
        "cost",
        f"Costs of {len(names)} layers, {lengths[0]:,} to {lengths[-1]:,} words",
        f"{quantities[0].name.capitalize()} at {first:,} words: {told}.",
        tables=[
            *(_table(q.name, lengths, q.values, q.unit) for q in quantities),
            _table("the cache", lengths, _held(lengths, cache), "B"),
        ],
        parts=["bars"],
        data={
            "lengths": [f"{n:,}" for n in lengths],
            "at": at,
            "half": [_place(lengths, n / 2) for n in lengths],
            "names": names,
            "quantities": [
                {
                    "name": q.name,
                    "values": list(q.values.values()),
                    "texts": [[amount(v, q.unit) for v in row] for row in q.values.values()],
                }
                for q in quantities
            ],
            "cache": {
                "title": f"A decoder's cache, in a memory of {amount(cache.room, 'B')}",
                "names": list(kept),
                "shares": list(kept.values()),
                "texts": [[amount(v, "B") for v in row] for row in _held(lengths, cache).values()],
            },
        },
    )


def _place(lengths: Sequence[int], length: float) -> int:
    """Where a length is listed, or -1."""
    return list(lengths).index(length) if length in lengths else -1


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


def _held(lengths: Sequence[int], cache: Cache) -> dict[str, list[int | float | None]]:
    return {name: [size * n for n in lengths] for name, size in cache.token.items()}


def _table(
    name: str, lengths: Sequence[int], values: Mapping[str, Sequence[int | float | None]], unit: str
) -> str:
    rows = [
        row([f"{n:,}"], *(f"<td>{amount(each[i], unit)}</td>" for each in values.values()))
        for i, n in enumerate(lengths)
    ]
    told = f"{name.capitalize()}, by the number of words"
    return sheet(told, ["words", *values], rows, corners=0)
