"""Type a sentence: a translator with one vector that runs in the page, read word by word."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course_lab.figures.touch.core import (
    Interactive,
    counted,
    plain,
    rounded,
    row,
    sheet,
    stored,
    vocabulary,
)

Words = Sequence[str]
SHOWN = 3
"""So many of the most probable words are shown of a step."""


class Odds(NamedTuple):
    """How probable words are at one step of the decoder.

    Attributes:
        top: the `SHOWN` most probable words with their probabilities, the highest first.
        right: the probability of the word that stands there in the right translation; 0 beyond it.
    """

    top: Sequence[tuple[str, float]]
    right: float


def squeeze(
    net: bytes,
    sentences: Sequence[tuple[Words, Words]],
    gloss: Mapping[str, str],
    *,
    words: Words,
    written: Words,
    odds: Sequence[Odds],
    vector: object,
    opening: int = 0,
    most: int = 20,
) -> Interactive:
    """Shows a sentence, the one vector that it is read into, and what is written from that vector.

    The reader may stop the reading at any word, open a step of the decoder, and let it read the
    true words. What stands there before it is touched, and where no script runs, is from Python.

    Args:
        net: a safetensors file as `course_lab.experiments.seq2seq.in_page` makes it.
        sentences: the words of each sentence that is offered, and of its right translation.
        gloss: an English word for each German one.
        words: the English words that may be typed.
        written: what the network writes of the sentence that is shown first.
        odds: of each step at which it wrote a word of it.
        vector: the vector of that sentence, (H,), within -1..1.
        opening: which sentence is shown first.
        most: the most words that may be typed.
    """
    source, right = sentences[opening]
    return Interactive(
        "squeeze",
        f"Translator with one vector of {counted(len(vector), 'number')}, "
        f"{counted(len(sentences), 'sentence')} to choose",
        tables=[_table(source, written, right, gloss), stored(net)],
        parts=["net", "words", "bars", "sentence", "cho_net"],
        data={
            "sentences": [{"en": list(en), "de": list(de)} for en, de in sentences],
            "chosen": opening,
            "written": list(written),
            "odds": [
                {
                    # As many digits as the page shows: the fifth is another one on another
                    # processor, and to round twice is to be one off.
                    "top": [[word, round(share, 2)] for word, share in step.top],
                    "right": round(step.right, 2),
                }
                for step in odds
            ],
            "shown": SHOWN,
            "vector": rounded(vector),
            "gloss": dict(gloss),
            "most": most,
            "known": vocabulary(words),
        },
    )


def _table(source: Words, written: Words, right: Words, gloss: Mapping[str, str]) -> str:
    def glossed(word: str) -> str:
        return f"{word} ({gloss[word]})" if gloss.get(word, word) != word else word

    lines = {"it writes": written, "right": right}
    rows = [row([title], plain(map(glossed, line))) for title, line in lines.items()]
    return sheet(f"What it writes of “{' '.join(source)}”", None, rows)
