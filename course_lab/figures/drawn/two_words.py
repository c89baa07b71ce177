"""Two words by hand: where greedy search goes, and where the best sentence is (chapter 11)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Label, Part

AFTER = {
    "der": (0.6, {"Hund": 0.4, "Mann": 0.35, "König": 0.25}),
    "ein": (0.4, {"Hund": 0.9, "Mann": 0.1}),
}
"""First word: its probability, and those of the word after it."""
_FIRST, _SECOND, _END = 108, 204, 240
_ROW, _TOP = 40, 44


def two_words() -> Drawing:
    """A tree from left to right; the arrows are as wide as what they lead to is probable."""
    heights = {(a, b): _TOP + _ROW * i for i, (a, b) in enumerate(_sentences())}
    ways = {_greedy(): ("target", "greedy"), max(_sentences(), key=_product): ("weight", "best")}
    root = (22, sum(heights.values()) / len(heights))
    parts: list[Part] = [
        Label("first word", _FIRST, 16, "muted"),
        Label("second word", _SECOND - 4, 16, "muted"),
        Label("product", _END + 60, 16, "muted"),
        Label("start", root[0], root[1] + 5, "muted"),
    ]
    for first, (p, after) in AFTER.items():
        y = sum(heights[first, second] for second in after) / len(after)
        role = next((role for way, (role, _) in ways.items() if way[0] == first), "muted")
        parts += [
            Arrow([(root[0] + 18, root[1]), (_FIRST - 32, y)], role, 1 + 4 * p),
            Label(f"{p:g}", (root[0] + _FIRST) / 2 - 26, (root[1] + y) / 2 + 5, role),
            Box(first, _FIRST, y, 58, role),
        ]
        for second, q in after.items():
            x = heights[first, second]
            role, name = ways.get((first, second), ("muted", ""))
            product = f"{p:g} × {q:g} = {_product((first, second)):.2f}"
            parts += [
                Arrow([(_FIRST + 32, y), (_SECOND - 32, x)], role, 1 + 4 * q),
                Box(second, _SECOND, x, 58, role),
                Label(product, _END, x + (-2 if name else 5), role, "start"),
            ]
            if name:
                parts.append(Label(name, _END, x + 15, role, "start"))
    return Drawing(
        "two_words",
        "Five sentences of two words, and their probabilities",
        "A tree from start. The, der, has probability 0.6 and is followed by Hund, dog, 0.4; Mann, "
        "man, 0.35; König, king, 0.25: products 0.24, 0.21, 0.15. A, ein, has 0.4 and is followed "
        "by Hund, 0.9, or Mann, 0.1: products 0.36, the largest of all, and 0.04. The greedy way, "
        "der Hund, and the best one, ein Hund, have a colour each; the rest is grey.",
        _TOP + _ROW * len(heights) - 12,
        parts,
    )


def _sentences() -> list[tuple[str, str]]:
    return [(first, second) for first, (_, after) in AFTER.items() for second in after]


def _greedy() -> tuple[str, str]:
    first = max(AFTER, key=lambda word: AFTER[word][0])
    after = AFTER[first][1]
    return first, max(after, key=lambda word: after[word])


def _product(sentence: tuple[str, str]) -> float:
    p, after = AFTER[sentence[0]]
    return p * after[sentence[1]]
