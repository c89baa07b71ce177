"""Steer its gaze: a translator that runs in the page, whose looks the reader may force."""

import base64
from collections.abc import Mapping, Sequence

import numpy as np

from course_lab.figures.still.attention_map import number
from course_lab.figures.text import counted, require_words
from course_lab.figures.touch.core import Interactive, caption, heads, scrolling, shaded

Family = Sequence[Mapping[str, str]]
_LONGEST = (
    "Step 10 must look at “the end mark”; click it to let go. "
    "New: großen jungen Pferde …. Gone: kleinen alten Hunde …."
)
"""As long as what is said after a drag: room is kept for it, so that nothing moves below."""


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

    Raises:
        ValueError: weights that do not fit the words.
    """
    require_words(words=words, written=written)
    first = families[family][length]
    source = [*first["en"].split(), "end"]
    shares = np.asarray(weights, dtype=np.float64)
    if shares.shape != (len(written), len(source)):
        raise ValueError(
            f"wanted weights for {len(written)} by {len(source)} words, got {shares.shape}"
        )
    steps = [
        {"word": word, "weights": [round(share, 3) for share in row]}
        for word, row in zip(written, shares.tolist(), strict=True)
    ]
    beside = first.get("one vector", "").split()
    known = sum(map(str.isalpha, words))
    here = [word for word in dict.fromkeys([*written, *beside]) if word in gloss]
    looks = ", ".join(
        f"“{word}” at “{source[int(row.argmax())]}”"
        for word, row in zip(written, shares, strict=True)
    )
    return Interactive(
        "gaze",
        f"Translator to steer, {counted(len(families), 'sentence')} that grow",
        f"Of “{first['en']}” it writes “{' '.join(written)}”, looking most: {looks}.",
        tables=[
            _table(source, written, shares, gloss),
            # Not run by the browser, only read. In the book it becomes a file of its own.
            f'<script type="application/octet-stream" class="cl-net">{_text(net)}</script>',
        ],
        parts=["net", "words", "table", "sentence", "bahdanau"],
        data={
            "family": family,
            "length": length,
            "clauses": len(families[family]),
            "families": [_name(each[0]["en"]) for each in families],
            "first": first,
            "source": source[:-1],
            "steps": steps,
            "wanted": first["de"].split(),
            "gloss": {word: gloss[word] for word in here},
            "most": most,
            "known": f"It knows {known} words and {len(words) - known} marks: "
            + " ".join(sorted(words, key=str.lower)),
            "more": "Your own sentence, longer sentence",
            "longest": _LONGEST,
            "say": "Drag a ring to another English word, or click an English word to cover it.",
        },
    )


def _name(sentence: str) -> str:
    return sentence.removesuffix(" .")


def _text(net: bytes) -> str:
    return base64.b64encode(net).decode()


def _table(
    source: Sequence[str], written: Sequence[str], shares: np.ndarray, gloss: Mapping[str, str]
) -> str:
    rows = []
    for word, row in zip(written, shares.tolist(), strict=True):
        cells = "".join(shaded(share, number(share)) for share in row)
        rows.append(f"<tr>{heads([word, gloss.get(word, '')], 'row')}{cells}</tr>")
    name = "Where it looks at each step (weights)"
    return scrolling(
        f"<table>{caption(name)}<thead><tr><td></td><td></td>{heads(source)}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>",
        name,
    )
