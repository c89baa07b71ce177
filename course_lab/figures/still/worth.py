"""Weight beside worth: what a network looks at, and what its answer loses without it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course_lab.figures.palette import FULL
from course_lab.figures.still.seed_dots import COLOUR, seed_dots
from course_lab.figures.style import Picture


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
    return seed_dots(
        {
            "attention weight on it": {name: worth.weight for name, worth in rows.items()},
            "probability lost without it": {name: worth.lost for name, worth in rows.items()},
        },
        headline="Weight beside worth",
        # Of weights in a picture this is the colour that follows the page.
        colours=(FULL.light, COLOUR),
    )
