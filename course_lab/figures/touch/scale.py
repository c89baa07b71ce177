"""The scale laboratory: a softmax of dot products as the dimension grows, with 1/√d or without."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_lab.figures.touch.core import Interactive, rounded, row, shared, sheet

WITHOUT, WITH = "without", "with"


def scale_laboratory(
    dimensions: Sequence[int],
    products: object,
    gradients: Mapping[str, object],
    *,
    first: int = 256,
) -> Interactive:
    """Bars for the weights of some keys at the chosen dimension, and the gradient over all of them.

    The reader moves the dimension or lets it grow, and draws other keys.

    Args:
        dimensions: (N,) rising.
        products: (draws, N, K) dot products q·k of one query with K keys, by draw and dimension.
        gradients: under "without" and "with", (N,) typical norms of the softmax's derivative.
        first: the dimension shown at first.
    """
    scores = np.asarray(products, dtype=np.float64).round(3)
    return Interactive(
        "scale",
        f"Scale laboratory, dimensions {dimensions[0]} to {dimensions[-1]}",
        tables=[_table(dimensions, scores[0], gradients)],
        parts=["chart", "table", "bars"],
        data={
            "dimensions": list(dimensions),
            "products": scores.tolist(),
            "steep": [rounded(np.log10(gradients[name])) for name in (WITHOUT, WITH)],
            "at": list(dimensions).index(first),
        },
    )


def measures(scores: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Weights (K,) of a row of scores, their entropy in bits, and the norm of the derivative."""
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum()
    entropy = -sum(w * np.log2(w) for w in weights if w > 0)
    others = 1 - np.eye(len(weights))
    # 1 - w summed from the others: as a difference it is 0 long before it should be.
    steep = np.diag(weights * (others @ weights)) - np.outer(weights, weights) * others
    return weights, float(entropy), float(np.linalg.norm(steep))


def _table(dimensions: Sequence[int], scores: np.ndarray, gradients: Mapping[str, object]) -> str:
    rows = []
    for place, dimension in enumerate(dimensions):
        cells = ""
        for name, root in ((WITHOUT, 1.0), (WITH, dimension**0.5)):
            weights, entropy, _ = measures(scores[place] / root)
            cells += shared([float(weights.max())])
            cells += f"<td>{entropy:.2f}</td><td>{gradients[name][place]:.1e}</td>"
        rows.append(row([dimension], cells))
    columns = [
        f"{what} {which} 1/√d"
        for which in (WITHOUT, WITH)
        for what in ("largest weight", "entropy (bits)", "gradient")
    ]
    name = "Largest weight and entropy of the first draw; gradient of a typical query"
    return sheet(name, ["dimension d", *columns], rows, corners=0)
