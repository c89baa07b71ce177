"""One look as six rows: annotations, the state that asks, scores, weights, shares, the context."""

from collections.abc import Sequence

import numpy as np

from course_lab.figures.touch.core import Interactive, sheet
from course_lab.figures.touch.plane import attended


def attention_rows(words: Sequence[str], annotations: object, state: object) -> Interactive:
    """Draws one look of a decoder from top to bottom, a word a column, to be stepped through.

    The state asks all annotations. The scores are bars, up from a line for plus and down for
    minus, and so are the weights; below them each annotation, times its weight, is as pale as its
    weight is small, and the sum of what is left is the context. Scores are those of `attended`.
    The picture is a table of Python's making, which the script shows row by row.

    Args:
        words: S names.
        annotations: (S, 2), h_j.
        state: s, two numbers.
    """
    h, s = (np.asarray(each, dtype=np.float64) for each in (annotations, state))
    scores, weights, context = attended(h, s)
    shares = map(_vector, weights[:, None] * h, ["source"] * len(words), weights)
    bars = (f'<span class="cl-bar" style="--w:{w:.2f}"></span>{w:.2f}' for w in weights)
    rows = [
        _row("annotations", "h", [_vector(annotation, "source") for annotation in h]),
        _row("state", "s", [f"{_vector(s, 'state')} asks each of them"], across=len(words)),
        _row("scores", "e", _signed(scores)),
        _row("weights", "α", bars),
        _row("weighted", "αh", shares),
        _row("context", "c", [_vector(context, "context")], across=len(words)),
    ]
    return Interactive(
        "rows",
        f"One look at {len(words)} words, in six rows",
        tables=[sheet("One look, from the annotations to the context", words, rows)],
        data={"words": list(words), "most": int(weights.argmax())},
        parts=["steps"],
    )


def _row(name: str, symbol: str, cells: Sequence[str], *, across: int = 1) -> str:
    span = f' colspan="{across}"' if across > 1 else ""
    tds = "".join(f"<td{span}>{cell}</td>" for cell in cells)
    return f'<tr><th scope="row">{name} <i>{symbol}</i></th>{tds}</tr>'


def _vector(numbers: np.ndarray, role: str, shade: float = 1.0) -> str:
    cells = "".join(f"<span>{_number(number, 2)}</span>" for number in numbers)
    return f'<span class="cl-vector cl-{role}" style="--w:{shade:.2f}">{cells}</span>'


def _signed(scores: np.ndarray) -> list[str]:
    """Bars from one line, the longest of which is 1 long, with room for all in each cell."""
    sizes = scores / (np.abs(scores).max() or 1.0)
    up, down = max(0.0, sizes.max()), max(0.0, -sizes.min())
    cells = []
    for score, size in zip(scores, sizes.tolist(), strict=True):
        way = "cl-minus" if size < 0 else "cl-plus"
        cells.append(
            f'<span class="cl-signed" style="--up:{up:.2f};--down:{down:.2f}">'
            f'<span class="{way}" style="--w:{abs(size):.2f}"></span></span>'
            f"<b>{_number(score, 1)}</b>"
        )
    return cells


def _number(number: float, digits: int) -> str:
    """With a minus sign, and no zeros behind a whole number."""
    text = f"{number:.{digits}f}" if number % 1 or digits == 1 else f"{number:.0f}"
    return text.replace("-", "−")
