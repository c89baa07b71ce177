"""Attend, compare, aggregate (chapter 7)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Cells, Gate, Label, Part

_PREMISE = ((60.0, "dog", "$a_1$", "$β_1$"), (124.0, "barks", "$a_2$", "$β_2$"))
_HYPOTHESIS = ((246.0, "animal", "$b_1$", "$α_1$"), (310.0, "barks", "$b_2$", "$α_2$"))
_WORD, _ATTEND, _FOUND, _COMPARE, _SUM, _VERDICT = 52.0, 112.0, 170.0, 228.0, 288.0, 344.0
_MIDDLE, _BESIDE = 185.0, 28.0


def attend_compare() -> Drawing:
    """Words look across, are compared with what they found, and the comparisons are added up."""
    return Drawing(
        "attend_compare",
        "Attend, compare, aggregate",
        "The premise's words dog and barks are the vectors a 1 and a 2, the hypothesis's words "
        "animal and barks are b 1 and b 2. All four go into attend: F, scores, softmax. Out come "
        "beta 1 and beta 2, what the premise's words found, and alpha 1 and alpha 2, what the "
        "hypothesis's words found. Four times the same network G compares a word's vector with "
        "what it found. The premise's comparisons are added up to v 1, the hypothesis's to v 2. "
        "H receives both sums and gives the verdict.",
        402,
        [
            *_side(_PREMISE, "source"),
            *_side(_HYPOTHESIS, "target"),
            Box("attend: F, scores, softmax", _MIDDLE, _ATTEND, 330, "weight"),
            *_sums(),
        ],
    )


def _side(words: tuple[tuple[float, str, str, str], ...], role: str) -> list[Part]:
    """One sentence, from its words to its comparisons."""
    parts: list[Part] = []
    for x, word, vector, found in words:
        down, beside = _WORD + 7, x - _BESIDE
        parts += [
            Label(word, x, 20, role),
            # A word's own vector goes on beside what it finds, behind the box.
            Arrow([(x - 21, _WORD), (beside, _WORD + 8), (beside, 200), (x - 12, 212)], role),
            Arrow([(x, down), (x, _ATTEND - 14)], role),
            Arrow([(x, _ATTEND + 14), (x, _FOUND - 7)], "weight"),
            Arrow([(x, _FOUND + 7), (x, _COMPARE - 14)], "context"),
            Cells(x, _WORD, role),
            Label(vector, x + 14, _WORD + 23, role, "start"),
            Cells(x, _FOUND, "context"),
            Label(found, x + 10, _FOUND + 25, "context", "start"),
            Box("G", x, _COMPARE, 40),
        ]
    return parts


def _sums() -> list[Part]:
    parts: list[Part] = [
        Label("find", _MIDDLE, _FOUND + 5, "muted"),
        Label("compare", _MIDDLE, _COMPARE + 5, "muted"),
        Label("add up", _MIDDLE, _SUM + 5, "muted"),
    ]
    for words, role, name, side in (
        (_PREMISE, "source", "$v_1$", -1),
        (_HYPOTHESIS, "target", "$v_2$", 1),
    ):
        middle = sum(word[0] for word in words) / 2
        parts += [
            *(Arrow([(word[0], _COMPARE + 14), (middle, _SUM - 11)], role) for word in words),
            Arrow([(middle, _SUM + 11), (_MIDDLE + 22 * side, _VERDICT - 14)], role),
            Gate("+", middle, _SUM, role),
            Label(name, middle + 26 * side, _SUM + 5, role),
        ]
    return [
        *parts,
        Arrow([(_MIDDLE, _VERDICT + 14), (_MIDDLE, _VERDICT + 38)]),
        Box("H", _MIDDLE, _VERDICT, 80),
        Label("the verdict", _MIDDLE, _VERDICT + 53),
    ]
