"""A small Transformer that runs in the page: a sentence, what it writes, and every head's looks."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course_lab.figures.touch.core import Interactive, stored, vocabulary, weight_map

USES = ("cross", "encoder", "decoder")
_END = "end"


class FirstWriting(NamedTuple):
    """What stands there before the figure is touched, and where no script runs.

    Attributes:
        source: S words.
        words: T words that the network writes, without the end mark.
        next: for each step, T + 1 with that of the end mark, the two likeliest words with their
            shares; the end mark is called "end".
        looks: of each use in `USES` one array a layer, (H, asking, asked): the target asks in
            T + 1 steps, the first of them after the start mark; the source has S + 1 tokens.
    """

    source: Sequence[str]
    words: Sequence[str]
    next: Sequence[Sequence[tuple[str, float]]]
    looks: Mapping[str, Sequence[np.ndarray]]


def writer(
    net: bytes,
    sentences: Sequence[tuple[str, str]],
    gloss: Mapping[str, str],
    opening: FirstWriting,
    *,
    words: Sequence[str],
    head: tuple[int, int],
    at: int,
    longest: int,
    most: int = 40,
) -> Interactive:
    """Shows a sentence and its translation; a word and a head are chosen, a head is switched off.

    Another sentence, one that the reader types, and what is written with heads off come from the
    network in the page. What stands there at first is Python's.

    Args:
        net: a safetensors file as `course_lab.experiments.transformer.in_page` makes it.
        sentences: to choose from, each with its right translation; the first is the opening's.
        gloss: an English word for each German one.
        opening: see there.
        words: the English words that may be typed.
        head: layer and head that are chosen at first, both from 0.
        at: the step that is chosen at first, from 0.
        longest: the most words that may be typed.
        most: so many words are written at most, if no end mark comes.
    """
    source, written = [*opening.source, _END], [*opening.words, _END]
    layers, count = len(opening.looks["cross"]), len(opening.looks["cross"][0])
    shown = opening.looks["cross"][head[0]][head[1]]
    name = f"German → English, layer {head[0] + 1}, head {head[1] + 1} (weights)"
    return Interactive(
        "writer",
        f"A Transformer to run, with {3 * layers * count} heads to look at and to switch off",
        tables=[weight_map(name, source, written, shown), stored(net, "transformer")],
        parts=["net", "words", "maps", "sentence", "table", "transformer"],
        data={
            "sentences": [list(pair) for pair in sentences],
            "gloss": dict(gloss),
            "source": list(opening.source),
            "first": {
                "words": written,
                "next": [[[word, round(share, 4)] for word, share in row] for row in opening.next],
                "looks": {use: _packed(use, opening.looks[use]) for use in USES},
            },
            "head": head[0] * count + head[1],
            "at": at,
            "place": at if at < len(source) else 0,
            "longest": longest,
            "most": most,
            "known": vocabulary(words),
        },
    )


def _packed(use: str, layers: Sequence[np.ndarray]) -> list:
    """Weights of two digits; a step of the decoder has asked no later word."""
    return [
        [
            [row[: t + 1 if use == "decoder" else None] for t, row in enumerate(head)]
            for head in np.round(layer.astype(float), 2).tolist()
        ]
        for layer in layers
    ]
