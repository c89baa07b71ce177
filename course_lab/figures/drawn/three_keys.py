"""Three keys in the plane, and how far each reaches along a query (chapter 5)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Gate, Label, Part, plane

_FLOOR = 186.0
_at = plane(62.0, _FLOOR, 78.0)
QUERY = (1.0, 0.0)
KEYS = {"dog": (1.0, 0.0), "cat": (0.0, 1.0), "whale": (2.0, 2.0)}


def three_keys() -> Drawing:
    """Keys of a dog, a cat and a whale; a line from each to the query's axis, with its score."""
    parts: list[Part] = [Arrow([_at((-0.3, 0)), _at((2.75, 0))], "muted", 1.2)]
    for x, y in KEYS.values():
        if y:
            parts.append(Arrow([_at((x, y)), _at((x, 0))], "key", 1.4, True, False))
    parts.append(Arrow([_at((0, 0)), _at((QUERY[0] - 0.08, 0))], "query", 3))
    for name, key in KEYS.items():
        x, y = _at(key)
        score = sum(a * b for a, b in zip(QUERY, key, strict=True))
        parts += [
            Gate("", x, y, "key", 6),
            Label(name, x, y - 13, "key"),
            Label(f"{score:g}", x, _FLOOR + 22, "ink"),
        ]
    parts += [
        Label("$q$", _at((0.5, 0))[0], _FLOOR - 9, "query"),
        Label("dot product with", 258, _FLOOR + 42, "ink", "end"),
        Label("$q$", 268, _FLOOR + 42, "query"),
    ]
    return Drawing(
        "three_keys",
        "Three keys, and how far each reaches along the query",
        "The plane with three keys: dog at 1, 0, where the query q ends too, cat at 0, 1 and whale "
        "at 2, 2. Dashed lines go down from cat and whale to the axis along which the query "
        "points. There the dot products are read: cat 0, dog 1, whale 2.",
        240,
        parts,
        width=300,
    )
