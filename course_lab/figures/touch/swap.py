"""Sentences that differ in one word, at one step of a decoder: what it writes when one interferes.

Each trial does one thing to all of them, such as to cover a word. It is a table of Python's
making, a sentence a row, with the weight on each word as a bar and the word that is written.
"""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from course_lab.figures.touch.core import Interactive, number, scrolling


class Intervention(NamedTuple):
    """One thing that is done to all N sentences.

    Attributes:
        name: on its key, such as "cover the noun".
        says: what comes of it, in words.
        written: the next word of each sentence, N of them.
        weights: of that step over the words, (N, S).
        covered: the position that may not be read, where there is one.
        lent: the position that each sentence reads in the next one, and the last in the first.
    """

    name: str
    says: str
    written: Sequence[str]
    weights: object
    covered: int | None = None
    lent: int | None = None


def swap(
    sentences: Sequence[Sequence[str]], differs: int, begun: str, trials: Sequence[Intervention]
) -> Interactive:
    """Shows the next word of each sentence, one trial at a time; the first is what is compared.

    Args:
        sentences: N sentences of S words.
        differs: the position of the word in which they differ, and by which they are named.
        begun: what the decoder has written so far, the same for all.
        trials: at least one; the first leaves everything as it is.
    """
    # Room in every trial for what is done to a word in one of them.
    wide = {place for each in trials for place in (each.covered, each.lent)}

    def cell(i: int, j: int, trial: Intervention) -> str:
        """A word below its bar, and below the word what was done to it."""
        lender = sentences[(i + 1) % len(sentences)][differs]
        done = {trial.lent: ("cl-lent", f"{lender}’s"), trial.covered: ("cl-covered", "covered")}
        kind, told = done.get(j, ("", ""))
        tag, scope = ("th", ' scope="row"') if j == differs else ("td", "")
        share = float(trial.weights[i][j])
        classes = " ".join(filter(None, (kind, "cl-room" * (j in wide))))
        return (
            f'<{tag}{scope} class="{classes}">'
            f'<span class="cl-bar" style="--w:{share:.2f}"></span>'
            f"<small>{number(share) or '&nbsp;'}</small><span>{escape(sentences[i][j])}</span>"
            f"<small>{escape(told) or '&nbsp;'}</small></{tag}>"
        )

    def table(trial: Intervention) -> str:
        rows = []
        for i, (word, before) in enumerate(zip(trial.written, trials[0].written, strict=True)):
            words = "".join(cell(i, j, trial) for j in range(len(sentences[i])))
            new = ' class="cl-new"' if word != before else ""
            rows.append(f"<tr>{words}<td>→</td><td{new}><b>{escape(word)}</b></td></tr>")
        head = (
            f'<tr><th colspan="{len(sentences[0])}" scope="col">weights</th><td></td>'
            '<th scope="col">writes</th></tr>'
        )
        name = f"After “{begun}”: {trial.name}"
        body = f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody>"
        return scrolling(body, name)

    return Interactive(
        "swap",
        f"The next word of {len(sentences)} sentences, {len(trials)} trials",
        tables=list(map(table, trials)),
        data={"names": [trial.name for trial in trials], "says": [trial.says for trial in trials]},
        parts=["steps"],
    )
