"""Who looks at whom: attention weights as a map, source across and target down."""

from collections.abc import Collection, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_lab.figures.palette import DARK_TURNS, LIGHT_TURNS, ON_BETWEEN, ON_EMPTY, ON_FULL
from course_lab.figures.still.attention_layout import LARGEST_FONT, POINTS, Layout, arrange
from course_lab.figures.style import (
    CARD,
    FRAME,
    MAX_WIDTH,
    MUTED,
    WEIGHTS,
    Picture,
    as_array,
    house_style,
)
from course_lab.figures.text import (
    counted,
    most_looked_at,
    number,
    phrase,
    printable,
    require_words,
    width_of,
)

DESCRIBED_WORDS = 15
LONGEST_NAME = 400.0
"""Points: a longer name of an axis is cut."""
LONGEST_TITLE = 1000.0
"""The same for a title, at its full size; to fit the page it is printed smaller."""
SCALE_STEPS = 40
FAINT_BELOW = 0.1
"""Smaller weights are printed in grey, so that the eye finds the larger ones."""

Link = tuple[int, int]


def attention_map(
    weights: object,
    source: Sequence[str],
    target: Sequence[str],
    *,
    links: Collection[Link] = (),
    possible: Collection[Link] = (),
    source_name: str = "source",
    target_name: str = "target",
    title: str = "",
    room: float = MAX_WIDTH,
) -> Picture:
    """Draws attention weights on the fixed scale from 0 to 1, so that two maps compare.

    Numbers stand in the cells where they fit, otherwise a scale stands at the side. What rounds to
    zero stays empty.

    Args:
        weights: (T, S) array or tensor in 0..1, one row per target token.
        source: S tokens, across.
        target: T tokens, down.
        links: gold links (source position, target position) to frame.
        possible: further links, framed with dashes; those also in `links` are not framed twice.
        source_name: names the horizontal axis, such as "source (English)".
        target_name: names the vertical axis.
        title: a line above the map.
        room: how wide the picture may be, in inches.

    Raises:
        ValueError: the weights are not T by S, not in 0..1 or not finite, there is nothing to
            draw, or a link points outside the map.
    """
    matrix = _checked(weights, source, target)
    for s, t in (*links, *possible):
        if not (0 <= s < len(source) and 0 <= t < len(target)):
            raise ValueError(f"link ({s}, {t}) is outside a map of {len(source)} by {len(target)}")
    sure = frozenset(links)
    across, down = [printable(token) for token in source], [printable(token) for token in target]
    source_name, target_name = (
        phrase(name, LARGEST_FONT, LONGEST_NAME) for name in (source_name, target_name)
    )
    title = phrase(title, LARGEST_FONT, LONGEST_TITLE)
    with house_style():
        layout = arrange(
            across,
            down,
            title=title,
            note=bool(links or possible),
            names=(source_name, target_name),
            room=room,
        )
        picture = Picture(layout.width, layout.height, *_describe(matrix, source, target))
        axes = picture.add_axes(layout.map_box())
        _draw_cells(axes, matrix, layout)
        _label(axes, across, down, layout)
        _frame(axes, sure, frozenset(possible) - sure)
        _name(picture, layout, source_name, target_name, title)
        if links or possible:
            _explain_frames(picture, layout, bool(links), bool(frozenset(possible) - sure))
        if not layout.numbers:
            _draw_scale(picture, layout)
    return picture


def _checked(weights: object, source: Sequence[str], target: Sequence[str]) -> np.ndarray:
    require_words(source=source, target=target)
    matrix = as_array(weights, "weights")
    if not source or not target:
        raise ValueError("an attention map needs at least one source and one target token")
    if matrix.shape != (len(target), len(source)):
        raise ValueError(
            f"weights must be target by source, {len(target)} by {len(source)}, "
            f"got {' by '.join(map(str, matrix.shape))}"
        )
    # Summed over the pieces of a word, a weight may pass 1 by a rounding error.
    if not ((matrix > -1e-3) & (matrix < 1 + 1e-3)).all():
        raise ValueError(f"weights must lie in 0..1, got {matrix.min():.3g} to {matrix.max():.3g}")
    return matrix.clip(0, 1)


def _describe(matrix: np.ndarray, source: Sequence[str], target: Sequence[str]) -> tuple[str, str]:
    headline = (
        f"Attention map, {counted(len(source), 'source token')} across, "
        f"{counted(len(target), 'target token')} down"
    )
    few = slice(DESCRIBED_WORDS)
    looks = most_looked_at(target[few], source, matrix[few], told=True)
    rest = len(target) - len(looks)
    more = f", and {rest} more" if rest > 0 else ""
    return headline, f"Each target token looks most at: {', '.join(looks)}{more}."


