"""The colours of the course, named once: by the part that a thing plays, and by model.

Charts take them from here; pages and drawings from `book/_static/palette.css`, figures to touch
from `touch/core.css`. Each has a value on a light page and one on a dark page.

The colours of a kind stay apart to readers who confuse red with green or blue with yellow, and in
grey; lines and marks reach a contrast of 3 against every ground of their scheme, and words 4.5
(WCAG 2.1, 1.4.11 and 1.4.3).
"""

import re
from typing import NamedTuple


class Colour(NamedTuple):
    """One colour, as a hexadecimal number, on light pages and on dark ones."""

    light: str
    dark: str


SURFACES = {
    "ground": Colour("#ffffff", "#14181b"),
    "card": Colour("#fbfaf7", "#1d2327"),
    "ink": Colour("#1d2327", "#dfe3e6"),
    "muted": Colour("#555d63", "#a9b3ba"),
    "rule": Colour("#dedbd3", "#3a4449"),
    "frame": Colour("#b9393a", "#ff9b8c"),
}
"""What lies under and around the data."""

ROLES = {
    "source": Colour("#0e14a2", "#7c96f8"),
    "target": Colour("#a02602", "#e6973d"),
    "state": Colour("#027f4b", "#d7fa8c"),
    "query": Colour("#5b1ace", "#9171d6"),
    "key": Colour("#b77c01", "#b38600"),
    "value": Colour("#771a01", "#fdb869"),
    "weight": Colour("#038bae", "#19cdf8"),
    "context": Colour("#cf3a85", "#e36f7d"),
}
"""The part that a vector, a word or an arrow plays; the same in every chapter."""

MODELS = {
    "bahdanau": Colour("#174552", "#03b4d8"),
    "cho": Colour("#b48109", "#f0a23f"),
    "sutskever": Colour("#b63637", "#c75972"),
    "autoencoder": Colour("#178579", "#36e0b5"),
    "ibm1": Colour("#792da7", "#8976d7"),
    "equal": Colour("#252616", "#e9d55e"),
}
"""One a model; `equal` is Bahdanau's with equal weights. No other line wears them."""

NEUTRALS = (
    Colour("#7b6358", "#bfa499"),
    Colour("#375067", "#b1bddf"),
    Colour("#4e2f22", "#f1e4bf"),
    Colour("#69839d", "#5f8797"),
    Colour("#082136", "#d8f9fc"),
    Colour("#1e0304", "#6f7250"),
)
"""For lines that are none of these models, in turn: browns and slates, greyer than any model's."""
VARIANT = NEUTRALS[1]
"""Marks of a figure whose rows or panels are named, and none of them is one of these models."""

SAID = {
    "attention": "bahdanau",
    "one vector": "cho",
    "ibm model 1": "ibm1",
    "equal weights": "equal",
    **{model: model for model in MODELS},
}
"""The names that figures give to models, in small letters."""

_TWIN = re.compile(r", (?:\d+ ?(?:×|x|times)(?: .*)?|(?:trained )?longer)$")


def untwinned(name: str) -> str:
    """The name of a line without what tells a twin that trained longer: "Cho, 4 ×" is "Cho"."""
    return _TWIN.sub("", name)


def model_of(name: str) -> str | None:
    """The key in `MODELS` of the model that a line of this name shows, or of its twin."""
    return SAID.get(untwinned(name).lower())


EMPTY, FULL = Colour("#eef1f1", "#232a31"), Colour("#123c4a", "#9fdcea")
"""A weight of 0 and a weight of 1; between them the mixture in sRGB."""
ON_EMPTY, ON_FULL = Colour("#000000", "#ffffff"), Colour("#ffffff", "#000000")
"""The ink of a number on a cell of little weight, and on one of much."""
ON_BETWEEN = "#010101"
"""The ink between the two turns, in both schemes; a shade that a drawing has for nothing else."""
LIGHT_TURNS, DARK_TURNS = 0.66, 0.45
"""The weight from which a cell needs the other ink, in the light and in the dark scheme.

They stand where black and white have the same contrast against the cell; the tests measure it.
"""


def mixed(share: float, one: str, other: str) -> str:
    """So much of the first colour with the rest of the second, as CSS mixes in sRGB."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)
