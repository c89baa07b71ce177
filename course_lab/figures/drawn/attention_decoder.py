"""One step of a decoder that looks back (chapter 4)."""

from itertools import pairwise

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Cells, Gate, Label, Part

_COLUMNS = {"1": 116.0, "2": 176.0, "3": 236.0, "S": 334.0}
_LOOKS = {"1": 1.2, "2": 6.5, "3": 2.6, "S": 1.0}
"""How thick the lines are: this step looks at the second word."""
_WORDS, _FORWARDS, _BACKWARDS = 18.0, 45.0, 59.0
"""The two states of a word stand one on the other: together they are its annotation."""
_SCORE, _SUM, _CONTEXT, _STATE, _OUT = 118.0, 222.0, 262.0, 328.0, 400.0
_MIDDLE, _ASKS, _NEXT = 206.0, 30.0, 330.0


def attention_decoder() -> Drawing:
    """The state asks, the annotations answer, their weighted sum is read."""
    return Drawing(
        "attention_decoder",
        "One step of a decoder with attention",
        "Two nets read the source words x 1 to x S, one forwards and one backwards; their two "
        "states at a word, end to end, are its annotation. "
        "The annotations h 1 to h S and the state s i minus 1, which asks, go into a score and a "
        "softmax. Out come the weights alpha i 1 to alpha i S: lines from the "
        "annotations, as thick as their weights, that meet in a sum, the context c i. The state "
        "s i is made of s i minus 1, the context c i and the word y i minus 1, and goes on to "
        "s i plus 1. The layer out receives the state s i, the word y i minus 1 and the context "
        "c i, and gives the word y i.",
        462,
        [*_annotations(), *_context(), *_step()],
    )


def _annotations() -> list[Part]:
    parts: list[Part] = [
        Label("forwards", 2, _FORWARDS + 4, "source", "start"),
        Label("backwards", 2, _BACKWARDS + 4, "source", "start"),
        Label("annotations", 2, 92, "source", "start"),
        Label("…", 286, 92, "source"),
        Label("…", 290, _SCORE + 34, "weight"),
        *_chains(),
    ]
    for index, x in _COLUMNS.items():
        side = -1 if x < _MIDDLE else 1
        start = _SCORE + 14
        # The label stands beside its line, on the outer side.
        beside = x + 0.27 * (_MIDDLE - x) + side * (8 + _LOOKS[index])
        parts += [
            Label(f"$x_{index}$", x, _WORDS, "source"),
            Arrow([(x, _WORDS + 6), (x, _FORWARDS - 8)], "source"),
            Cells(x, _FORWARDS, "source"),
            Cells(x, _BACKWARDS, "source"),
            Arrow([(x, _BACKWARDS + 7), (x, _SCORE - 14)], "source"),
            Label(f"$h_{index}$", x + 8, 92, "source", "start"),
            Arrow([(x, start), (_MIDDLE, _SUM)], "weight", _LOOKS[index], head=False),
            Label(
                f"$α_{{i{index}}}$", beside, start + 28, "weight", "end" if side < 0 else "start"
            ),
        ]
    return [*parts, Box("score, then softmax", 226, _SCORE, 264, "weight")]


def _chains() -> list[Part]:
    """Each state is read by the next one; between the third word and the last stands a gap."""
    ends = [(x + 21, y - 21) for x, y in pairwise(_COLUMNS.values())]
    return [
        arrow
        for left, right in ends
        for arrow in (
            Arrow([(left, _FORWARDS), (right, _FORWARDS)], "source"),
            Arrow([(right, _BACKWARDS), (left, _BACKWARDS)], "source"),
        )
    ]


def _context() -> list[Part]:
    return [
        Arrow([(_MIDDLE, _SUM), (_MIDDLE, _CONTEXT - 7)], "context"),
        Gate("+", _MIDDLE, _SUM, "context"),
        Cells(_MIDDLE, _CONTEXT, "context"),
        Label("$c_i$", _MIDDLE + 28, _CONTEXT + 5, "context", "start"),
        Label("context", _MIDDLE - 28, _CONTEXT + 5, "context", "end"),
    ]


def _step() -> list[Part]:
    before, now, after = (Cells(x, _STATE, "state") for x in (_ASKS, _MIDDLE, _NEXT))
    word, down = (_ASKS + 22, _OUT), _STATE + 7
    return [
        Arrow([(_ASKS, _STATE - 7), (_ASKS, _SCORE), (94, _SCORE)], "state"),
        Label("asks", _ASKS + 8, 200, "state", "start"),
        Arrow([(_ASKS + 21, _STATE), (_MIDDLE - 21, _STATE)], "state"),
        Arrow([(_MIDDLE + 21, _STATE), (_NEXT - 21, _STATE)], "state"),
        Arrow([(_MIDDLE, _CONTEXT + 7), (_MIDDLE, _STATE - 7)], "context"),
        Arrow([(130, _OUT), (130, 352), (_MIDDLE - 14, down)], "target"),
        Arrow([word, (_MIDDLE - 34, _OUT)], "target"),
        Arrow([(_MIDDLE, down), (_MIDDLE, _OUT - 14)], "state"),
        Arrow(
            [
                (_MIDDLE + 50, _CONTEXT),
                (_MIDDLE + 70, _CONTEXT),
                (_MIDDLE + 70, _OUT),
                (_MIDDLE + 34, _OUT),
            ],
            "context",
        ),
        Arrow([(_MIDDLE, _OUT + 14), (_MIDDLE, _OUT + 40)], "target"),
        before,
        now,
        after,
        Box("out", _MIDDLE, _OUT, 68),
        Label("$s_{i-1}$", _ASKS, _STATE + 24, "state"),
        Label("$s_i$", _MIDDLE + 26, _STATE + 24, "state", "start"),
        Label("$s_{i+1}$", _NEXT, _STATE + 24, "state"),
        Label("$y_{i-1}$", _ASKS, _OUT + 5, "target"),
        Label("$y_i$", _MIDDLE, _OUT + 56, "target"),
    ]
