"""A table of what was reached with each learning rate, as every chapter shows how it chose one."""

from collections.abc import Mapping

from course_lab.figures.still.table import Column, Table


def by_rate(caption: str, tried: Mapping[str, Mapping[float, float]], *, digits: int = 2) -> Table:
    """What each model reached with each rate that it was given; a dash where it was not given one.

    Args:
        caption: says what was measured, and on what.
        tried: a number by learning rate, by model.
        digits: behind the point.

    Raises:
        ValueError: nothing was tried.
    """
    rates = sorted({rate for row in tried.values() for rate in row})
    return Table(
        caption,
        "model",
        [Column(f"{rate:g}", digits=digits) for rate in rates],
        {name: [row.get(rate) for rate in rates] for name, row in tried.items()},
    )
