"""Positions as a map: a row for each place, a column for each number of its vector."""

import numpy as np

from course_lab.figures.style import CARD, NARROW, WEIGHTS, Picture, as_array, house_style

_HEIGHT, _STEPS = 3.3, 16


def position_map(positions: object) -> Picture:
    """Draws the vectors of places from 0 on, the darker the larger a number.

    Args:
        positions: (T, D) numbers between -1 and 1.

    Raises:
        ValueError: another shape, or numbers beyond 1.
    """
    rows = as_array(positions, "positions")
    if rows.ndim != 2 or not rows.size or abs(rows).max() > 1 + 1e-6:
        raise ValueError(f"want (T, D) numbers between -1 and 1; got shape {rows.shape}")
    places, width = rows.shape
    first, last = (np.ptp(rows[:, column]) for column in (0, -1))
    with house_style():
        picture = Picture(
            NARROW,
            _HEIGHT,
            f"Positions as a map, {places} places of {width} numbers",
            f"Down the first column the numbers range over {first:.2f}, down the last over "
            f"{last:.2f}.",
        )
        axes = picture.add_axes((0.13, 0.17, 0.66, 0.78))
        axes.pcolormesh(rows, cmap=WEIGHTS, vmin=-1, vmax=1, edgecolors=CARD, linewidth=0.5)
        axes.set(ylim=(places, 0), xlabel="number in the vector", ylabel="place t")
        scale = picture.add_axes((0.84, 0.17, 0.03, 0.78))
        ends = np.linspace(-1, 1, _STEPS + 1)
        shades = (ends[1:, None] + ends[:-1, None]) / 2
        scale.pcolormesh([0, 1], ends, shades, cmap=WEIGHTS, vmin=-1, vmax=1, edgecolors="face")
        scale.set(xticks=[])
        scale.set_yticks([-1, 0, 1], labels=["−1", "0", "1"])
        scale.yaxis.tick_right()
        for each in (axes, scale):
            each.grid(False)
    return picture
