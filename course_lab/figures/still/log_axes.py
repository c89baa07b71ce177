"""Pictures with powers of two or ten on both axes: costs against length, and a roofline."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullLocator

from course_lab.figures.still.lines import axes_at
from course_lab.figures.style import (
    CARD,
    INK,
    MUTED,
    NARROW,
    Picture,
    as_array,
    house_style,
    line_styles,
)

_LEFT, _RIGHT, _TOP, _BOTTOM, _HIGH = 0.72, 0.2, 0.42, 0.6, 2.9
_KEY, _FONT, _SMALL = 0.24, 12.0, 10.5


def log_lines(
    x: Sequence[int | float],
    lines: Mapping[str, Sequence[Sequence[int | float | None]]],
    *,
    x_name: str,
    y_name: str,
    ticks: Mapping[int | float, str],
    x_ticks: Sequence[int | float] = (),
    mark: tuple[int | float, str] | None = None,
) -> Picture:
    """A line for each name, with a band where a line comes as middle, lowest and highest.

    Args:
        x: rising, above zero.
        lines: for each name one row of values at each x, or three rows; None leaves a gap.
        x_name: what the horizontal axis shows, with its unit.
        y_name: what the vertical axis shows, with its unit.
        ticks: labelled values of the vertical axis; the first and the last are its ends.
        x_ticks: labelled values of the horizontal axis; all of x if there are none.
        mark: a place on the horizontal axis and what to write there.

    Raises:
        ValueError: values that do not fit x, or are not above zero.
    """
    across = as_array(x, "x")
    rows = {
        name: np.array([[np.nan if v is None else v for v in row] for row in values], float)
        for name, values in lines.items()
    }
    for name, values in rows.items():
        if values.shape[1:] != across.shape or len(values) not in (1, 3):
            raise ValueError(
                f"want one row or three rows of {len(across)} values for {name!r}; got shape "
                f"{values.shape}"
            )
        if (values <= 0).any() or (across <= 0).any():
            raise ValueError(f"want values above zero on logarithmic axes; got others in {name!r}")
    last = {name: values[0][~np.isnan(values[0])][-1] for name, values in rows.items()}
    told = ", ".join(f"{name} {value:.2g}" for name, value in last.items())
    with house_style():
        picture, axes = _canvas(
            f"Line figure, {y_name} against {x_name}, {len(rows)} lines",
            f"At the last number: {told}.",
            len(rows),
        )
        for name, style in line_styles(rows).items():
            values = rows[name]
            if len(values) == 3:
                axes.fill_between(
                    across, values[1], values[2], color=style.colour, alpha=0.2, linewidth=0
                )
            axes.plot(
                across,
                values[0],
                color=style.colour,
                linestyle=style.dashes,
                marker=style.marker,
                markeredgecolor=CARD,
                label=name,
            )
        chosen = list(x_ticks) or list(x)
        label_ticks(axes, chosen, [f"{v:,.0f}" for v in chosen], list(ticks), list(ticks.values()))
        axes.set_ylim(min(ticks), max(ticks))
        if mark:
            axes.axvline(mark[0], color=MUTED, linewidth=1, linestyle=(0, (2, 2)))
            place = {"xycoords": ("data", "axes fraction"), "parse_math": False}
            axes.annotate(
                mark[1],
                (mark[0], 0.02),
                (4, 0),
                textcoords="offset points",
                fontsize=_SMALL,
                color=INK,
                **place,
            )
        _name(axes, x_name, y_name)
        _key(axes)
    return picture


def roofline(
    rate: int | float,
    bandwidth: int | float,
    points: Mapping[str, tuple[int | float, int | float]],
) -> Picture:
    """The most that a machine can do at each intensity, and what some work does.

    Williams, Waterman & Patterson 2009: the lower of the rate of arithmetic, and of the bandwidth
    of the memory times the intensity.

    Args:
        rate: operations a second at most.
        bandwidth: bytes a second at most.
        points: for each name operations a byte, and operations a second.

    Raises:
        ValueError: a number that is not above zero.
    """
    if min(rate, bandwidth, *(number for point in points.values() for number in point)) <= 0:
        raise ValueError("want numbers above zero on logarithmic axes")
    ridge = rate / bandwidth
    left = min(0.25, *(x for x, _ in points.values())) / 1.6
    right = max(256.0, *(x for x, _ in points.values())) * 1.6
    lowest = min(y for _, y in points.values()) / 2e9
    low, high = 10 ** np.floor(np.log10(lowest)), 10 ** np.ceil(np.log10(rate / 1e9 * 1.2))
    told = ", ".join(f"{name} {y / 1e9:.2g}" for name, (_, y) in points.items())
    with house_style():
        picture, axes = _canvas(
            f"Roofline with {len(points)} points",
            f"Billions of operations a second: at most {rate / 1e9:.2g}; {told}.",
            len(points),
        )
        roof = [left, ridge, right], [bandwidth * left / 1e9, rate / 1e9, rate / 1e9]
        axes.plot(*roof, color=INK, linewidth=2)
        for style, (name, (x, y)) in zip(line_styles(points).values(), points.items(), strict=True):
            mark = {"color": style.colour, "marker": style.marker, "linestyle": "none"}
            axes.plot([x], [y / 1e9], **mark, markersize=8, label=name)
        powers = 10.0 ** np.arange(np.log10(low), np.log10(high) + 1)
        across = [v for v in (0.1, 1.0, 10.0, 100.0, 1000.0) if left <= v <= right]
        label_ticks(
            axes, across, [f"{v:g}" for v in across], list(powers), [f"{p:g}" for p in powers]
        )
        axes.set_xlim(left, right)
        axes.set_ylim(low, high)
        _name(axes, "operations for each byte moved", "billion operations a second")
        _key(axes)
    return picture


def _canvas(headline: str, detail: str, names: int) -> tuple[Picture, Axes]:
    key = _KEY * names
    high = _TOP + key + _HIGH + _BOTTOM
    picture = Picture(NARROW, high, headline, detail)
    axes = axes_at(picture, _LEFT, _BOTTOM, NARROW - _LEFT - _RIGHT, _HIGH)
    axes.tick_params(length=0, pad=5)
    axes.set_xscale("log")
    axes.set_yscale("log")
    return picture, axes


def label_ticks(
    axes: Axes,
    x: Sequence[int | float],
    x_labels: Sequence[str],
    y: Sequence[int | float],
    y_labels: Sequence[str],
) -> None:
    """Ticks at these values alone, with these labels."""
    for axis, values, labels in ((axes.xaxis, x, x_labels), (axes.yaxis, y, y_labels)):
        axis.set_major_locator(FixedLocator(values))
        axis.set_minor_locator(NullLocator())
        axis.set_ticks(values, labels)


def _name(axes: Axes, x_name: str, y_name: str) -> None:
    axes.set_xlabel(x_name, labelpad=6, parse_math=False)
    axes.set_ylabel(y_name, rotation=0, ha="left", va="bottom", parse_math=False)
    axes.yaxis.set_label_coords(-0.14, 1.04)


def _key(axes: Axes) -> None:
    """The names above the axes: no place inside is free on every machine."""
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.16, 1.13),
        frameon=False,
        fontsize=_SMALL,
        labelspacing=0.25,
        borderaxespad=0,
        handlelength=2.6,
    )
