"""What a drawing is put together from. Each part says where it stands and what role it plays.

Lengths are in units of which a drawing is 360 wide or less: on a phone a unit is then about a
pixel. A role is one of `palette.ROLES`, or "ink" or "muted"; it gives the colour.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

WORD, SYMBOL, INDEX = 13.0, 15.0, 11.5
"""Sizes of letters: in a word, in a formula, below the line."""
CELL = 14.0
_LETTERS = re.compile(r"([^_]+)(?:_(?:\{([^}]*)\}|(.)))?")

Number = float | int
Point = tuple[Number, Number]


@dataclass(frozen=True)
class Label:
    """Words, or a symbol between dollars such as `$s_{i-1}$`; the point is on the base line."""

    text: str
    x: Number
    y: Number
    role: str = "ink"
    anchor: str = "middle"

    def svg(self) -> str:
        """As an element."""
        return (
            f'<text class="{self.role}" x="{_n(self.x)}" y="{_n(self.y)}" '
            f'text-anchor="{self.anchor}">{_lettered(self.text)}</text>'
        )


@dataclass(frozen=True)
class Cells:
    """A vector: a row of cells around a point, or a column."""

    x: Number
    y: Number
    role: str
    count: int = 3
    upright: bool = False

    @property
    def half(self) -> Point:
        """From the middle to the right edge, and to the lower one."""
        long, short = self.count * CELL / 2, CELL / 2
        return (short, long) if self.upright else (long, short)

    def svg(self) -> str:
        """As an element."""
        wide, high = self.half
        left, top = self.x - wide, self.y - high
        lines = (
            f"M{_n(left)} {_n(top + i * CELL)}h{_n(CELL)}"
            if self.upright
            else f"M{_n(left + i * CELL)} {_n(top)}v{_n(CELL)}"
            for i in range(1, self.count)
        )
        return (
            f'<g class="{self.role}"><rect x="{_n(left)}" y="{_n(top)}" width="{_n(2 * wide)}" '
            f'height="{_n(2 * high)}" rx="2"/><path d="{"".join(lines)}"/></g>'
        )


@dataclass(frozen=True)
class Box:
    """A layer, with its name in it; the point is its middle."""

    text: str
    x: Number
    y: Number
    wide: Number
    role: str = "ink"
    high: Number = 28.0

    def svg(self) -> str:
        """As an element."""
        left, top = self.x - self.wide / 2, self.y - self.high / 2
        return (
            f'<g class="{self.role}"><rect x="{_n(left)}" y="{_n(top)}" width="{_n(self.wide)}" '
            f'height="{_n(self.high)}" rx="6"/></g>'
            + Label(self.text, self.x, self.y + 0.35 * WORD, self.role).svg()
        )


@dataclass(frozen=True)
class Gate:
    """Where two things are put together, number by number: a sign in a circle."""

    sign: str
    x: Number
    y: Number
    role: str = "ink"
    radius: Number = 11.0

    def svg(self) -> str:
        """As an element."""
        return (
            f'<g class="{self.role}"><circle cx="{_n(self.x)}" cy="{_n(self.y)}" '
            f'r="{_n(self.radius)}"/></g>'
            + Label(self.sign, self.x, self.y + 0.35 * WORD, self.role).svg()
        )


@dataclass(frozen=True)
class Arrow:
    """A way through some points; `wide` may say how much passes. Dashes: in one variant only."""

    points: Sequence[Point]
    role: str = "ink"
    wide: Number = 1.6
    dashed: bool = False
    head: bool = True

    def svg(self) -> str:
        """As elements: a line that ends where the head begins, and the head."""
        *_, (x0, y0), (x, y) = self.points
        far = math.hypot(x - x0, y - y0)
        dx, dy = (x - x0) / far, (y - y0) / far
        long, half = 6.5 + self.wide, 2.6 + 0.9 * self.wide
        back = (x - long * dx, y - long * dy)
        ways = [*self.points[:-1], back if self.head else (x, y)]
        dashes = ' stroke-dasharray="5 4"' if self.dashed else ""
        line = "M" + "L".join(f"{_n(px)} {_n(py)}" for px, py in ways)
        drawn = f'<path d="{line}" stroke-width="{_n(self.wide)}"{dashes}/>'
        if self.head:
            sides = [(back[0] - s * half * dy, back[1] + s * half * dx) for s in (1, -1)]
            corners = " ".join(f"{_n(px)},{_n(py)}" for px, py in [(x, y), *sides])
            drawn += f'<polygon points="{corners}"/>'
        return f'<g class="{self.role} way">{drawn}</g>'


@dataclass(frozen=True)
class Group:
    """A frame around what belongs together, with its name on the upper edge."""

    text: str
    left: Number
    top: Number
    wide: Number
    high: Number

    def svg(self) -> str:
        """As elements."""
        return (
            f'<g class="muted group"><rect x="{_n(self.left)}" y="{_n(self.top)}" '
            f'width="{_n(self.wide)}" height="{_n(self.high)}" rx="8"/></g>'
            + Label(self.text, self.left + 10, self.top + 17, "muted", "start").svg()
        )


Part = Label | Cells | Box | Gate | Arrow | Group


def plane(left: Number, floor: Number, unit: Number) -> Callable[[Sequence[Number]], Point]:
    """Where a point of a plane stands whose origin is here and whose 1 is so long."""
    return lambda point: (left + unit * point[0], floor - unit * point[1])


def words_at(words: Sequence[str], xs: Sequence[Number], y: Number, role: str) -> list[Label]:
    """Words on one line, each at its place."""
    return [Label(word, x, y, role) for word, x in zip(words, xs, strict=True)]


def chain(parts: Sequence[Cells], role: str) -> list[Arrow]:
    """Arrows from each vector of a row to the next."""
    return [
        Arrow([(one.x + one.half[0], one.y), (other.x - other.half[0], other.y)], role)
        for one, other in pairwise(parts)
    ]


def table(x: Number, y: Number, role: str, width: int, rows: int) -> list[Cells]:
    """Vectors one under the other, a row for each word; the point is the middle."""
    top = y - (rows - 1) * CELL / 2
    return [Cells(x, top + row * CELL, role, width) for row in range(rows)]


def said(text: str) -> str:
    """The text of a label, as it is read out."""
    return re.sub(r"[${}]", "", text)


def _lettered(text: str) -> str:
    """Words upright; between dollars letters slanted, and what follows `_` small and low."""
    drawn = []
    for place, piece in enumerate(text.split("$")):
        if not piece:
            continue
        drawn.append(_symbol(piece) if place % 2 else escape(piece))
    return "".join(drawn)


def _symbol(formula: str) -> str:
    drawn = ""
    for letters, braced, single in _LETTERS.findall(formula):
        drawn += f'<tspan class="sy">{escape(letters)}</tspan>'
        if index := (braced or single).replace("-", "−"):
            # Up again in a piece without width, so that what follows stands on the line.
            kind = "ix nu" if index.isdigit() else "ix"
            drawn += (
                f'<tspan class="{kind}" dy="4">{escape(index)}</tspan><tspan dy="-4">\u200b</tspan>'
            )
    return drawn


def _n(number: Number) -> str:
    return f"{number:.1f}".removesuffix(".0")
