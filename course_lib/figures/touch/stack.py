"""One word on its way up the stack of a Transformer: shapes, vectors, and what it reads."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from course_lib.figures.touch.core import Interactive, caption, heads, scrolling

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LEVELS = 30
"""A number of a vector is told as one of 2 * LEVELS + 1 shades between minus and plus its most."""
SIDES = ("source", "target")


class Station(NamedTuple):
    """One place in the stack where a word may be looked at.

    Attributes:
        name: such as "1 self-attention".
        side: "source" or "target".
        shape: of what leaves it, for the whole sentence, such as "(8, 64)".
        told: one sentence on what happens here; "{word}" is put in for the word.
        link: id of the section that builds it.
        vectors: (T, D), what leaves it, by word; None where no vector does.
        weights: (H, T, K), what each head reads, if it is an attention.
        reads: the side whose words the K are.
        guesses: for each word the likeliest next words with their shares, at the end of the stack.
    """

    name: str
    side: str
    shape: str
    told: str
    link: str
    vectors: np.ndarray | None = None
    weights: np.ndarray | None = None
    reads: str = ""
    guesses: Sequence[Sequence[tuple[str, float]]] = ()


def follow(
    words: Mapping[str, Sequence[str]],
    stations: Sequence[Station],
    *,
    chosen: Mapping[str, int],
    opened: int,
) -> Interactive:
    """Draws the stack as a column of stations for each side; the reader goes from one to the next.

    Args:
        words: of both sides, with start and end marks where the model reads them.
        stations: from the bottom to the top, the source's before the target's.
        chosen: the word of each side that is followed at first.
        opened: the station that it opens on.

    Raises:
        ValueError: a station of no side, or one whose vectors or weights do not fit the words.
    """
    for station in stations:
        _check(station, words)
    here = stations[opened]
    word = words[here.side][chosen[here.side]]
    return Interactive(
        "stack",
        f"A word's way through {len(stations)} stations",
        f"Open at “{here.name}”: {here.told.format(word=word)} {_reading(here, words, chosen)}",
        tables=[_table(words, stations, chosen)],
        data={
            "words": {side: list(words[side]) for side in SIDES},
            "stations": [_packed(station) for station in stations],
            "chosen": dict(chosen),
            "opened": opened,
            "levels": LEVELS,
        },
    )


def shades(vector: np.ndarray, most: float) -> str:
    """A vector as one character a number, `LEVELS` for zero; `most` is the largest size."""
    levels = np.clip(np.round(LEVELS * vector / most), -LEVELS, LEVELS).astype(int) + LEVELS
    return "".join(DIGITS[level] for level in levels.tolist())


def _check(station: Station, words: Mapping[str, Sequence[str]]) -> None:
    if station.side not in SIDES:
        raise ValueError(f"want a side out of {SIDES}; got {station.side!r}")
    count = len(words[station.side])
    if station.vectors is not None and len(station.vectors) != count:
        raise ValueError(f"{station.name}: {len(station.vectors)} vectors for {count} words")
    if station.weights is not None:
        wanted = (count, len(words[station.reads]))
        if station.weights.shape[1:] != wanted:
            raise ValueError(
                f"{station.name}: want weights (H, {wanted[0]}, {wanted[1]}); "
                f"got {station.weights.shape}"
            )


def _packed(station: Station) -> dict:
    told = {
        "name": station.name,
        "side": station.side,
        "shape": station.shape,
        "told": station.told,
        "link": station.link,
    }
    if station.vectors is not None:
        most = float(np.abs(station.vectors).max())
        told["vectors"] = [shades(vector, most) for vector in station.vectors]
        told["sizes"] = [round(math.sqrt(float(v @ v)), 1) for v in station.vectors]
    if station.weights is not None:
        told["weights"] = np.round(100 * station.weights).astype(int).tolist()
        told["reads"] = station.reads
    if station.guesses:
        told["guesses"] = [
            [[word, round(100 * share)] for word, share in row] for row in station.guesses
        ]
    return told


def _reading(
    station: Station, words: Mapping[str, Sequence[str]], chosen: Mapping[str, int]
) -> str:
    """What the chosen word reads here, or is likely to be followed by."""
    place = chosen[station.side]
    if station.weights is not None:
        mean = station.weights[:, place].mean(0)
        most = int(mean.argmax())
        return f"reads most: “{words[station.reads][most]}”, {mean[most]:.2f} in the mean of heads"
    if station.guesses:
        return "next: " + ", ".join(f"{w} {share:.2f}" for w, share in station.guesses[place][:3])
    return ""


def _table(
    words: Mapping[str, Sequence[str]], stations: Sequence[Station], chosen: Mapping[str, int]
) -> str:
    rows = "".join(
        f"<tr>{heads([f'{station.side}: {station.name}'], 'row')}<td>{escape(station.shape)}</td>"
        f"<td>{escape(_reading(station, words, chosen))}</td></tr>"
        for station in stations
    )
    followed = " and ".join(f"“{words[side][chosen[side]]}”" for side in SIDES)
    name = f"The way of {followed}"
    columns = heads(["what leaves it", "what the word reads"])
    return scrolling(
        f"<table>{caption(name)}<thead><tr><td></td>{columns}</tr></thead>"
        f"<tbody>{rows}</tbody></table>",
        name,
    )
