"""Steer its gaze: a translator that runs in the page, whose looks the reader may force."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_lab.figures.touch.core import (
    Interactive,
    counted,
    rounded,
    row,
    sheet,
    stored,
    vocabulary,
    weighed,
)

Family = Sequence[Mapping[str, str]]


def gaze(
    net: bytes,
    families: Sequence[Family],
    gloss: Mapping[str, str],
    *,
    words: Sequence[str],
    written: Sequence[str],
    weights: object,
    family: int = 0,
    length: int = 0,
    most: int = 50,
) -> Interactive:
    """Shows an English sentence, what the network writes in German, and where it looks.

    The reader may cover an English word, drag the look of a German one to another English word,
    let the sentence grow by a clause, or type one; the network in the page writes anew at once.
    What stands there before it is touched, and where no script runs, is a sentence from Python.

    Args:
        net: a safetensors file as `course_lab.experiments.bahdanau.in_page` makes it.
        families: sentences that grow, each entry with "en", "de" and "one vector".
        gloss: an English word for each German one.
        words: the English words that may be typed.
        written: what the network writes of the sentence that is shown first: T words.
        weights: of its steps over the S words and the end mark: (T, S + 1).
        family: which family is shown first.
        length: which sentence of it.
        most: the most words that may be typed.
    """
    first = families[family][length]
    source = first["en"].split()
    steps = list(zip(written, np.asarray(weights, dtype=np.float64).tolist(), strict=True))
    here = dict.fromkeys([*written, *first.get("one vector", "").split()])
    rows = [row([word, gloss.get(word, "")], weighed(shares)) for word, shares in steps]
    name = "Where it looks at each step (weights)"
    return Interactive(
        "gaze",
        f"Translator to steer, {counted(len(families), 'sentence')} that grow",
        tables=[sheet(name, [*source, "end"], rows, corners=2), stored(net)],
        parts=["net", "words", "table", "sentence", "bahdanau"],
        data={
            "family": family,
            "length": length,
            "clauses": len(families[family]),
            "families": [each[0]["en"].removesuffix(" .") for each in families],
            "first": first,
            "source": source,
            "steps": [{"word": word, "weights": rounded(shares)} for word, shares in steps],
            "wanted": first["de"].split(),
            "gloss": {word: gloss[word] for word in here if word in gloss},
            "most": most,
            "known": vocabulary(words),
        },
    )
