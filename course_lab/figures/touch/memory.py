"""A memory that is one matrix: store pairs of words, ask for one, and see what comes back."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_lab.figures.touch.core import Interactive, plain, row, sheet

RULES = ("add", "decay", "delta", "attention")
"""The last one keeps all pairs and weighs them by a softmax."""
KEPT = 0.8
"""What the rule `decay` keeps of the matrix at each step."""
SHARP = 10.0
"""By what attention multiplies its scores, so that the right key stands out."""


def random_vectors(
    words: int, widths: Sequence[int], seed: int
) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Draw keys and values of length 1, (words, d) each, for every width d."""

    def draw(generator: np.random.Generator, width: int) -> np.ndarray:
        vectors = generator.normal(size=(words, width))
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).round(3)

    generators = {width: np.random.default_rng([seed, width]) for width in widths}
    return {width: (draw(g, width), draw(g, width)) for width, g in generators.items()}


def contexts(rule: str, keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return what comes back for each key, (N, d), after all N pairs were stored in their order.

    Args:
        rule: one of `RULES`.
        keys: (N, d), of length 1.
        values: (N, d).
    """
    if rule == "attention":
        scores = np.exp(SHARP * keys @ keys.T)
        return scores / scores.sum(1, keepdims=True) @ values
    memory = np.zeros((keys.shape[1], values.shape[1]))
    for key, value in zip(keys, values, strict=True):
        memory = memory * (KEPT if rule == "decay" else 1)
        memory = memory + np.outer(key, value - memory.T @ key if rule == "delta" else value)
    return keys @ memory


def matches(rule: str, keys: np.ndarray, values: np.ndarray, pairs: int) -> np.ndarray:
    """Return (pairs, words) the dot product of what comes back with each word's value."""
    return contexts(rule, keys[:pairs], values[:pairs]) @ values.T


def matrix_memory(
    words: Sequence[tuple[str, str]],
    vectors: Mapping[int, tuple[np.ndarray, np.ndarray]],
    *,
    width: int,
    pairs: int,
    asked: int,
) -> Interactive:
    """Draw the answer to one question, with dials for the pairs, the width and the rule.

    Args:
        words: the pairs, a word to ask for and the word to come back, in the order of storing.
        vectors: for each width d the keys and the values of the words, (N, d) each.
        width: d at first.
        pairs: how many are stored at first.
        asked: which pair is asked for at first.
    """
    found = [matches(rule, *vectors[width], pairs).argmax(1) for rule in RULES]
    rows = [
        row([key], plain([value, *(words[best[i]][1] for best in found)]))
        for i, (key, value) in enumerate(words[:pairs])
    ]
    counts = [
        row([f"width {d}, {rule}"], plain(_right(rule, both, n + 1) for n in range(len(words))))
        for d, both in vectors.items()
        for rule in RULES
    ]
    return Interactive(
        "memory",
        f"A memory of one matrix, for up to {len(words)} pairs of words",
        tables=[
            sheet(f"Answers after {pairs} pairs, width {width}", ["stored", *RULES], rows),
            sheet("Right answers after 1, 2, 3 ... pairs", range(1, len(words) + 1), counts),
        ],
        parts=["table", "bars"],
        data={
            "words": [list(pair) for pair in words],
            "widths": list(vectors),
            "vectors": [[part.tolist() for part in both] for both in vectors.values()],
            "rules": list(RULES),
            "kept": KEPT,
            "sharp": SHARP,
            "opening": [RULES.index("add"), list(vectors).index(width), pairs, asked],
        },
    )


def _right(rule: str, both: tuple[np.ndarray, np.ndarray], pairs: int) -> int:
    return int((matches(rule, *both, pairs).argmax(1) == np.arange(pairs)).sum())
