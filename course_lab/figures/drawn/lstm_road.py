"""The LSTM as a road with a gate on it (chapter 1)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Gate, Label, Part

_ROAD, _GATES, _LAYER, _WORD = 44.0, 134.0, 204.0, 256.0
_FORGET, _INPUT, _OUTPUT, _EXIT = 100.0, 166.0, 228.0, 292.0


def lstm_road() -> Drawing:
    """From cell to cell there is one factor, the forget gate; all matrices lie beside the road."""
    return Drawing(
        "lstm_road",
        "The LSTM's cell is a road with a gate",
        "A thick arrow, the road, leads from c j minus 1 to c j. On it stand two signs: times, "
        "where the forget gate f says how much is kept, and plus, where what is written, the "
        "input gate i times the candidate c tilde, is added. From c j a side way goes through a "
        "tanh and is multiplied by the output gate o; it is h j. Below the road lie the layers "
        "with the weights W ih and W hh. They read x j and h j minus 1 and make f, i, c tilde "
        "and o.",
        270,
        [*_road(), *_gates(), *_layers()],
    )


def _road() -> list[Part]:
    return [
        Label("$c_{j-1}$", 24, _ROAD + 5, "state"),
        Arrow([(48, _ROAD), (_FORGET - 11, _ROAD)], "state", 5),
        Gate("×", _FORGET, _ROAD, "weight"),
        Arrow([(_FORGET + 11, _ROAD), (_INPUT - 11, _ROAD)], "state", 5),
        Gate("+", _INPUT, _ROAD),
        Arrow([(_INPUT + 11, _ROAD), (322, _ROAD)], "state", 5),
        Label("$c_j$", 340, _ROAD + 5, "state"),
    ]


def _gates() -> list[Part]:
    gates: list[Part] = []
    for text, x, wide, word in (
        ("$f$", _FORGET, 36, "keep"),
        ("$i$ ⊙ $c̃$", _INPUT, 58, "write"),
    ):
        gates += [
            Arrow([(x, _GATES - 14), (x, _ROAD + 11)], "weight"),
            Label(word, x + 7, _GATES - 36, "muted", "start"),
            Box(text, x, _GATES, wide, "weight"),
        ]
    return [
        *gates,
        Arrow([(_EXIT, _ROAD + 3), (_EXIT, 76)], "state"),
        Box("tanh", _EXIT, 89, 46, "ink", 26),
        Arrow([(_EXIT, 102), (_EXIT, _GATES - 11)], "state"),
        Gate("×", _EXIT, _GATES, "weight"),
        Box("$o$", _OUTPUT, _GATES, 34, "weight"),
        Label("show", 261, _GATES - 20, "muted"),
        Arrow([(_OUTPUT + 17, _GATES), (_EXIT - 11, _GATES)], "weight"),
        Arrow([(_EXIT, _GATES + 11), (_EXIT, _LAYER), (324, _LAYER)], "state"),
        Label("$h_j$", 341, _LAYER + 5, "state"),
    ]


def _layers() -> list[Part]:
    return [
        Label("$h_{j-1}$", 24, _LAYER + 5, "state"),
        Arrow([(48, _LAYER), (72, _LAYER)], "state"),
        *(
            Arrow([(x, _LAYER - 14), (x, _GATES + 14)], "weight")
            for x in (_FORGET, _INPUT, _OUTPUT)
        ),
        Box("$W_{ih}$, $W_{hh}$, σ and tanh", 162, _LAYER, 180),
        Arrow([(162, _WORD - 16), (162, _LAYER + 14)], "source"),
        Label("$x_j$", 162, _WORD, "source"),
    ]
