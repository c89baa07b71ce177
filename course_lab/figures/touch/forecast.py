"""Watch a recurrent net write: its state, the words that may come next, one word after another."""

import base64
from collections.abc import Mapping, Sequence
from html import escape

from course_lab.figures.touch.core import Interactive, row, sheet

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
    begun = [beginning.split() for beginning in following]
    first, shares = next(iter(following.items()))
    told = ", ".join(f"{word} {share:.2f}" for word, share in shares.items())
    return Interactive(
        "forecast",
        f"A recurrent net that writes, {len(words) - 1} words",
        f"After “{first or NOTHING}” it gives most to: {told}.",
        tables=[_next_table(following), _written_table(written)],
        data={
            "net": base64.b64encode(net).decode(),
            "words": list(words),
            "beginnings": [[list(words).index(word) for word in line] for line in begun],
            "names": [beginning or NOTHING for beginning in following],
            "shown": len(shares),
            "sums": [
                [name, [list(words).index(word) for word in some]] for name, some in sums.items()
            ],
            "stop": list(words).index(stop),
            "most": most,
        },
        parts=["net", "bars", "sentence"],
    )


def _next_table(following: Mapping[str, Mapping[str, float]]) -> str:
    rows = [
        row(
            [beginning or NOTHING],
            *(f"<td>{escape(word)} {share:.2f}</td>" for word, share in shares.items()),
        )
        for beginning, shares in following.items()
    ]
    count = len(next(iter(following.values())))
    name = "The likeliest next words after a beginning, with their probabilities"
    return sheet(name, ["after", *range(1, count + 1)], rows, corners=0)


def _written_table(written: Mapping[float, Sequence[str]]) -> str:
    rows = [
        row([f"{temperature:g}"], f"<td>{escape(sentence)}</td>")
        for temperature, sentences in written.items()
        for sentence in sentences
    ]
    columns = ["temperature", "sentence"]
    return sheet("Sentences that it wrote, by temperature", columns, rows, corners=0)
