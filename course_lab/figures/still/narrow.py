"""The line figure that a phone need not shrink: narrow, with each name beside its own line."""

from collections.abc import Mapping

from matplotlib.axes import Axes

from course_lab.figures.still.lines import LABEL_FONT, POINTS, pointer
from course_lab.figures.style import NARROW, Picture, house_style
from course_lab.figures.text import phrase, width_of

HEIGHT, _NOTE = 3.7, 0.22
"""Inches; a picture without a note is lower by so much."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 0.55, 0.2, 0.4, 0.82
_EDGE = 4.0
"""Points between a name and the picture's edge; what would be longer is cut."""
Place = tuple[float, float]


def narrowed(picture: Picture, names: Mapping[str, tuple[int, Place] | None]) -> Picture:
    """The picture in a narrow size, its lines named inside and no longer at their ends.

    Lines that end in one point can be told apart only where they run apart.

    Args:
        picture: of one axes, such as `length_curve` or `time_to_learn` draws; it is changed.
        names: for each line, by its label, a point of it, by number, and where the left end of
            its name stands, in the units of the axes; None leaves the name to the caption.

    Raises:
        ValueError: other names than the lines have.
    """
    (axes,) = picture.axes
    labels = {line.get_label(): line for line in axes.get_lines()}
    # A rule has no name, and matplotlib gives it one that begins so.
    lines = {label: line for label, line in labels.items() if not label.startswith("_")}
    if set(lines) != set(names):
        raise ValueError(f"want a place for {', '.join(lines)}; got {', '.join(names)}")
    height, bottom = HEIGHT, _BOTTOM
    if not picture.texts:
        height, bottom = HEIGHT - _NOTE, _BOTTOM - _NOTE
    picture.set_size_inches(NARROW, height)
    ticks = max(width_of(tick.get_text(), LABEL_FONT) for tick in axes.get_yticklabels())
    left = max(_LEFT, ticks / POINTS + 0.15)
    wide, high = NARROW - left - _RIGHT, height - bottom - _TOP
    axes.set_position((left / NARROW, bottom / height, wide / NARROW, high / height))
    axes.yaxis.set_label_coords(-0.12, 1.05)
    for note in picture.texts:
        note.set_position((0.1 / NARROW, 0.09 / height))
    for text in list(axes.texts):
        text.remove()
    with house_style():
        for name, named in names.items():
            if named is None:
                continue
            point, place = named
            here = tuple(lines[name].get_xydata()[point].tolist())
            _name(axes, name, here, place, lines[name].get_color())
    return picture


def _name(axes: Axes, name: str, point: Place, place: Place, colour: str) -> None:
    # From the name's left end, or from above a name that stands to the left of its point.
    start = (0, 0.5) if place[0] >= point[0] else (0.7, 1)
    figure = axes.figure
    left = axes.transData.transform(place)[0] / figure.bbox.width
    room = (1 - left) * figure.get_figwidth() * POINTS - _EDGE
    axes.annotate(
        phrase(name, LABEL_FONT, room),
        xy=point,
        xytext=place,
        fontsize=LABEL_FONT,
        va="center",
        parse_math=False,
        arrowprops=pointer(colour, start),
    )
