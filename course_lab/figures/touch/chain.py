"""A recurrent net unrolled: how much of the gradient is left, step by step into the past."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from course_lab.figures.touch.core import Interactive, counted, row, shaded, sheet

FADED = 6.0
"""Powers of ten: a norm of 1 has the full shade, one of 10^-6 or less none."""
GROWS = 1.0
"""Powers of ten above 1 from which a gradient has grown, in the drawing."""
STAYS = 0.3
"""Powers of ten around 1 within which a gradient stays, in words: it is halved or doubled."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def unrolled_chain(
    profiles: Mapping[str, Mapping[str, object]], distances: Sequence[int]
) -> Interactive:
    """Draws an unrolled net as a chain of boxes through which the gradient fades or grows.

    The reader chooses a cell type and a weight scale. Each box says its number, and its shade says
    the same: full at 1, none at 10^-6. What grows beyond 1 is hatched in another colour.

    Args:
        profiles: for each cell type, for each weight scale (a label), the norm of the gradient at
            each distance as a share of the norm at distance 0: (D,) numbers of 0 or more, which
            may overflow to infinity. NaN is a missing number. The scales of two cell types may
            differ.
        distances: D rising numbers of steps into the past.
    """
    steps = [int(distance) for distance in distances]
    norms = {
        (cell, scale): np.asarray(values, dtype=np.float64).tolist()
        for cell, scales in profiles.items()
        for scale, values in scales.items()
    }
    rows = []
    for names, row_ in norms.items():
        cells = ((power(norm), *_look(norm)) for norm in row_)
        shades = [shaded(w, text, extra="cl-grown" if grown else "") for text, w, grown in cells]
        rows.append(row(names, *shades))
    name = "Norm of the gradient by steps back, as a share of the norm at distance 0"
    return Interactive(
        "chain",
        f"Unrolled chain, {counted(len(profiles), 'cell type')}, {counted(len(steps), 'distance')}",
        tables=[sheet(name, ["cell", "weights", *steps], rows, corners=0)],
        data={
            "steps": steps,
            "cells": [
                {
                    "name": cell,
                    "scales": [
                        {
                            "name": scale,
                            "words": f"{cell}, {scale}: {_fate(norms[cell, scale], steps)}",
                            "boxes": [[power(x), *_look(x)] for x in norms[cell, scale]],
                        }
                        for scale in scales
                    ],
                }
                for cell, scales in profiles.items()
            ],
        },
    )


def power(norm: float) -> str:
    """Write a norm as "0.53" near 1, and as powers of ten such as "3·10⁻⁴" elsewhere."""
    if math.isnan(norm):
        return "–"
    if norm in (0.0, math.inf):
        return "∞" if norm else "0"
    if 0.0995 <= norm < 9.95:
        return f"{norm:.2g}"
    mantissa, exponent = f"{norm:.0e}".split("e")
    raised = f"10{str(int(exponent)).translate(_RAISED)}"
    return raised if mantissa == "1" else f"{mantissa}·{raised}"


def _level(norm: float) -> float:
    """The power of ten."""
    return math.log10(norm) if norm else -math.inf


def _look(norm: float) -> tuple[float, float]:
    """Shade 0..1 of a norm up to 1, and how far it has grown beyond 1 (0 for not at all, to 1)."""
    if math.isnan(norm):
        return 0.0, 0.0
    level = max(-FADED, min(FADED, _level(norm)))
    grown = level / FADED if level >= GROWS else 0.0
    return round(min(1.0, 1 + level / FADED), 2), round(grown, 2)


def _fate(norms: Sequence[float], steps: Sequence[int]) -> str:
    known = [(step, norm) for step, norm in zip(steps, norms, strict=True) if not math.isnan(norm)]
    if not known:
        return "no number."
    step, last = known[-1]
    level, size = _level(last), power(last)
    small = "it vanishes" if level <= -3 else "it shrinks"
    large = "it explodes" if level >= 3 else "it grows"
    fate = small if level < -STAYS else large if level > STAYS else "it stays"
    size = "as large as" if size == "1" else f"{size} times as large as"
    return f"{counted(step, 'step')} back the gradient is {size} at the last state; {fate}."