def _draw_cells(axes: Axes, matrix: np.ndarray, layout: Layout) -> None:
    gap = min(1.5, 0.05 * layout.cell_points)
    axes.pcolormesh(matrix, cmap=WEIGHTS, vmin=0, vmax=1, edgecolors=CARD, linewidth=gap)
    axes.invert_yaxis()
    axes.grid(False)
    if not layout.numbers:
        return
    size = min(10.5, 0.4 * layout.cell_points)
    for (t, s), weight in np.ndenumerate(matrix):
        if text := number(float(weight)):
            axes.text(
                s + 0.5,
                t + 0.51,
                text,
                ha="center",
                va="center",
                fontsize=size,
                color=number_colour(float(weight)),
            )


def number_colour(weight: float) -> str:
    """Black or white, whichever stands out more from the cell of this weight; faint if small.

    Between the two turns it is black in the dark scheme too; its shade there says so.
    """
    if weight < FAINT_BELOW:
        return MUTED
    if weight < DARK_TURNS:
        return ON_EMPTY.light
    return ON_BETWEEN if weight < LIGHT_TURNS else ON_FULL.light


def _label(axes: Axes, across: list[str], down: list[str], layout: Layout) -> None:
    axes.tick_params(length=0, pad=3, labelsize=layout.font)
    axes.xaxis.tick_top()
    slanted = layout.angle == 45
    axes.set_xticks(
        np.arange(len(across)) + 0.5,
        across,
        rotation=layout.angle,
        rotation_mode="anchor" if slanted else "default",
        ha="left" if slanted else "center",
        parse_math=False,
    )
    axes.set_yticks(np.arange(len(down)) + 0.5, down, parse_math=False)
    axes.spines[:].set_visible(False)


def _frame(axes: Axes, sure: frozenset[Link], possible: frozenset[Link]) -> None:
    for links, dashes in ((possible, (0, (2.5, 1.5))), (sure, "solid")):
        for s, t in sorted(links):
            # A pale line under the coloured one, so that it shows on dark cells and in grey.
            for colour, width, style in ((CARD, 3.4, "solid"), (FRAME, 1.8, dashes)):
                axes.add_patch(
                    Rectangle(
                        (s + 0.06, t + 0.06),
                        0.88,
                        0.88,
                        fill=False,
                        edgecolor=colour,
                        linewidth=width,
                        linestyle=style,
                        zorder=3,
                    )
                )


def _name(picture: Picture, layout: Layout, source: str, target: str, title: str) -> None:
    x, y, width, height = layout.map_box()
    edge_x, edge_y = layout.edge / layout.width, layout.edge / layout.height
    title_y = layout.title / layout.height
    style = {"color": MUTED, "parse_math": False}
    # Beside the middle of the map, or as near to it as the figure's edges let them.
    half_x = width_of(source, LARGEST_FONT) / POINTS / layout.width / 2 + edge_x
    half_y = width_of(target, LARGEST_FONT) / POINTS / layout.height / 2 + edge_y
    centre_x = min(max(x + width / 2, half_x), max(half_x, 1 - half_x))
    centre_y = min(max(y + height / 2, half_y), max(half_y, 1 - half_y))
    picture.text(centre_x, 1 - edge_y - title_y, source, ha="center", va="top", **style)
    picture.text(edge_x, centre_y, target, rotation=90, ha="left", va="center", **style)
    if title:
        style = {"fontsize": layout.title_font, "weight": "bold", "parse_math": False}
        picture.text(edge_x, 1 - edge_y, title, va="top", **style)


def _explain_frames(picture: Picture, layout: Layout, sure: bool, possible: bool) -> None:
    solid = "framed: gold links" if sure else ""
    dashed = "dashed: possible links" if possible else ""
    x, _, width, _ = layout.map_box()
    picture.text(
        x + width / 2,
        layout.edge / layout.height,
        ", ".join(part for part in (solid, dashed) if part),
        ha="center",
        va="bottom",
        fontsize=9.5,
        color=FRAME,
    )


def _draw_scale(picture: Picture, layout: Layout) -> None:
    axes = picture.add_axes(layout.scale_box())
    # Not matplotlib's own: that is a raster, which follows no scheme.
    ends = np.linspace(0, 1, SCALE_STEPS + 1)
    shades = (ends[:-1] + ends[1:])[:, None] / 2
    axes.pcolormesh([0, 1], ends, shades, cmap=WEIGHTS, vmin=0, vmax=1, edgecolors="face")
    axes.grid(False)
    axes.set_xticks([])
    axes.yaxis.tick_right()
    axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.tick_params(length=0, labelsize=9.5)
    axes.spines[:].set_visible(False)
    axes.set_title("weight", fontsize=9.5, color=MUTED, pad=9, loc="left")
