"""One word on its way up the stack of a Transformer: shapes, vectors, and what it reads."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from course_lab.figures.touch.core import Interactive, counted, plain, row, sheet

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LEVELS = 30
"""A number of a vector is told as one of 2 * LEVELS + 1 heights between minus and plus its most."""
SIDES = ("source", "target")


class Strip(NamedTuple):
    """A vector (T, n) of every word, and what it is."""

    label: str
    vectors: np.ndarray


class Heads(NamedTuple):
    """What each head of an attention works with, (H, T, d) of T words that ask and K that answer.

    Attributes:
        queries: (H, T, d).
        keys: (H, K, d).
        scores: (H, T, K), the products of queries and keys over √d; -inf or anything at all
            where a word is hidden.
        weights: (H, T, K), their softmax.
        values: (H, K, d).
        read: (H, T, d), the sum of the values, each times its weight.
        reads: the side whose words the K are.
        hides: whether words behind the one that asks are hidden from it.
    """

    queries: np.ndarray
    keys: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    values: np.ndarray
    read: np.ndarray
    reads: str
    hides: bool = False


class Station(NamedTuple):
    """One place in the stack where a word may be looked at.

    Attributes:
        name: such as "1 self-attention"; a number in front is that of the layer.
        side: "source" or "target".
        shape: what leaves it for each word, such as "64 numbers".
        told: one sentence on what happens here; "{word}" is put in for the word, and "{number}"
            for its number in the vocabulary.
        link: id of the section that builds it.
        entering: (T, D), what comes in; None at the bottom.
        inside: what is made of it, one after the other.
        adds: whether the last of these is added to what came in; else it takes its place.
        heads: of an attention. They stand before the last strip.
        numbers: of the words in the vocabulary, where those are told.
        guesses: for each word the likeliest next words with score and share, at the end of the
            stack.
    """

    name: str
    side: str
    shape: str
    told: str
    link: str
    entering: np.ndarray | None = None
    inside: Sequence[Strip] = ()
    adds: bool = False
    heads: Heads | None = None
    numbers: Sequence[int] = ()
    guesses: Sequence[Sequence[tuple[str, float, float]]] = ()

    @property
    def leaving(self) -> np.ndarray:
        """(T, D), what goes on to the next station."""
        last = self.inside[-1].vectors
        return self.entering + last if self.adds else last


def follow(
    words: Mapping[str, Sequence[str]],
    stations: Sequence[Station],
    *,
    chosen: Mapping[str, int],
    opened: int,
    head: int = 0,
    gloss: Mapping[str, str] = MappingProxyType({}),
) -> Interactive:
    """Draws the stack as a column of stations for each side; the reader goes from one to the next.

    Args:
        words: of both sides, with start and end marks where the model reads them.
        stations: from the bottom to the top, the source's before the target's.
        chosen: the word of each side that is followed at first.
        opened: the station that it opens on; played, it begins at the bottom.
        head: whose vectors are shown at first.
        gloss: a word in English for each of the target's.
    """
    stream = {side: _stream(stations, side, len(words[side])) for side in SIDES}
    return Interactive(
        "stack",
        f"A word's way through {len(stations)} stations",
        tables=[_table(words, stations, chosen)],
        data={
            "words": {side: list(words[side]) for side in SIDES},
            "gloss": [gloss.get(word, "") for word in words["target"]],
            "stations": [_packed(station, stream[station.side]) for station in stations],
            "chosen": dict(chosen),
            "opened": opened,
            "head": head,
            "levels": LEVELS,
        },
        parts=["table"],
    )


def heights(vectors: np.ndarray, most: float) -> list | str:
    """Vectors as one character a number, `LEVELS` for zero; `most` is the largest size.

    The last dimension becomes text, the others stay as lists.
    """
    if vectors.ndim > 1:
        return [heights(vector, most) for vector in vectors]
    levels = np.clip(np.round(LEVELS * vectors / most), -LEVELS, LEVELS).astype(int) + LEVELS
    return "".join(DIGITS[level] for level in levels.tolist())


def _most(*vectors: np.ndarray) -> float:
    """The largest size of a number; 1 where all are zero or there is none."""
    return max((float(np.abs(one).max()) for one in vectors), default=0.0) or 1.0


def _stream(stations: Sequence[Station], side: str, count: int) -> list[float]:
    """Of each word the largest number on its way: with one scale the eye can add and compare."""
    passed = [
        vectors
        for station in stations
        if station.side == side and station.inside
        for vectors in (station.entering, station.inside[-1].vectors, station.leaving)
        if vectors is not None
    ]
    return [_most(*(vectors[word] for vectors in passed)) for word in range(count)]


def _packed(station: Station, stream: Sequence[float]) -> dict:
    told = {name: getattr(station, name) for name in ("name", "side", "shape", "told", "link")}
    last = len(station.inside) - 1
    told["inside"] = [
        {"label": label, "rows": _rows(vectors, stream if number == last else None)}
        for number, (label, vectors) in enumerate(station.inside)
    ]
    if station.entering is not None:
        told["entering"] = _rows(station.entering, stream)
    if station.adds:
        told["leaving"] = _rows(station.leaving, stream)
    if station.heads is not None:
        told["heads"] = _packed_heads(station.heads)
    if station.numbers:
        told["numbers"] = list(station.numbers)
    if station.guesses:
        told["guesses"] = [
            [[word, round(score, 1), round(100 * share)] for word, score, share in row]
            for row in station.guesses
        ]
    return told


def _rows(vectors: np.ndarray, scale: Sequence[float] | None) -> list[str]:
    """Each word's vector, in the scale of its stream or in its own."""
    mosts = [_most(vector) for vector in vectors] if scale is None else scale
    return [heights(vector, most) for vector, most in zip(vectors, mosts, strict=True)]


def _packed_heads(heads: Heads) -> dict:
    most = _most(heads.values, heads.read)
    beside = heads.read.transpose(1, 0, 2).reshape(heads.read.shape[1], -1)
    return {
        "queries": heights(heads.queries, _most(heads.queries)),
        "keys": heights(heads.keys, _most(heads.keys)),
        "values": heights(heads.values, most),
        "read": heights(heads.read, most),
        "beside": _rows(beside, None),
        "scores": np.nan_to_num(heads.scores, neginf=0.0).round(1).tolist(),
        "weights": np.round(100 * heads.weights).astype(int).tolist(),
        "reads": heads.reads,
        "hides": heads.hides,
    }


def _reading(
    station: Station, words: Mapping[str, Sequence[str]], chosen: Mapping[str, int]
) -> str:
    """What the chosen word reads here, or is likely to be followed by."""
    place = chosen[station.side]
    if station.heads is not None:
        mean = station.heads.weights[:, place].mean(0)
        most = int(mean.argmax())
        word = words[station.heads.reads][most]
        return f"reads most: “{word}”, {mean[most]:.2f} in the mean of heads"
    if station.guesses:
        likely = station.guesses[place][:3]
        return "next: " + ", ".join(f"{word} {share:.2f}" for word, _, share in likely)
    return ""


def _table(
    words: Mapping[str, Sequence[str]], stations: Sequence[Station], chosen: Mapping[str, int]
) -> str:
    rows = [
        row(
            [f"{station.side}: {station.name}"],
            plain(
                [
                    f"{counted(len(words[station.side]), 'word')}, {station.shape} each",
                    _reading(station, words, chosen),
                ]
            ),
        )
        for station in stations
    ]
    followed = " and ".join(f"“{words[side][chosen[side]]}”" for side in SIDES)
    return sheet(f"The way of {followed}", ["what leaves it", "what the word reads"], rows)
