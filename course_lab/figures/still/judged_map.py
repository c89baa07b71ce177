"""An attention map beside the gold links, where colour is kept for what is wrong."""

from collections.abc import Collection, Sequence

from matplotlib.colors import to_hex

from course_lab.figures.still.attention_map import Link, attention_map
from course_lab.figures.style import FRAME, INK, NARROW, Picture


def judged_map(
    weights: object,
    source: Sequence[str],
    target: Sequence[str],
    *,
    sure: Collection[Link],
    possible: Collection[Link] = (),
    wrong: Collection[Link] = (),
    source_name: str = "source",
    target_name: str = "target",
) -> Picture:
    """A narrow `attention_map` with gold links framed in ink and wrong cells in an error's colour.

    Args:
        weights: (T, S) array or tensor in 0..1, one row per target token.
        source: S tokens, across.
        target: T tokens, down.
        sure: gold links (source position, target position), in solid frames.
        possible: further gold links, in dashed frames.
        wrong: cells that are pointed at as wrong.
        source_name: names the horizontal axis.
        target_name: names the vertical axis.

    Raises:
        ValueError: a wrong cell that is a gold link; and as for `attention_map`.
    """
    if odd := sorted({*wrong} & {*sure, *possible}):
        raise ValueError(f"wrong cells that are gold links: {odd}")
    picture = attention_map(
        weights,
        source,
        target,
        links={*sure, *wrong},
        possible=possible,
        source_name=source_name,
        target_name=target_name,
        room=NARROW,
    )
    for frame in picture.axes[0].patches:
        s, t = frame.get_xy()  # a little right of and below the cell's corner
        if (int(s), int(t)) not in wrong and to_hex(frame.get_edgecolor()) == FRAME:
            frame.set_edgecolor(INK)
    for text in picture.texts:
        if text.get_color() == FRAME:
            text.set_color(INK)
            text.set_text(text.get_text() + ", red: wrong" * bool(wrong))
            text.set_x(0.5)  # it is wider than the map
    return picture
