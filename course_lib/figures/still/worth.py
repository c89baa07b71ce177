"""Weight beside worth: what a network looks at, and what its answer loses without it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course_lib.figures.palette import MODELS, ROLES
from course_lib.figures.still.dot_rows import FONT, draw_rows, name_rows, places, scale_rows
from course_lib.figures.style import INK, MUTED, Picture, as_array
from course_lib.figures.text import phrase

WIDTH, ROW, TOP, BOTTOM, LEFT, GAP = 6.6, 0.36, 0.45, 0.5, 1.75, 0.35
_COLOURS = (ROLES["weight"].light, MODELS["bahdanau"].light)


class Worth(NamedTuple):
    """One thing in a document, over the seeds.

    Attributes:
        weight: the mean attention weight on it, one number a seed.
        lost: how much probability the right answer loses without it, one number a seed.
    """

    weight: Sequence[float]
    lost: Sequence[float]


def weight_and_worth(rows: Mapping[str, Worth]) -> Picture:
    """Two panels side by side, a row for each thing, a dot for each seed, a bar at the middle.

    Raises:
        ValueError: no row, a row without a number, or numbers outside -1..1.
    """
    if not rows:
        raise ValueError("wanted a row or more, got none")
    values = {
        name: [as_array(part, name) for part in (worth.weight, worth.lost)]
        for name, worth in rows.items()
    }
    for name, parts in values.items():
        if any(part.ndim != 1 or not part.size or np.abs(part).max() > 1 for part in parts):
            raise ValueError(f"{name!r}: wanted a share for each seed, in the weight and the loss")
    told = "; ".join(
        f"{name}: weight {np.median(weight):.2f}, loss {np.median(lost):.2f}"
        for name, (weight, lost) in values.items()
    )
    height = TOP + BOTTOM + ROW * len(rows)
    headline = f"Weight beside worth, {len(rows)} rows"
    picture = Picture(WIDTH, height, headline, f"Medians over the seeds. {told}.")
    width = (WIDTH - LEFT - GAP - 0.2) / 2
    names = ("attention weight on it", "probability lost without it")
    for side, (title, colour) in enumerate(zip(names, _COLOURS, strict=True)):
        left = LEFT + side * (width + GAP)
        axes = picture.add_axes(
            (left / WIDTH, BOTTOM / height, width / WIDTH, ROW * len(rows) / height)
        )
        for place, parts in zip(places(len(rows)), values.values(), strict=True):
            middle = float(np.median(parts[side]))
            axes.barh(place, middle, height=0.5, color=colour, alpha=0.35, linewidth=0)
        draw_rows(axes, [parts[side] for parts in values.values()], colour)
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 0.5, 1])
        scale_rows(axes, len(rows))
        axes.set_title(phrase(title, FONT, 72 * width), fontsize=FONT, loc="left", color=INK)
        if side:
            axes.set_yticks([])
        else:
            name_rows(axes, list(values), 72 * LEFT - 12)
        axes.set_xlabel("dots: seeds; bar: median", fontsize=9.5, color=MUTED) if side else None
    return picture
