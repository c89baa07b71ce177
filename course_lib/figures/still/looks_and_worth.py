"""Where a head looks, against what is lost without it: a point for each head."""

from collections.abc import Mapping, Sequence

from course_lib.figures.still.lines import canvas, name_axes, wrapped
from course_lib.figures.style import CARD, Picture, as_array, house_style, line_styles

Points = Sequence[tuple[float, float]]
"""For each head the share of its looks that found, and the nats lost without it."""


def looks_and_worth(groups: Mapping[str, Points], *, x_name: str, y_name: str) -> Picture:
    """Draws the heads as points, the groups told apart by colour and mark.

    Args:
        groups: for each its heads.
        x_name: what the horizontal axis shows, in 0..1.
        y_name: what the vertical axis shows.

    Raises:
        ValueError: no group, a group without a head, or a share outside 0..1.
    """
    if not groups or not all(len(points) for points in groups.values()):
        raise ValueError("a figure of heads needs a group, and each a head; got none")
    pairs = {name: as_array(points, name).reshape(-1, 2) for name, points in groups.items()}
    for name, each in pairs.items():
        if each[:, 0].min() < 0 or each[:, 0].max() > 1:
            raise ValueError(f"{name!r}: wanted shares from 0 to 1")
    said = "; ".join(
        f"{name}: {len(each)} heads, up to {each[:, 0].max():.2f} across and "
        f"{each[:, 1].max():.2f} up"
        for name, each in pairs.items()
    )
    with house_style():
        picture, axes = canvas(
            f"Heads as points, {y_name} against {x_name}", f"{said}.", list(groups), ""
        )
        axes.set_xlim(-0.03, 1.03)
        name_axes(axes, x_name, y_name)
        for (name, line), each in zip(line_styles(groups).items(), pairs.values(), strict=True):
            axes.plot(
                each[:, 0],
                each[:, 1],
                color=line.colour,
                linestyle="none",
                marker=line.marker,
                markeredgecolor=CARD,
                label=name,
            )
        axes.legend(
            labels=[wrapped(name) for name in groups],
            loc="upper left",
            bbox_to_anchor=(0.98, 1.02),
            frameon=False,
            handletextpad=0.0,
            borderpad=0.0,
        )
    return picture
