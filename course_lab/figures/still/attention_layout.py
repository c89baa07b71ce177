"""Room for the labels of an attention map: square cells, no label cut off, none on another."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from course_lab.figures.style import MAX_WIDTH
from course_lab.figures.text import BOLD, width_of

POINTS = 72.0
MAX_HEIGHT = 9.0
LARGEST_CELL, SMALLEST_CELL = 0.54, 0.06
LARGEST_FONT, SMALLEST_FONT = 12.0, 4.0
NUMBER_NEEDS = 20.0
"""Points of cell width below which no number is printed."""


class Layout(NamedTuple):
    """Where things go, in inches; the font size is in points, the angle in degrees.

    Attributes:
        width: of the figure.
        height: of the figure.
        left: from the figure's left edge to the map.
        bottom: from its lower edge to the map.
        columns: number of source tokens.
        rows: number of target tokens.
        cell: side of a cell.
        font: size of the tokens.
        angle: of the source tokens: 0, 45 or 90.
        title: height set aside for a title.
        title_font: size of the title, smaller if the page is too narrow for it.
        edge: free strip along the figure's edges.
        numbers: whether weights are printed into the cells.
    """

    width: float
    height: float
    left: float
    bottom: float
    columns: int
    rows: int
    cell: float
    font: float
    angle: int
    title: float
    title_font: float
    edge: float
    numbers: bool

    @property
    def cell_points(self) -> float:
        """Side of a cell in points."""
        return self.cell * POINTS

    def map_box(self) -> tuple[float, float, float, float]:
        """Left, bottom, width and height of the map as shares of the figure."""
        return (
            self.left / self.width,
            self.bottom / self.height,
            self.columns * self.cell / self.width,
            self.rows * self.cell / self.height,
        )

    def scale_box(self) -> tuple[float, float, float, float]:
        """The same for the scale to the right of the map."""
        x, y, width, height = self.map_box()
        tall = min(height, 1.6 / self.height)
        return x + width + 0.16 / self.width, y + height - tall, 0.12 / self.width, tall


def arrange(
    across: Sequence[str],
    down: Sequence[str],
    *,
    title: str,
    note: bool,
    names: tuple[str, str] = ("", ""),
    room: float = MAX_WIDTH,
) -> Layout:
    """Chooses the largest cells and labels that fit the page.

    Args:
        across: printable source tokens.
        down: printable target tokens.
        title: a line above the map; empty for none.
        note: whether there is a line under the map.
        names: of the axes, the horizontal one first; both find room on the page.
        room: how wide it may be, in inches.
    """
    edge = 0.08
    room_for_title, room_for_note = 0.32 * bool(title), 0.26 * note
    title_width = BOLD * width_of(title, LARGEST_FONT) / POINTS
    title_font = LARGEST_FONT * min(1.0, (room - 2 * edge) / max(title_width, 1e-9))
    cell, font = LARGEST_CELL, LARGEST_FONT
    # The labels' size follows from the cells', the room for cells from the labels': a few rounds
    # settle it, for the fonts only shrink.
    for _ in range(6):
        angle = _angle(across, font, cell)
        left = edge + 0.26 + _longest(down, font) / POINTS + 0.07
        top = edge + room_for_title + 0.26 + _label_height(across, font, angle)
        numbers = cell * POINTS >= NUMBER_NEEDS
        right = edge + max(_overhang(across, font, angle, cell), 0.0 if numbers else 0.62, 0.04)
        bottom = edge + room_for_note
        cell = min(
            cell,
            (room - left - right) / len(across),
            (MAX_HEIGHT - top - bottom) / len(down),
        )
        cell = max(cell, SMALLEST_CELL)
        font = min(font, max(SMALLEST_FONT, 0.78 * cell * POINTS))
    name_width, name_height = (width_of(name, LARGEST_FONT) / POINTS + 2 * edge for name in names)
    # A name may be longer than its side of the map; the one at the side then reaches below it.
    bottom += max(0.0, name_height - (bottom + len(down) * cell + top))
    wide = max(name_width, min(room, title_width + 2 * edge))
    return Layout(
        width=max(left + len(across) * cell + right, wide),
        height=bottom + len(down) * cell + top,
        left=left,
        bottom=bottom,
        columns=len(across),
        rows=len(down),
        cell=cell,
        font=font,
        angle=angle,
        title=room_for_title,
        title_font=title_font,
        edge=edge,
        numbers=numbers,
    )


def _longest(tokens: Sequence[str], font: float) -> float:
    return max(width_of(token, font) for token in tokens)


def _angle(across: Sequence[str], font: float, cell: float) -> int:
    if _longest(across, font) <= cell * POINTS - 5:
        return 0
    # Slanted lines of text lie cell · sin 45° apart.
    return 45 if cell * POINTS * math.sin(math.radians(45)) >= 1.15 * font else 90


def _label_height(across: Sequence[str], font: float, angle: int) -> float:
    slant = math.radians(angle)
    height = _longest(across, font) * math.sin(slant) + 1.2 * font * math.cos(slant)
    return (height + 5) / POINTS


def _overhang(across: Sequence[str], font: float, angle: int, cell: float) -> float:
    """How far slanted labels stick out to the right of the map, in inches."""
    if angle != 45:
        return 0.0
    reach = [
        (i + 0.5 - len(across)) * cell + width_of(token, font) * math.cos(math.pi / 4) / POINTS
        for i, token in enumerate(across)
    ]
    return max(0.0, *reach) + 0.08
