"""One attention step in the plane: annotations as points, a state to drag, the context between."""

from collections.abc import Sequence

import numpy as np

from course_lab.figures.touch.core import Interactive, row, shaded, sheet

REACH = 2.0
"""The plane is drawn from -REACH to REACH, and the state stays within it."""


def attention_plane(words: Sequence[str], annotations: object, state: object) -> Interactive:
    """Draws one step of additive attention with W and U the identity and v all ones.

    The reader goes through it step by step (annotations and state, scores, weights, context) and
    drags the state: scores e_j = sum of tanh(s + h_j), weights, and the context follow at once.

    Args:
        words: S names.
        annotations: (S, 2), h_j.
        state: s, two numbers.
    """
    h = np.asarray(annotations, dtype=np.float64)
    s = np.asarray(state, dtype=np.float64)
    scores, weights, context = attended(h, s)
    told = ", ".join(
        f"“{word}” {score:.3f} and weight {weight:.3f}"
        for word, score, weight in zip(words, scores, weights, strict=True)
    )
    c = f"({context[0]:.3f}, {context[1]:.3f})"
    return Interactive(
        "plane",
        f"Attention in the plane, {len(words)} words",
        f"With the state at ({s[0]:g}, {s[1]:g}) the scores are: {told}; the context is {c}.",
        tables=[_table(words, h, s)],
        data={
            "words": list(words),
            "h": h.tolist(),
            "s": s.tolist(),
            "reach": REACH,
        },
        parts=["table", "drag"],
    )


def attended(h: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores (S,), weights (S,) and context (2,), as the script computes them."""
    scores = np.tanh(s + h).sum(axis=1)
    powers = np.exp(scores)
    weights = powers / powers.sum()
    return scores, weights, weights @ h


def _table(words: Sequence[str], h: np.ndarray, s: np.ndarray) -> str:
    scores, weights, context = attended(h, s)
    rows = [
        row(
            [word],
            f"<td>({a:g}, {b:g})</td><td>{score:.3f}</td><td>{np.exp(score):.3f}</td>",
            shaded(weight, f"{weight:.3f}"),
        )
        for word, (a, b), score, weight in zip(words, h, scores, weights, strict=True)
    ]
    return sheet(
        f"One step, with the state at ({s[0]:g}, {s[1]:g})",
        ["annotation", "score", "exp", "weight"],
        rows,
        after=f"<p>Context: ({context[0]:.3f}, {context[1]:.3f})</p>",
    )
