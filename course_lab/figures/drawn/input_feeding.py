"""Two steps of Luong's decoder: it moves, then looks, and feeds what it found (chapter 6a)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Cells, Label, Part

_STEPS = (("i-1", "i-2", 96.0), ("i", "i-1", 266.0))
_OUT, _TILDE, _JOIN, _CONTEXT, _LOOK, _STATE, _FED, _WORD = 22, 70, 124, 176, 226, 286, 320, 356


def input_feeding() -> Drawing:
    """The state moves, then looks; state and context make s tilde, which the next step reads."""
    parts: list[Part] = []
    for now, before, x in _STEPS:
        parts += [*_step(now, before, x), *_ways(x)]
    return Drawing(
        "input_feeding",
        "Two steps of a decoder with input feeding",
        "In each step, from below: the state s i is made from the state before it and the word "
        "y i minus 1. It looks at the annotations h j and gets the context c i. Context and state, "
        "through the matrix W c and a tanh, make the attentional state s tilde i, and from it the "
        "word y i is predicted. Dashed, input feeding: s tilde i minus 1 goes down again, and "
        "beside the word y i minus 1 into the next state.",
        370,
        parts,
    )


def _step(now: str, before: str, x: float) -> list[Part]:
    return [
        Label(f"$y_{{{now}}}$", x, _OUT, "target"),
        Cells(x, _TILDE, "state"),
        Label(f"$s̃_{{{now}}}$", x - 26, _TILDE + 5, "state", "end"),
        Box("$W_c$, tanh", x, _JOIN, 84),
        Cells(x, _CONTEXT, "context"),
        Label(f"$c_{{{now}}}$", x - 26, _CONTEXT + 5, "context", "end"),
        Box("looks at $h_j$", x, _LOOK, 92, "weight"),
        Cells(x, _STATE, "state"),
        Label(f"$s_{{{now}}}$", x - 26, _STATE - 12, "state", "end"),
        Label(f"$y_{{{before}}}$", x, _WORD + 8, "target"),
    ]


def _ways(x: float) -> list[Part]:
    up, aside = _STATE - 7, x + 54
    return [
        Arrow([(x, _TILDE - 7), (x, _OUT + 8)], "target"),
        Arrow([(x, _JOIN - 14), (x, _TILDE + 7)], "state"),
        Arrow([(x, _CONTEXT - 7), (x, _JOIN + 14)], "context"),
        Arrow([(x, _LOOK - 14), (x, _CONTEXT + 7)], "context"),
        Arrow([(x, up), (x, _LOOK + 14)], "state"),
        Arrow(
            [(x + 14, up), (x + 14, up - 15), (aside, up - 15), (aside, _JOIN), (x + 42, _JOIN)],
            "state",
        ),
        Arrow([(max(4, x - 149), _STATE), (x - 21, _STATE)], "state"),
        Arrow([(x, _WORD - 6), (x, _STATE + 7)], "target"),
        Arrow([(x + 21, _TILDE), (x + 85, _TILDE), (x + 85, _FED)], "state", 1.6, True, False),
        Arrow([(x - 85, _FED), (x - 14, _FED), (x - 14, _STATE + 7)], "state", 1.6, True),
    ]
