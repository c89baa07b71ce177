"""A beam search as a tree, step by step, and the cache that each hypothesis fills."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course_lab.figures.touch.core import Interactive, counted, plain, row, sheet


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

    It opens at the end of the search with two beams, or the narrowest there is beyond one. What a
    narrow search did not keep is taken from the widest one, as far as that one kept it.

    Args:
        source: the sentence that is translated.
        right: its translation.
        searches: by number of beams, one of them 1.
    """
    widths = sorted(searches)
    dropped = {width: _dropped(found, searches[widths[-1]]) for width, found in searches.items()}
    return Interactive(
        "beams",
        f"Beam search step by step, {len(source)} source words, widths {widths[0]} to {widths[-1]}",
        tables=[_table(width, searches[width], dropped[width]) for width in widths],
        data={
            "source": list(source),
            "right": list(right),
            "widths": widths,
            "searches": [
                {"steps": found.steps, "written": found.written, "dropped": dropped[width]}
                for width, found in sorted(searches.items())
            ],
        },
    )


def _lines(steps: Sequence[Sequence[Node]]) -> list[list[tuple[str, ...]]]:
    """All words of each hypothesis of each step."""
    lines, before = [], [()]
    for nodes in steps:
        before = [(*before[node.parent], node.word) for node in nodes]
        lines.append(before)
    return lines


def _dropped(found: Search, widest: Search) -> list[list[Node]]:
    """Of each step the next best that continue what was kept, and were not kept themselves.

    No step has more hypotheses, kept and dropped, than the widest search has at most.
    """
    most = max(map(len, widest.steps))
    dropped: list[list[Node]] = [[] for _ in found.steps]
    known, parents = _lines(widest.steps), [()]
    for left, kept, words, nodes in zip(
        dropped, _lines(found.steps), known, widest.steps, strict=False
    ):
        left += [
            node._replace(parent=parents.index(line[:-1]))
            for line, node in zip(words, nodes, strict=True)
            if line[:-1] in parents and line not in kept
        ][: most - len(kept)]
        parents = kept
    return dropped


def _table(width: int, found: Search, dropped: Sequence[Sequence[Node]]) -> str:
    rows = []
    # What was dropped stands behind what was kept: no parent has another number for it.
    both = [[*kept, *left] for kept, left in zip(found.steps, dropped, strict=True)]
    for number, (lines, nodes) in enumerate(zip(_lines(both), both, strict=True), start=1):
        for place, (words, node) in enumerate(zip(lines, nodes, strict=True)):
            kept = "yes" if place < len(found.steps[number - 1]) else "no"
            # As many digits as are stored, or the numbers would not add up to the sums.
            total = f"{node.total:.3f}".replace("-", "−")
            rows.append(row([number, " ".join(words)], plain([total, kept])))
    name = f"Hypotheses of each step, {counted(width, 'beam')}"
    return sheet(name, ["step", "hypothesis", "log-probability", "kept"], rows, corners=0)
