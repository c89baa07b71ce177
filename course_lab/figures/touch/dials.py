"""What the figures with dials share: where these stand, and the table of each dial alone."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course_lab.figures.touch.core import row, shared, sheet

ROWS = 7
"""Tokens that have a row of their own."""
STEPS = 21
"""Where the dial of top-k ends: from here on it keeps every token."""
SETTINGS: dict[str, dict[str, float]] = {
    "as it is": {},
    "temperature 0.5": {"temperature": 0.5},
    "temperature 2": {"temperature": 2.0},
    "top-k 2": {"top_k": 2},
    "top-p 0.5": {"top_p": 0.5},
}
"""Each dial alone, as `kept_probabilities` takes it: the columns of the table."""


class Dials(NamedTuple):
    """Where the dials stand: as in `kept_probabilities`, with a `top_k` of `STEPS` for all."""

    temperature: float
    top_k: int
    top_p: float

    def packed(self) -> dict:
        """As the script reads them."""
        return {"temperature": self.temperature, "topK": self.top_k, "topP": self.top_p}


def dialled_table(name: str, tokens: Sequence[str], dialled: Mapping[str, Sequence[float]]) -> str:
    """The probabilities of the likeliest tokens, a column for each setting of the dials."""
    rows = zip(tokens, *dialled.values(), strict=True)
    return sheet(name, list(dialled), [row([token], shared(shares)) for token, *shares in rows])
