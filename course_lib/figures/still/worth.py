"""Weight beside worth: what a network looks at, and what its answer loses without it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course_lib.figures.palette import MODELS, ROLES
from course_lib.figures.style import CARD, INK, MUTED, Picture, as_array
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
        places = np.arange(len(rows))[::-1]
        for place, parts in zip(places, values.values(), strict=True):
            middle = float(np.median(parts[side]))
            axes.barh(place, middle, height=0.5, color=colour, alpha=0.35, linewidth=0)
            axes.plot(
                parts[side],
                np.full(parts[side].shape, place),
                linestyle="",
                marker="o",
                markersize=5,
                color=colour,
                markeredgecolor=CARD,
                markeredgewidth=0.6,
                clip_on=False,
            )
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 0.5, 1])
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.grid(visible=True, axis="x")
        axes.grid(visible=False, axis="y")
        axes.tick_params(length=0, pad=4)
        axes.set_title(phrase(title, 11.0, 72 * width), fontsize=11, loc="left", color=INK)
        labels = [phrase(name, 11.0, 72 * LEFT - 12) for name in values] if side == 0 else []
        axes.set_yticks(places if side == 0 else [])
        axes.set_yticklabels(labels, fontsize=11, parse_math=False)
        axes.set_xlabel("dots: seeds; bar: median", fontsize=9.5, color=MUTED) if side else None
    return picture
