"""What the charts and tables of several chapters share; all else is matplotlib in the cell."""

from collections.abc import Collection, Mapping, Sequence
from html import escape
from numbers import Integral

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

STYLE = "course_lab.course"
"""The style sheet `course.mplstyle`, as `plt.style.use` takes it."""


def use_style() -> None:
    """Draw in the style of the course; in a notebook, as SVG whose bytes do not change."""
    plt.style.use(STYLE)
    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # a script needs neither
        return
    if get_ipython() is not None:
        set_matplotlib_formats("svg", bbox_inches=None, metadata={"Date": None, "Creator": None})


def _as_array(values: object) -> np.ndarray:
    """Convert numbers or a tensor, on any device and with or without a gradient, to float64."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().double().numpy()
    return np.asarray(values, dtype=np.float64)


def seeds_band(
    ax: Axes, x: Sequence[float], runs: object, *, middle: str = "mean", **line: object
) -> None:
    """Plot the mean of several runs as a line, and a band from the lowest run to the highest.

    Args:
        ax: the axes to draw on.
        x: N positions.
        runs: (R, N) numbers, a row for each run; NaN leaves a gap.
        middle: "mean" or "median".
        line: passed to `ax.plot`, such as `label`.
    """
    runs = np.atleast_2d(_as_array(runs))
    (drawn,) = ax.plot(x, {"mean": np.mean, "median": np.median}[middle](runs, axis=0), **line)
    low, high = runs.min(axis=0), runs.max(axis=0)
    ax.fill_between(x, low, high, color=drawn.get_color(), alpha=0.2, linewidth=0)


def seeds_dots(
    ax: Axes,
    rows: Mapping[str, Sequence[float]],
    *,
    digits: int | None = None,
    shift: float = 0.0,
    **dots: object,
) -> None:
    """Plot a row of dots for each name, one dot for each run, and a stroke at their mean.

    Args:
        ax: the axes to draw on; the first row is on top.
        rows: the runs of each name.
        digits: digits after the point of the mean, written after the last dot; None leaves it out.
        shift: how far to move the dots down, in rows, beside the dots of an earlier call.
        dots: passed to `ax.plot`, such as `color`, `label` or `fillstyle="none"`.
    """
    dots = {"color": "C0", "alpha": 0.7, **dots}
    for i, values in enumerate(map(_as_array, rows.values())):
        y, mean = i + shift, values.mean()
        ax.plot(values, np.full(len(values), y), "o", **dots)
        ax.plot([mean, mean], [y - 0.25, y + 0.25], "-", color=dots["color"])
        if digits is not None:
            after = {"xytext": (8, 0), "textcoords": "offset points", "va": "center"}
            # A zero has no minus sign.
            ax.annotate(f"{round(mean, digits) + 0:.{digits}f}", (values.max(), y), **after)
        dots.pop("label", None)
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.grid(visible=False, axis="y")


def attention_map(
    weights: object,
    source: Sequence[str],
    target: Sequence[str],
    *,
    links: Collection[tuple[int, int]] = (),
    source_name: str = "source",
    target_name: str = "target",
    title: str = "",
    ax: Axes | None = None,
) -> None:
    """Draw attention weights as shades from 0 to 1, with their tokens; numbers if they have room.

    Args:
        weights: (T, S) numbers in 0..1, a row for each target token.
        source: S tokens, across.
        target: T tokens, down.
        links: pairs (source position, target position) to frame.
        source_name: name of the horizontal axis.
        target_name: name of the vertical axis.
        title: written above the map.
        ax: the axes to draw on; by default a new figure.

    Raises:
        ValueError: the shape of `weights` is not (T, S).
    """
    weights = _as_array(weights)
    if weights.shape != (len(target), len(source)):
        raise ValueError(f"want weights ({len(target)}, {len(source)}); got {weights.shape}")
    if ax is None:
        longest = 0.1 * max(map(len, [*source, "source"]))  # inches of the turned words
        _, ax = plt.subplots(figsize=(4.6, 0.9 + longest + 0.3 * len(target)))
    ax.imshow(weights, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    ax.set_xticks(range(len(source)), source, rotation=90)
    ax.set_yticks(range(len(target)), target)
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.set(xlabel=source_name, ylabel=target_name, title=title)
    ax.grid(visible=False)
    ax.tick_params(length=0)
    if len(source) <= 10:
        for (t, s), weight in np.ndenumerate(weights):
            if weight >= 0.05:
                ink = "white" if weight > 0.55 else "black"
                ax.text(s, t, f"{weight:.1f}", ha="center", va="center", color=ink, fontsize=9)
    for s, t in links:
        frame = {"fill": False, "edgecolor": "C1", "linewidth": 2}
        ax.add_patch(Rectangle((s - 0.5, t - 0.5), 1, 1, **frame))


Value = float | str | None
"""What a cell of a table holds; None is what was not measured."""


class Table:
    """A table of numbers, shown as HTML on a page and as columns where there is only text.

    Args:
        caption: what was measured.
        columns: a header for the names of the rows, and one for each of their values.
        rows: the values of each row, by its name.
        digits: digits after the point of numbers that are no integers; one for all columns, or
            one for each.
    """

    def __init__(
        self,
        caption: str,
        columns: Sequence[str],
        rows: Mapping[str, Sequence[Value]],
        *,
        digits: int | Sequence[int] = 2,
    ) -> None:
        digits = [digits] * (len(columns) - 1) if isinstance(digits, int) else digits
        self.caption, self.columns = caption, list(columns)
        self.rows = [
            [str(name), *(_written(v, d) for v, d in zip(values, digits, strict=True))]
            for name, values in rows.items()
        ]

    def __repr__(self) -> str:
        lines = [self.columns, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        body = (
            "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])])
            for line in lines
        )
        return "\n".join([self.caption, *body])

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in self.columns)
        body = "".join(
            f'<tr><th scope="row">{escape(name)}</th>'
            + "".join(f"<td>{escape(value)}</td>" for value in values)
            + "</tr>"
            for name, *values in self.rows
        )
        return (
            f'<div class="cl-table-box"><table class="table"><caption>{escape(self.caption)}'
            f"</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )


def _written(value: Value, digits: int) -> str:
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, Integral) else f"{value:,.{digits}f}"


def by_rate(caption: str, tried: Mapping[str, Mapping[float, float]], *, digits: int = 2) -> Table:
    """Make a table of what each model reached with each learning rate.

    Args:
        caption: what was measured, and on what.
        tried: a number by learning rate, by model.
        digits: digits after the point.
    """
    rates = sorted({rate for row in tried.values() for rate in row})
    rows = {name: [row.get(rate) for rate in rates] for name, row in tried.items()}
    return Table(caption, ["model", *(f"{rate:g}" for rate in rates)], rows, digits=digits)


class Glossed:
    """Sentences below each other, with the meaning under each German word.

    Args:
        lines: the words of each sentence, by its name.
        gloss: what a German word means.
        wrong: positions of the words to underline, by the name of the line.
    """

    def __init__(
        self,
        lines: Mapping[str, Sequence[str]],
        gloss: Mapping[str, str],
        wrong: Mapping[str, Collection[int]] | None = None,
    ) -> None:
        self.lines, self.gloss, self.wrong = dict(lines), gloss, wrong or {}

    def __repr__(self) -> str:
        width = max(map(len, self.lines))
        return "\n".join(f"{n.ljust(width)}  {' '.join(words)}" for n, words in self.lines.items())

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row">{escape(name)}</th><td>'
            + " ".join(self._word(w, i in self.wrong.get(name, ())) for i, w in enumerate(words))
            + "</td></tr>"
            for name, words in self.lines.items()
        )
        table = f'<table class="table cl-glossed">{rows}</table>'
        return f'<div class="cl-table-box">{table}</div>'

    def _word(self, word: str, wrong: bool) -> str:
        shown = f'<u class="cl-marked">{escape(word)}</u>' if wrong else escape(word)
        if word not in self.gloss:
            return shown
        sense = f'<rp>(</rp><rt lang="en">{escape(self.gloss[word])}</rt><rp>)</rp>'
        style = "ruby-position:under;margin-inline:0.15em"
        return f'<ruby lang="de" style="{style}">{shown}{sense}</ruby>'
