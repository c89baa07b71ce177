"""A recurrent net unrolled: how much of the gradient is left, step by step into the past."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from course_lab.figures.touch.core import Interactive, row, shaded, sheet
from course_lab.figures.touch.text import counted

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

        unrolled_chain(
            {"tanh": {"× 0.5": [1.0, 0.03, 1e-6], "× 2": [1.0, 0.6, 0.2]},
             "ReLU": {"× 0.5": [1.0, 0.02, 1e-7], "× 2": [1.0, 40.0, 3e5]}},
            distances=[0, 5, 20],
        )

    Args:
        profiles: for each cell type, for each weight scale (a label), the norm of the gradient at
            each distance as a share of the norm at distance 0: (D,) numbers of 0 or more, which
            may overflow to infinity. NaN is a missing number. The scales of two cell types may
            differ.
        distances: D rising numbers of steps into the past.

    Raises:
        ValueError: nothing to draw, distances that do not rise, or norms that are negative or do
            not fit the distances.
    """
    steps = [int(distance) for distance in distances]
    if not steps or any(b <= a for a, b in pairwise(steps)):
        raise ValueError(f"distances must be one row of rising numbers, got {list(distances)}")
    if not profiles or not all(profiles.values()):
        raise ValueError("a chain needs at least one cell type with at least one weight scale")
    norms = {
        (cell, scale): _checked(values, len(steps), f"{cell!r}, {scale!r}")
        for cell, scales in profiles.items()
        for scale, values in scales.items()
    }
    words = {key: _words(key, row, steps) for key, row in norms.items()}
    headline = (
        f"Unrolled chain, {counted(len(profiles), 'cell type')}, {counted(len(steps), 'distance')}"
    )
    return Interactive(
        "chain",
        headline,
        " ".join(words.values()),
        tables=[_table(profiles, norms, steps)],
        data={
            "steps": steps,
            "cells": [
                {
                    "name": str(cell),
                    "scales": [
                        {
                            "name": str(scale),
                            "words": words[cell, scale],
                            "boxes": [
                                [power(norm), *_look(norm)] for norm in norms[cell, scale].tolist()
                            ],
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


def _checked(values: object, length: int, name: str) -> np.ndarray:
    row = np.asarray(values, dtype=np.float64)
    if row.shape != (length,):
        raise ValueError(f"{name}: wanted a norm for each of {length} distances, got {row.shape}")
    if (row < 0).any():
        raise ValueError(f"{name}: a norm cannot be negative, got {np.nanmin(row):.3g}")
    return row


def _look(norm: float) -> tuple[float, float]:
    """Shade 0..1 of a norm up to 1, and how far it has grown beyond 1 (0 for not at all, to 1)."""
    if math.isnan(norm) or norm == 0:
        return 0.0, 0.0
    level = FADED if math.isinf(norm) else math.log10(norm)
    grown = min(1.0, level / FADED) if level >= GROWS else 0.0
    return round(min(1.0, max(0.0, 1 + level / FADED)), 2), round(grown, 2)


def _words(key: tuple[str, str], row: np.ndarray, steps: Sequence[int]) -> str:
    cell, scale = key
    known = np.flatnonzero(~np.isnan(row))
    if not len(known):
        return f"{cell}, {scale}: no number."
    last = float(row[known[-1]])
    level = -math.inf if last == 0 else math.inf if math.isinf(last) else math.log10(last)
    small = "it vanishes" if level <= -3 else "it shrinks"
    large = "it explodes" if level >= 3 else "it grows"
    fate = small if level < -STAYS else large if level > STAYS else "it stays"
    size = power(last)
    size = "as large as" if size == "1" else f"{size} times as large as"
    return (
        f"{cell}, {scale}: {counted(steps[known[-1]], 'step')} back the gradient is "
        f"{size} at the last state; {fate}."
    )


def _table(
    profiles: Mapping[str, Mapping[str, object]],
    norms: Mapping[tuple[str, str], np.ndarray],
    steps: Sequence[int],
) -> str:
    rows = []
    for cell, scales in profiles.items():
        for scale in scales:
            numbers = []
            for norm in norms[cell, scale].tolist():
                shade, grown = _look(norm)
                numbers.append(shaded(shade, power(norm), extra="cl-grown" if grown else ""))
            rows.append(row([cell, scale], *numbers))
    name = "Norm of the gradient by steps back, as a share of the norm at distance 0"
    return sheet(name, ["cell", "weights", *steps], rows, corners=0)
