"""A soft look-up in the plane: a query to drag among keys, and the average of the values."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from course_lab.figures.touch.core import Interactive, plain, row, shared, sheet

REACH = 2.0
"""Both planes are drawn from -REACH to REACH, and the query stays within."""
BANDWIDTH = 0.5
"""Of the distance."""

Score = Callable[[np.ndarray, np.ndarray], np.ndarray]
SCORES: Mapping[str, Score] = {
    "dot product": lambda q, k: k @ q,
    "distance": lambda q, k: -((q - k) ** 2).sum(axis=-1) / (2 * BANDWIDTH**2),
}
"""Scores of one query (2,) and keys (S, 2), under the names to choose; the script has them too."""


def soft_lookup(
    words: Sequence[str],
    keys: object,
    values: object,
    query: object,
    star: object,
) -> Interactive:
    """Two planes side by side: the keys with a query to drag, the values with their average.

    The reader drags the query, picks one of two scores and sets the temperature; weights and
    context follow. The star is a target outside the values' hull, to be tried in vain.

    Args:
        words: S names, one for each pair.
        keys: (S, 2), within `REACH` of zero like all points.
        values: (S, 2).
        query: two numbers, where it stands at first.
        star: two numbers, a target among the values and outside their hull.
    """
    k, v = (np.asarray(each, dtype=np.float64) for each in (keys, values))
    q, goal = (np.asarray(each, dtype=np.float64) for each in (query, star))
    corners = hull(v)
    score = next(iter(SCORES))
    all_scores = [row([name], shared(attended(name, q, k, v)[0])) for name in SCORES]
    return Interactive(
        "lookup",
        f"A soft look-up in the plane, {len(words)} keys and values",
        tables=[
            _pairs(words, k, v, q, score),
            sheet("The weights of the same query under each score", words, all_scores),
        ],
        data={
            "words": list(words),
            "k": k.tolist(),
            "v": v.tolist(),
            "q": q.tolist(),
            "star": goal.tolist(),
            "hull": corners,
            "gap": round(distance_outside(v[corners], goal), 4),
            "score": score,
            "reach": REACH,
        },
        parts=["table", "bars", "drag"],
    )


def attended(
    score: str, query: np.ndarray, keys: np.ndarray, values: np.ndarray, temperature: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Weights (S,) and context (2,), as the script computes them."""
    scores = SCORES[score](query, keys) / temperature
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum()
    return weights, weights @ values


def hull(points: np.ndarray) -> list[int]:
    """The corners of the convex hull by their places, counter-clockwise (Andrew 1979)."""
    order = sorted(range(len(points)), key=lambda i: tuple(points[i]))

    def half(places: Sequence[int]) -> list[int]:
        chain: list[int] = []
        for i in places:
            while len(chain) > 1 and _left(points[chain[-2]], points[chain[-1]], points[i]) <= 0:
                chain.pop()
            chain.append(i)
        return chain[:-1]

    return half(order) + half(order[::-1])


def distance_outside(corners: np.ndarray, point: np.ndarray) -> float:
    """How far a point is from a convex polygon, its corners counter-clockwise; 0 within."""
    edges = list(zip(corners, np.roll(corners, -1, axis=0), strict=True))
    if all(_left(a, b, point) >= 0 for a, b in edges):
        return 0.0
    shares = [np.clip((point - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1) for a, b in edges]
    return min(
        float(np.linalg.norm(a + share * (b - a) - point))
        for (a, b), share in zip(edges, shares, strict=True)
    )


def _left(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Above zero where the way from a over b to c turns left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _pairs(words: Sequence[str], k: np.ndarray, v: np.ndarray, q: np.ndarray, score: str) -> str:
    weights, context = attended(score, q, k, v)
    scores = SCORES[score](q, k)
    rows = [
        row([word], plain([f"({a:g}, {b:g})", f"({c:g}, {d:g})", f"{e:.2f}"]), shared([w]))
        for word, (a, b), (c, d), e, w in zip(words, k, v, scores, weights, strict=True)
    ]
    return sheet(
        f"One look-up: {score}, query at ({q[0]:g}, {q[1]:g})",
        ["key", "value", "score", "weight"],
        rows,
        after=f"<p>Context: ({context[0]:.2f}, {context[1]:.2f})</p>",
    )
