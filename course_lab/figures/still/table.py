"""A table that a cell shows: a caption, units, the best in bold, read aloud with its headers.

A page and Jupyter show it as HTML. As text it is columns, so that nbval compares its numbers with
the tolerance of the cell. Numbers are rounded here, once, for both.
"""

from collections.abc import Mapping, Sequence
from html import escape
from numbers import Integral
from typing import NamedTuple, SupportsFloat

from course_lab.figures.language import marked

_HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"
_NOTHING = "–"

Value = SupportsFloat | str | None
"""What a cell may hold; None is what was not measured."""


class Column(NamedTuple):
    """What stands below one header.

    Attributes:
        name: the header.
        unit: what the numbers count, such as "share of sentences"; "" where there is none.
        digits: behind the point, of numbers that are no integers.
        best: "highest" or "lowest" where one value is the best, "" where none is.
        margin: how far behind the best a value may be and still be marked. Of numbers from
            training, at least what they move by, or the mark will move from run to run.
    """

    name: str
    unit: str = ""
    digits: int = 2
    best: str = ""
    margin: float = 0.0


class Table:
    """Rows by name below columns.

    Args:
        caption: its one message.
        corner: what the rows are, such as "model".
        columns: a header for each value of a row.
        rows: the values of each row, by its name.

    Raises:
        ValueError: no caption or no row, a row of another length, `best` is no such word, a
            column that has a best value holds a text, or a share is none, but below 0 or over 1.
    """

    def __init__(
        self,
        caption: str,
        corner: str,
        columns: Sequence[Column],
        rows: Mapping[str, Sequence[Value]],
    ) -> None:
        if not caption.strip() or not rows:
            raise ValueError("a table needs a caption and a row")
        for name, values in rows.items():
            if len(values) != len(columns):
                raise ValueError(f"{name!r} has {len(values)} values for {len(columns)} columns")
        self.caption, self.corner, self.columns = caption, corner, tuple(columns)
        self.rows = {name: tuple(values) for name, values in rows.items()}
        for i, column in enumerate(self.columns):
            _check_shares(column, {name: values[i] for name, values in self.rows.items()})
        self._best = [
            _marked(column, [values[i] for values in self.rows.values()])
            for i, column in enumerate(self.columns)
        ]

    def __repr__(self) -> str:
        """Columns of text; the best of a column bears a star."""
        head = [self.corner, *(_with_unit(column) for column in self.columns)]
        lines = [head]
        for place, (name, values) in enumerate(self.rows.items()):
            shown = [
                _text(value, column) + ("*" if place in best else "")
                for value, column, best in zip(values, self.columns, self._best, strict=True)
            ]
            lines.append([name, *shown])
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        body = [
            "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])])
            for line in lines
        ]
        legend = ["* best"] if any(self._best) else []
        return "\n".join([self.caption, *body, *legend])

    def _repr_html_(self) -> str:
        heads = "".join(f'<th scope="col">{_head(column)}</th>' for column in self.columns)
        rows = "".join(self._row(place, name) for place, name in enumerate(self.rows))
        return marked(
            '<div class="cl-table-box"><table class="table">'
            f"<caption>{escape(self.caption)}</caption>"
            f'<thead><tr><th scope="col">{escape(self.corner)}</th>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>"
        )

    def _row(self, place: int, name: str) -> str:
        cells = []
        for value, column, best in zip(self.rows[name], self.columns, self._best, strict=True):
            shown = escape(_text(value, column))
            if value is None:
                shown = f'<span aria-hidden="true">{shown}</span>{_said("not measured")}'
            if place in best:
                shown = f"<strong>{shown}</strong>{_said(', best')}"
            cells.append(f"<td>{shown}</td>")
        return f'<tr><th scope="row">{escape(name)}</th>{"".join(cells)}</tr>'


def _check_shares(column: Column, values: Mapping[str, Value]) -> None:
    """What is called a share is one: a sum that was divided by too little is seen here."""
    if not column.unit.startswith("share"):
        return
    numbers = {n: float(v) for n, v in values.items() if not isinstance(v, str | None)}
    for name, number in numbers.items():
        if number < -1e-9 or number > 1 + 1e-9:  # NaN is neither
            raise ValueError(f"{column.name!r} of {name!r} is {number:g}, and a share lies in 0..1")


def _marked(column: Column, values: Sequence[Value]) -> frozenset[int]:
    """Which rows hold the best value of a column, as it is printed."""
    if column.best not in ("", "highest", "lowest"):
        raise ValueError(f"best is 'highest' or 'lowest', not {column.best!r}")
    if not column.best:
        return frozenset()
    if any(isinstance(value, str) for value in values):
        raise ValueError(f"{column.name!r} holds a text, and no text is the best")
    sign = 1 if column.best == "highest" else -1
    # What looks the same is as good; NaN is equal to nothing and never the best.
    seen = {i: sign * round(v, column.digits) for i, v in enumerate(values) if v is not None}
    seen = {i: value for i, value in seen.items() if value == value}
    top = max(seen.values(), default=0)
    return frozenset(i for i, value in seen.items() if top - value <= column.margin + 1e-12)


def _text(value: Value, column: Column) -> str:
    if value is None:
        return _NOTHING
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, Integral) else f"{value:,.{column.digits}f}"


def _with_unit(column: Column) -> str:
    return f"{column.name} ({column.unit})" if column.unit else column.name


def _head(column: Column) -> str:
    unit = f"<br><small>{escape(column.unit)}</small>" if column.unit else ""
    return escape(column.name) + unit


def _said(words: str) -> str:
    """Words for those who listen, beside what others see."""
    return f'<span style="{_HIDDEN}">{words}</span>'
