"""Watch a recurrent net write: its state, the words that may come next, one word after another."""

import base64
from collections.abc import Mapping, Sequence

from course_lab.figures.touch.core import Interactive, plain, row, sheet

NOTHING = "(nothing)"
"""How a beginning without words is called."""


def forecast(
    net: bytes,
    words: Sequence[str],
    following: Mapping[str, Mapping[str, float]],
    written: Mapping[float, Sequence[str]],
    *,
    sums: Mapping[str, Sequence[str]],
    stop: str,
    most: int,
) -> Interactive:
    """Shows a net's state and its next words, and lets it, or the reader, choose one after another.

    Args:
        net: a safetensors file as `course_lab.experiments.recurrence.in_page` makes it.
        words: of the net's ids; the first stands before each sentence and is never written.
        following: for each beginning that is offered, words separated by blanks, the likeliest
            next words with their probabilities, as many for each. The figure opens on the first.
        written: sentences of the net by temperature, for a page without a script.
        sums: words whose probabilities are added up below the next words, by a name.
        stop: the word that ends a sentence.
        most: how many words a sentence may have.
    """
    ids = {word: i for i, word in enumerate(words)}
    shown = len(next(iter(following.values())))
    next_rows = [
        row([beginning or NOTHING], plain(f"{word} {p:.2f}" for word, p in shares.items()))
        for beginning, shares in following.items()
    ]
    written_rows = [
        row([f"{temperature:g}"], plain([sentence]))
        for temperature, sentences in written.items()
        for sentence in sentences
    ]
    return Interactive(
        "forecast",
        f"A recurrent net that writes, {len(words) - 1} words",
        tables=[
            sheet(
                "The likeliest next words after a beginning, with their probabilities",
                ["after", *range(1, shown + 1)],
                next_rows,
                corners=0,
            ),
            sheet(
                "Sentences that it wrote, by temperature",
                ["temperature", "sentence"],
                written_rows,
                corners=0,
            ),
        ],
        data={
            "net": base64.b64encode(net).decode(),
            "words": list(words),
            "beginnings": [[ids[word] for word in beginning.split()] for beginning in following],
            "names": [beginning or NOTHING for beginning in following],
            "shown": shown,
            "sums": [[name, [ids[word] for word in some]] for name, some in sums.items()],
            "stop": ids[stop],
            "most": most,
        },
        parts=["net", "bars", "sentence"],
    )
