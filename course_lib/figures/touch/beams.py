"""A beam search as a tree, one column a step, and the cache that each hypothesis fills."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course_lib.figures.touch.core import Interactive, caption, heads, scrolling


class Node(NamedTuple):
    """One hypothesis of a step.

    Attributes:
        word: the token that it was continued by.
        parent: which hypothesis of the step before it continues, by its place there; 0 at first.
        total: log-probability of all its tokens.
        ended: whether the token is the end mark.
    """

    word: str
    parent: int
    total: float
    ended: bool


class Search(NamedTuple):
    """A whole search with so many beams.

    Attributes:
        steps: the hypotheses of each step, the most probable first.
        written: the words of the best sentence.
        total: its log-probability, the end mark included.
    """

    steps: list[list[Node]]
    written: list[str]
    total: float


def beam_tree(
    source: Sequence[str], right: Sequence[str], searches: Mapping[int, Search]
) -> Interactive:
    """Draws searches of one sentence; the reader chooses the width, steps, and picks a hypothesis.

    It opens at the end of the search with two beams, or the narrowest there is beyond one.

    Args:
        source: the sentence that is translated.
        right: its translation.
        searches: by number of beams, one of them 1.

    Raises:
        ValueError: no search with one beam, a step without hypotheses, more of them than beams, or
            a parent that is not there or has ended.
    """
    if 1 not in searches or len(searches) < 2:
        raise ValueError(f"wanted one beam and a wider search, got widths {sorted(searches)}")
    for width, found in searches.items():
        _check(width, found)
    widths = sorted(searches)
    told = "; ".join(
        f"{width} beam{'s' * (width > 1)}: “{' '.join(searches[width].written)}” "
        f"{_signed(searches[width].total)}, "
        f"{'right' if searches[width].written == list(right) else 'wrong'}"
        for width in widths
    )
    return Interactive(
        "beams",
        f"Beam search step by step, {len(source)} source words, widths {widths[0]} to {widths[-1]}",
        f"Source: “{' '.join(source)}”. Found, with log-probabilities: {told}.",
        tables=[_table(width, searches[width]) for width in widths],
        data={
            "source": list(source),
            "right": list(right),
            "widths": widths,
            "searches": [
                {"steps": searches[w].steps, "written": searches[w].written} for w in widths
            ],
        },
    )


def _check(width: int, found: Search) -> None:
    before = [Node("", 0, 0.0, False)]
    for number, nodes in enumerate(found.steps, start=1):
        if not 1 <= len(nodes) <= width:
            raise ValueError(f"step {number}: wanted 1 to {width} hypotheses, got {len(nodes)}")
        for node in nodes:
            if not 0 <= node.parent < len(before) or before[node.parent].ended:
                raise ValueError(f"step {number}: {node.word!r} continues what is not there")
        before = nodes


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _table(width: int, found: Search) -> str:
    rows, before = [], [["(start)"]]
    for number, nodes in enumerate(found.steps, start=1):
        lines = [[*before[node.parent], node.word] for node in nodes]
        for line, node in zip(lines, nodes, strict=True):
            words = " ".join(line[1:])
            rows.append(f"<tr>{heads([number, words], 'row')}<td>{_signed(node.total)}</td></tr>")
        before = lines
    name = f"Hypotheses of each step, {width} beam{'s' * (width > 1)}"
    return scrolling(
        f"<table>{caption(name)}<thead><tr>{heads(['step', 'hypothesis', 'log-probability'])}"
        f"</tr></thead><tbody>{''.join(rows)}</tbody></table>",
        name,
    )
