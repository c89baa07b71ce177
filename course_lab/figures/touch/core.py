"""Figures to touch: HTML with a table inside, and a little script of our own that wakes it.

The same output works in Jupyter, in the finished book and with no network. Where scripts are
removed, or on paper, the table stays, and it holds every number. The script and the style are
plain files beside the modules; each figure carries a copy, so that a notebook is whole by itself.
"""

import base64
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

_ASLEEP = (
    '<p class="cl-note cl-asleep">To touch this figure, run its cell; on a page, switch JavaScript '
    "on. Its numbers:</p>"
)
"""Its script takes it away. JupyterLab runs no script of a notebook that came from elsewhere."""

SHARED = ("core", "maths", "controls", "address")
"""The scripts, and their styles, of every figure."""

_made: Counter[str] = Counter()


class Interactive:
    """A figure that a reader may touch: the last value of a notebook cell, or given to `display`.

    Args:
        kind: names the style and script of the figure, such as "chain".
        headline: what kind of figure it is and how large its data; it holds no measured number.
        tables: HTML of the tables, one element each; what remains without a script.
        data: what the script needs, ready for JSON (no NaN, no infinity).
        parts: further scripts and styles that this kind builds on.
    """

    def __init__(
        self,
        kind: str,
        headline: str,
        *,
        tables: Sequence[str],
        data: Mapping[str, Any],
        parts: Sequence[str] = (),
    ) -> None:
        self.headline, self.data = headline, data
        # A notebook that is run from its top gives the same ids.
        _made[kind] += 1
        self.id = f"cl-{kind}-{_made[kind]}"
        self._kind, self._tables, self._parts = kind, tables, parts

    def __repr__(self) -> str:
        return f"<Figure to touch: {self.headline}>"

    def _repr_html_(self) -> str:
        kind, parts = self._kind, [*SHARED, *self._parts, self._kind]
        style = "\n".join(filter(None, (_style(part, kind) for part in parts)))
        script = "\n".join(web_file(f"{part}.js") for part in parts)
        told = json.dumps(
            self.data, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False
        )
        # `<` is written as an escape so that no token can close the script element.
        told = told.replace("<", "\\u003c")
        call = f'startFigure("{self.id}",{kind}Figure,{told});'
        classes = ["cl-fig", f"cl-{kind}", *(f"cl-with-{part}" for part in self._parts)]
        # The last two class names keep MathJax from taking a dollar sign among words for a formula.
        return (
            f'<div class="{" ".join(classes)} mathjax_ignore tex2jax_ignore" id="{self.id}" '
            f'role="group" aria-label="{escape(self.headline)}">'
            f"<style>{style}</style>"
            f'<div class="cl-numbers">{_ASLEEP}{"".join(self._tables)}</div>'
            f'<script>(function(){{"use strict";\n{script}\n{call}\n}})();</script></div>'
        )


def _style(part: str, kind: str) -> str:
    """A style under the selector that lets a part win over the core, and a kind over parts."""
    style = web_file(f"{part}.css")
    if part in SHARED or not style:
        return style
    root = f".cl-fig.cl-{kind}" if part == kind else f".cl-with-{part}"
    return f".cl-fig.cl-fig{root}{{\n{style}\n}}"


@cache
def web_file(name: str) -> str:
    """A script or style of the package; "" if there is none."""
    path = files("course_lab.figures.touch").joinpath(name)
    return path.read_text(encoding="utf-8").rstrip() if path.is_file() else ""


def stored(net: bytes, name: str = "") -> str:
    """The weights of a network, not run by the browser, only read; in the book a file of its own.

    Args:
        net: a safetensors file.
        name: of that file, where a page has several.
    """
    named = f' data-name="{name}"' if name else ""
    held = base64.b64encode(net).decode()
    return f'<script type="application/octet-stream" class="cl-net"{named}>{held}</script>'


def vocabulary(words: Sequence[str]) -> str:
    """What a network can read, for a reader who types."""
    known = sum(map(str.isalpha, words))
    told = " ".join(sorted(words, key=str.lower))
    return f"It knows {known} words and {len(words) - known} marks: {told}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 model", "2 models"."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def rounded(numbers: Iterable[float], digits: int = 3) -> list[float]:
    """Plain numbers of so many digits, ready for JSON."""
    return [round(float(number), digits) for number in numbers]


def number(weight: float) -> str:
    """A weight in two digits without the leading zero; nothing for what rounds to zero."""
    text = f"{weight:.2f}"
    return "" if text == "0.00" else "1" if text == "1.00" else text[1:]


def sheet(
    name: str,
    columns: Sequence[object] | None,
    rows: Iterable[str],
    *,
    corners: int = 1,
    after: str = "",
) -> str:
    """A table that scrolls.

    Args:
        name: the caption.
        columns: heading cells; None for a table without a head.
        rows: as `row` makes them.
        corners: empty cells before the heading cells, above the heads of the rows.
        after: HTML behind the table.
    """
    top = "" if columns is None else f"<tr>{'<td></td>' * corners}{heads(columns)}</tr>"
    head = f"<thead>{top}</thead>" if top else ""
    return scrolling(f"{head}<tbody>{''.join(rows)}</tbody>", name, after)


def row(names: Sequence[object], *cells: str) -> str:
    """A row of a table: its heads, and cells as HTML."""
    return f"<tr>{heads(names, 'row')}{''.join(cells)}</tr>"


def plain(texts: Iterable[object]) -> str:
    """Cells with texts, escaped."""
    return "".join(f"<td>{escape(str(text))}</td>" for text in texts)


def weighed(weights: Iterable[float]) -> str:
    """Cells with weights on their shade, as short as they are printed in a map."""
    return "".join(shaded(weight, number(weight)) for weight in weights)


def shared(shares: Iterable[float]) -> str:
    """Cells with probabilities on their shade."""
    return "".join(shaded(share, f"{share:.2f}") for share in shares)


def weight_map(
    name: str, asked: Sequence[str], asks: Sequence[str], weights: Iterable[Iterable[float]]
) -> str:
    """Attention weights as a table that scrolls: a column for each word that is asked."""
    pairs = zip(asks, weights, strict=True)
    return sheet(name, asked, [row([word], weighed(each)) for word, each in pairs])


def scrolling(body: str, name: str, after: str = "") -> str:
    """A table with its caption in a box that scrolls by itself, reached by the keyboard too."""
    box = f'class="cl-scroll" tabindex="0" role="group" aria-label="{escape(name)}"'
    caption = f"<caption><span>{escape(name)}</span></caption>"
    return f"<div {box}><table>{caption}{body}</table>{after}</div>"


def heads(texts: Sequence[object], scope: str = "col") -> str:
    """Heading cells of a table, escaped."""
    return "".join(f'<th scope="{scope}">{escape(str(text))}</th>' for text in texts)


def shaded(weight: float, text: str, *, extra: str = "", marks: str = "") -> str:
    """A table cell with a number on a shade from 0 (the page) to 1 (full).

    Args:
        weight: in 0..1.
        text: the number as it is printed.
        extra: further class names.
        marks: HTML behind the number.
    """
    classes = f"cl-w {extra}".rstrip()
    return f'<td class="{classes}" style="--w:{weight:.2f}">{escape(text)}{marks}</td>'
