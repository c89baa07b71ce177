"""Chapter 8's three words by hand: their queries and their keys, in the plane."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Gate, Label, Part, Point

WORDS = {"dog": (2.0, 0.0), "puppy": (1.0, 1.0), "barks": (0.0, 2.0)}
QUERY_MAP = ((0.0, 1.0), (0.0, 0.0))
"""W_Q by rows: a first component goes to the second place, a second one is forgotten."""
_UNIT, _FLOOR, _APART = 52.0, 172.0, 0.08
_LEFT, _RIGHT = 26.0, 218.0


def asked() -> dict[str, Point]:
    """Each word's query: its vector times W_Q."""
    (a, b), (c, d) = QUERY_MAP
    return {name: (x * a + y * c, x * b + y * d) for name, (x, y) in WORDS.items()}


def asks_in_plane() -> Drawing:
    """At the left every query is the word itself, at the right W_Q turns it."""
    queries = asked()
    parts: list[Part] = []
    for left, title in ((_LEFT, "S Sᵀ: query = word"), (_RIGHT, "queries through $W_Q$")):
        parts += [
            Label(title, left - 18, 22, "ink", "start"),
            Arrow([_at(left, (-0.2, 0)), _at(left, (2.45, 0))], "muted", 0.8, False, False),
            Arrow([_at(left, (0, -0.2)), _at(left, (0, 2.45))], "muted", 0.8, False, False),
        ]
    for word in WORDS.values():
        parts.append(_arrow(_LEFT, word, 0.0))
    # The queries of dog and of puppy lie on one line; drawn beside each other both can be seen.
    for name, side in (("dog", -_APART), ("puppy", _APART)):
        parts.append(_arrow(_RIGHT, queries[name], side))
    for left in (_LEFT, _RIGHT):
        for name, word in WORDS.items():
            x, y = _at(left, word)
            beside = {"dog": (2, 22, "middle"), "puppy": (10, -4, "start")}
            dx, dy, anchor = beside.get(name, (12, 2, "start"))
            parts += [Gate("", x, y, "key", 5), Label(name, x + dx, y + dy, "key", anchor)]
    x, y = _at(_RIGHT, (0, 0))
    parts += [
        Gate("", x, y, "query", 3.5),
        Label("of dog", x - 10, y - 62, "query", "end"),
        Label("of puppy", x + 12, y - 26, "query", "start"),
        Label("of barks: zero", x - 4, y + 44, "query", "start"),
    ]
    return Drawing(
        "asks_in_plane",
        "Three words in the plane, their queries and their keys",
        "Two planes with the words dog at (2, 0), puppy at (1, 1) and barks at (0, 2) as dots. "
        "Arrows are queries. At the left, S S transposed, every arrow ends at its "
        "own dot. At the right W Q has turned them: the arrow of dog ends at barks, that of "
        "puppy half-way there; that of barks has no length.",
        226,
        parts,
        width=350,
    )


def _arrow(left: float, query: Point, side: float) -> Arrow:
    return Arrow([_at(left, (side, 0)), _at(left, (query[0] + side, query[1]))], "query", 2.2)


def _at(left: float, point: Point) -> Point:
    return left + _UNIT * point[0], _FLOOR - _UNIT * point[1]
