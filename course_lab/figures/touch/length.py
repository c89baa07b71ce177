"""Quality against sentence length, one setting at a time, with its seeds as a band."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_lab.figures.touch.core import Interactive, row, sheet
from course_lab.figures.touch.text import counted

_COLOUR = "var(--course-model-cho, light-dark(#b48109, #f0a23f))"
"""The page's own colour of the model, and one for where a page has none, as in Jupyter."""


def length_explorer(
    bins: Sequence[tuple[int, int]],
    curves: Mapping[str, object],
    *,
    choose: str,
    y_name: str,
) -> Interactive:
    """Draws a line over bins of sentence length for the setting of Cho's model that is chosen.

    The line is the mean of the seeds, the band spans the lowest to the highest. The other settings
    stay faintly behind. The table holds every run.

        length_explorer(
            [(3, 9), (10, 19), (20, 30)],
            {"64": [[0.9, 0.2, 0.0], [0.8, 0.3, 0.1]], "256": [[1.0, 0.7, 0.2], [0.9, 0.6, 0.3]]},
            choose="width of the vector",
            y_name="exact match (share of sentences)",
        )

    Args:
        bins: shortest and longest length of each bin in words, both included, rising.
        curves: for each setting (a label) shares in 0..1, shape (seeds, bins), or (bins,) for a
            single run. NaN is an empty bin and leaves a gap.
        choose: what the labels are, such as "width of the vector".
        y_name: what the vertical axis shows, with its unit.
    """
    centres = [(low + high) / 2 for low, high in bins]
    labels = [str(low) if low == high else f"{low}–{high}" for low, high in bins]
    runs = {
        name: np.atleast_2d(np.asarray(rows, dtype=np.float64)) for name, rows in curves.items()
    }
    middles = {name: _over_seeds(np.nanmean, rows) for name, rows in runs.items()}
    words = {name: _words(name, runs[name], middles[name], labels, choose) for name in runs}
    headline = (
        f"Line figure to choose from, {y_name} against source length, "
        f"{counted(len(runs), 'curve')}, {counted(len(labels), 'bin')}"
    )
    return Interactive(
        "length",
        headline,
        " ".join(words.values()),
        tables=[_table(labels, runs, middles, choose, y_name)],
        parts=["chart"],
        data={
            "bins": labels,
            "centres": centres,
            "choose": choose,
            "yName": y_name,
            "colour": _COLOUR,
            "curves": [
                {
                    "name": name,
                    "words": words[name],
                    "middle": _plain(middles[name]),
                    "low": _plain(_over_seeds(np.nanmin, rows)),
                    "high": _plain(_over_seeds(np.nanmax, rows)),
                    "seeds": len(rows),
                }
                for name, rows in runs.items()
            ],
        },
    )


def _over_seeds(summary, rows: np.ndarray) -> np.ndarray:
    """Mean, lowest or highest over the seeds that have a number; NaN where none has."""
    known = ~np.isnan(rows).all(0)
    result = np.full(rows.shape[1], np.nan)
    result[known] = summary(rows[:, known], axis=0)
    return result


def _plain(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), 4) for value in values]


def _rate(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"


def _words(
    name: str, rows: np.ndarray, middle: np.ndarray, labels: Sequence[str], choose: str
) -> str:
    known = np.flatnonzero(~np.isnan(middle))
    if not len(known):
        return f"{choose} {name}: no number."
    first, last = known[0], known[-1]
    ends = f"{_rate(middle[first])} at {labels[first]} words"
    if last != first:
        ends += f", {_rate(middle[last])} at {labels[last]} words"
    if len(rows) == 1:
        return f"{choose} {name}: {ends}; one run."
    span = _over_seeds(np.nanmax, rows) - _over_seeds(np.nanmin, rows)
    apart = f"{np.nanmax(span):.2f}"
    return f"{choose} {name}: {ends}; mean of {len(rows)} seeds, at most {apart} apart."


def _table(
    labels: Sequence[str],
    runs: Mapping[str, np.ndarray],
    middles: Mapping[str, np.ndarray],
    choose: str,
    y_name: str,
) -> str:
    body = []
    for name, rows in runs.items():
        lines = [(f"seed {i + 1}" if len(rows) > 1 else "run", row) for i, row in enumerate(rows)]
        if len(rows) > 1:
            lines.append(("mean", middles[name]))
        body += [
            row([name, which], *(f"<td>{_rate(value)}</td>" for value in values))
            for which, values in lines
        ]
    return sheet(f"{y_name} by source length (words)", [choose, "run", *labels], body, corners=0)
