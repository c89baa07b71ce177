"""The encoder-decoder with one vector between its two nets (chapter 2)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Cells, Label, Part, chain

_COLUMNS = (104.0, 174.0, 244.0, 314.0)
_READ = ("girls", "sleep", ".", "</s>")
_WRITTEN = ("Mädchen", "schlafen", ".", "</s>")
_ENCODER, _VECTOR, _BUS, _DECODER = 54.0, 122.0, 158.0, 240.0
_LEFT = 12.0


def one_vector() -> Drawing:
    """Two recurrent nets, and all that the second knows of the source is one vector."""
    return Drawing(
        "one_vector",
        "Encoder and decoder with one vector between them",
        "The encoder reads the words girls, sleep, full stop and end mark, one a step; each state "
        "goes on to the next, from h 0, which is zero, to h 4. From h 4 comes the vector c. It "
        "begins the decoder's states s 0 to s 4. The decoder reads the start mark, Mädchen, "
        "schlafen and full stop, and writes Mädchen, schlafen, full stop and end mark. In Cho's "
        "model, dashed, c goes into each step too.",
        318,
        [*_encoder(), *_vector(), *_decoder()],
    )


def _encoder() -> list[Part]:
    states = [Cells(x, _ENCODER, "source") for x in _COLUMNS]
    first = states[0].x - states[0].half[0]
    parts: list[Part] = [
        Label("reads", 2, 18, "muted", "start"),
        Label("$h_0$ = 0", 24, _ENCODER + 5, "source"),
        Arrow([(52, _ENCODER), (first, _ENCODER)], "source"),
        *chain(states, "source"),
        *states,
    ]
    for number, (word, x) in enumerate(zip(_READ, _COLUMNS, strict=True), start=1):
        parts += [
            Label(word, x, 18, "source"),
            Arrow([(x, 24), (x, _ENCODER - 7)], "source"),
            Label(f"$h_{number}$", x, _ENCODER + 25, "source"),
        ]
    return parts


def _vector() -> list[Part]:
    vector = Cells(174, _VECTOR, "context")  # as wide as the states
    end = _COLUMNS[-1] + 21
    left, right = vector.x - vector.half[0], vector.x + vector.half[0]
    drops = [x - 35 for x in _COLUMNS]
    ways: list[Part] = [
        Arrow([(end, _ENCODER), (352, _ENCODER), (352, _VECTOR), (right, _VECTOR)], "context"),
        Arrow([(left, _VECTOR), (_LEFT, _VECTOR), (_LEFT, _DECODER - 7)], "context"),
        Arrow([(vector.x, _VECTOR + 7), (vector.x, _BUS)], "context", 1.2, True, False),
        Arrow([(drops[0], _BUS), (drops[-1], _BUS)], "context", 1.2, True, False),
    ]
    for drop, x in zip(drops, _COLUMNS, strict=True):
        way = [(drop, _BUS), (drop, _DECODER - 21), (x - 21, _DECODER - 5)]
        ways.append(Arrow(way, "context", 1.2, True))
    return [
        *ways,
        vector,
        Label("$c$", vector.x, _VECTOR - 13, "context"),
        Label("one vector", right + 8, _VECTOR - 8, "context", "start"),
        Label("Cho: into each", vector.x + 7, _BUS - 6, "context", "start"),
    ]


def _decoder() -> list[Part]:
    begin = Cells(_LEFT + 11, _DECODER, "state")
    states = [begin, *(Cells(x, _DECODER, "state") for x in _COLUMNS)]
    parts: list[Part] = [
        *chain(states, "state"),
        *states,
        Label("$s_0$", begin.x, _DECODER + 26, "state"),
        Label("writes", 20, 195, "muted", "start"),
        Label("reads", 2, 308, "muted", "start"),
    ]
    read = ("<s>", *_WRITTEN[:-1])
    columns = enumerate(zip(_COLUMNS, read, _WRITTEN, strict=True), start=1)
    for number, (x, before, written) in columns:
        parts += [
            Label(written, x, 195, "target"),
            Arrow([(x, _DECODER - 7), (x, 200)], "target"),
            Arrow([(x, 295), (x, _DECODER + 7)], "target"),
            Label(f"$s_{number}$", x + 16, _DECODER + 26, "state"),
            Label(before, x, 308, "target"),
        ]
    return parts
