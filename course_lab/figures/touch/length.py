"""Quality against sentence length, one setting at a time, with its seeds as a band."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_lab.figures.touch.core import Interactive, counted, plain, row, sheet

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

    Args:
        bins: shortest and longest length of each bin in words, both included, rising.
        curves: for each setting (a label) shares in 0..1, shape (seeds, bins), or (bins,) for a
            single run. NaN is an empty bin and leaves a gap.
        choose: what the labels are, such as "width of the vector".
        y_name: what the vertical axis shows, with its unit.
    """
    labels = [str(low) if low == high else f"{low}–{high}" for low, high in bins]
    runs = {
        name: np.atleast_2d(np.asarray(rows, dtype=np.float64)) for name, rows in curves.items()
    }
    middles = {name: _over_seeds(np.nanmean, rows) for name, rows in runs.items()}
    body = []
    for name, rows in runs.items():
        lines = [("run", rows[0])]
        if len(rows) > 1:
            lines = [*((f"seed {i}", line) for i, line in enumerate(rows, 1))]
            lines.append(("mean", middles[name]))
        body += [row([name, which], plain(map(_rate, values))) for which, values in lines]
    columns = [choose, "run", *labels]
    return Interactive(
        "length",
        f"Line figure to choose from, {y_name} against source length, "
        f"{counted(len(runs), 'curve')}, {counted(len(labels), 'bin')}",
        tables=[sheet(f"{y_name} by source length (words)", columns, body, corners=0)],
        parts=["chart"],
        data={
            "bins": labels,
            "centres": [(low + high) / 2 for low, high in bins],
            "choose": choose,
            "yName": y_name,
            "colour": _COLOUR,
            "curves": [
                {
                    "name": name,
                    "words": f"{choose} {name}: {_words(rows, middles[name], labels)}",
                    "middle": _packed(middles[name]),
                    "low": _packed(_over_seeds(np.nanmin, rows)),
                    "high": _packed(_over_seeds(np.nanmax, rows)),
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


def _packed(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), 4) for value in values]


def _rate(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"


def _words(rows: np.ndarray, middle: np.ndarray, labels: Sequence[str]) -> str:
    known = np.flatnonzero(~np.isnan(middle))
    if not len(known):
        return "no number."
    ends = ", ".join(
        f"{_rate(middle[i])} at {labels[i]} words" for i in dict.fromkeys(known[[0, -1]].tolist())
    )
    if len(rows) == 1:
        return f"{ends}; one run."
    span = _over_seeds(np.nanmax, rows) - _over_seeds(np.nanmin, rows)
    return f"{ends}; mean of {len(rows)} seeds, at most {np.nanmax(span):.2f} apart."
