"""A decoder at work: the state asks, bars rise, a context falls, a word comes out, again."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from course_lab.figures.touch.core import Interactive, number, sheet


class DecoderStep(NamedTuple):
    """One step.

    Attributes:
        read: the word that was written last, y_{i-1}.
        state: some numbers of s_{i-1}, each in -1..1.
        weights: over the S source words.
        context: some numbers of c_i.
        after: as many of s_i as of `state`.
        guesses: the likeliest next words with their shares; the first is written.
    """

    read: str
    state: Sequence[float]
    weights: Sequence[float]
    context: Sequence[float]
    after: Sequence[float]
    guesses: Sequence[tuple[str, float]]


def unfold(
    source: Sequence[str], steps: Sequence[DecoderStep], gloss: Mapping[str, str], opened: int = 0
) -> Interactive:
    """Draws each step from top to bottom, to be played: asks, weights, context, new state, word.

    Args:
        source: S words.
        steps: at least one.
        gloss: what a word that is written means.
        opened: the step that is shown first, whole.
    """
    written = [step.guesses[0][0] for step in steps]
    most = [source[max(range(len(source)), key=step.weights.__getitem__)] for step in steps]
    return Interactive(
        "unfold",
        f"A decoder at work, {len(steps)} steps",
        tables=[_table(source, i, step, gloss) for i, step in enumerate(steps, start=1)],
        data={
            "read": [step.read for step in steps],
            "written": written,
            "gloss": [gloss.get(word, "") for word in written],
            "most": most,
            "opened": opened,
        },
        parts=["steps"],
    )


def _table(source: Sequence[str], place: int, step: DecoderStep, gloss: Mapping[str, str]) -> str:
    old, new = _vector(step.state, "state"), _vector(step.after, "state")
    context = _vector(step.context, "context")
    read = f'<span class="cl-word">{escape(step.read)}</span>'
    words = "".join(
        f'<span class="cl-guess"><span class="cl-word">{escape(word)}</span>'
        f"<small>{escape(gloss.get(word, '')) or '&nbsp;'}</small>"
        f"<small>{number(share) or '.00'}</small></span>"
        for word, share in step.guesses
    )
    across = f' colspan="{len(source)}"'
    rows = [
        ("state <i>s</i>", f"<td{across}>{old} asks</td>"),
        ("weights <i>α</i>", "".join(map(_bar, step.weights))),
        ("context <i>c</i>", f"<td{across}>{context}</td>"),
        ("GRU", f"<td{across}>{old} + {read} + {context} → {new}</td>"),
        ("out", f"<td{across}>{words}</td>"),
    ]
    body = [f'<tr><th scope="row">{name}</th>{cells}</tr>' for name, cells in rows]
    return sheet(f"Step {place}, after “{step.read}”", source, body)


def _bar(weight: float) -> str:
    return (
        f'<td><span class="cl-bar" style="--w:{weight:.2f}"></span>'
        f"<small>{number(weight) or '.00'}</small></td>"
    )


def _vector(numbers: Sequence[float], role: str) -> str:
    """Cells that are the darker the higher the number."""
    cells = "".join(f'<span style="--w:{(1 + each) / 2:.2f}"></span>' for each in numbers)
    return f'<span class="cl-vector cl-{role}" aria-hidden="true">{cells}</span>'
