"""One attention step in the plane: annotations as points, a state to drag, the context between."""

from collections.abc import Sequence

import numpy as np

from course_lab.figures.touch.core import Interactive, plain, row, shaded, sheet

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
    h, s = (np.asarray(each, dtype=np.float64) for each in (annotations, state))
    scores, weights, context = attended(h, s)
    rows = [
        row(
            [word],
            plain([f"({a:g}, {b:g})", f"{score:.3f}", f"{np.exp(score):.3f}"]),
            shaded(weight, f"{weight:.3f}"),
        )
        for word, (a, b), score, weight in zip(words, h, scores, weights, strict=True)
    ]
    table = sheet(
        f"One step, with the state at ({s[0]:g}, {s[1]:g})",
        ["annotation", "score", "exp", "weight"],
        rows,
        after=f"<p>Context: ({context[0]:.3f}, {context[1]:.3f})</p>",
    )
    return Interactive(
        "plane",
        f"Attention in the plane, {len(words)} words",
        tables=[table],
        data={"words": list(words), "h": h.tolist(), "s": s.tolist(), "reach": REACH},
        parts=["table", "drag"],
    )


def attended(h: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores (S,), weights (S,) and context (2,), as the script computes them."""
    scores = np.tanh(s + h).sum(axis=1)
    powers = np.exp(scores)
    weights = powers / powers.sum()
    return scores, weights, weights @ h
