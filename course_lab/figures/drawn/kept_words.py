"""What a decoder reads at each step, with a cache and without (chapter 11)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import CELL, Cells, Label, Part

STEPS = 5
_TOP = 52


def kept_words() -> Drawing:
    """Two triangles: a row a step, a square a word; read anew, or kept."""
    parts: list[Part] = []
    for left, name, count in (
        (60, "without", STEPS * (STEPS + 1) // 2),
        (220, "with a cache", STEPS),
    ):
        parts.append(Label(name, left + 35, 20))
        parts.append(Label(f"{count} words read", left + 35, _TOP + 17 * STEPS + 14, "key"))
        if name != "without":
            parts.append(Label("grey: kept", left + 35, _TOP + 17 * STEPS + 34, "muted"))
        for row in range(1, STEPS + 1):
            y = _TOP + 17 * (row - 1)
            read = row if name == "without" else 1
            if row > read:
                parts.append(Cells(left + (row - read) * CELL / 2, y, "muted", row - read))
            parts.append(Cells(left + (row - read / 2) * CELL, y, "key", read))
    parts += [
        Label(f"step {row}", 46, _TOP + 5 + 17 * (row - 1), "muted", "end")
        for row in range(1, STEPS + 1)
    ]
    return Drawing(
        "kept_words",
        "The words that a decoder reads at each step, without a cache and with one",
        "Two triangles of five rows, a row a step, a square a word. Without a cache step t reads "
        "t words, 15 in all. With one it reads the newest alone, 5 in all, and the keys and values "
        "of the others are kept.",
        _TOP + 17 * STEPS + 42,
        parts,
    )
