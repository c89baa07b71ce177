"""Sentences that differ in one word, at one step of a decoder: what it writes when one interferes.

Each trial does one thing to all of them, such as to cover a word. It is a table of Python's
making, a sentence a row, with the weight on each word as a bar and the word that is written.
"""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from course_lab.figures.touch.core import Interactive, caption, scrolling
from course_lab.figures.touch.text import name_by_name, number


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

    Raises:
        ValueError: no trial, or one whose words or weights do not fit the sentences.
    """
    if not trials:
        raise ValueError("want at least one trial")
    size = len(sentences), len(sentences[0])
    shares = [np.asarray(trial.weights, dtype=np.float64) for trial in trials]
    for trial, weights in zip(trials, shares, strict=True):
        if weights.shape != size or len(trial.written) != size[0]:
            raise ValueError(
                f"{trial.name!r}: want {size[0]} words and weights for {size[0]} by {size[1]}, "
                f"got {len(trial.written)} and {weights.shape}"
            )
    names = [sentence[differs] for sentence in sentences]
    told = {
        trial.name: [
            f"{word} for “{name}” (most weight {row.max():.2f})"
            for name, word, row in zip(names, trial.written, weights, strict=True)
        ]
        for trial, weights in zip(trials, shares, strict=True)
    }
    board = _Board(sentences, differs, trials)
    return Interactive(
        "swap",
        f"The next word of {size[0]} sentences, {len(trials)} trials",
        f"After “{begun}” it writes, {name_by_name(told)}",
        tables=[
            board.table(f"After “{begun}”: {trial.name}", trial, weights.tolist())
            for trial, weights in zip(trials, shares, strict=True)
        ],
        data={"names": [trial.name for trial in trials], "says": [trial.says for trial in trials]},
        parts=["steps"],
    )


class _Board(NamedTuple):
    """What the tables share."""

    sentences: Sequence[Sequence[str]]
    differs: int
    trials: Sequence[Intervention]

    def table(self, name: str, trial: Intervention, weights: Sequence[Sequence[float]]) -> str:
        rows = []
        for i, (word, before) in enumerate(zip(trial.written, self.trials[0].written, strict=True)):
            new = ' class="cl-new"' if word != before else ""
            rows.append(
                f"<tr>{self._words(i, trial, weights[i])}<td>→</td>"
                f"<td{new}><b>{escape(word)}</b></td></tr>"
            )
        head = (
            f'<tr><th colspan="{len(self.sentences[0])}" scope="col">weights</th><td></td>'
            '<th scope="col">writes</th></tr>'
        )
        body = f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody>"
        return scrolling(f"<table>{caption(name)}{body}</table>", name)

    def _words(self, i: int, trial: Intervention, weights: Sequence[float]) -> str:
        """A sentence: each word below its bar, and what was done to it below the word."""
        lender = self.sentences[(i + 1) % len(self.sentences)][self.differs]
        done = {trial.lent: ("cl-lent", f"{lender}’s"), trial.covered: ("cl-covered", "covered")}
        # Room in every trial for what is done to a word in one of them.
        wide = {place for each in self.trials for place in (each.covered, each.lent)}
        cells = []
        for j, (word, share) in enumerate(zip(self.sentences[i], weights, strict=True)):
            kind, told = done.get(j, ("", ""))
            classes = " ".join(filter(None, (kind, "cl-room" * (j in wide))))
            tag, scope = ("th", ' scope="row"') if j == self.differs else ("td", "")
            cells.append(
                f'<{tag}{scope} class="{classes}">'
                f'<span class="cl-bar" style="--w:{share:.2f}"></span>'
                f"<small>{number(share) or '&nbsp;'}</small><span>{escape(word)}</span>"
                f"<small>{escape(told) or '&nbsp;'}</small></{tag}>"
            )
        return "".join(cells)
