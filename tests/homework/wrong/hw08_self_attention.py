"""Slips that students make in homework 8, and what they are told."""

from tests.homework.answers import Wrong


def _attention(weights: str, read: str = "weights @ V") -> str:
    """Question 1 with other weights, or read in another way."""
    return f"""
def self_attention(X, W, d_k):
    Q, K, V = X @ W[:, :d_k], X @ W[:, d_k : 2 * d_k], X @ W[:, 2 * d_k :]
    weights = {weights}
    return {read}, weights
"""


def _maps(queries: str, keys: str, values: str = "[[0.0], [0.0], [0.0], [1.0]]") -> str:
    """Three maps by hand."""
    return f"""
def three_maps():
    return torch.tensor({queries}), torch.tensor({keys}), torch.tensor({values})
"""


def _turned(speed: str, pairs: str, back: str) -> str:
    """Question 3 with other angles, pairs, or another way back."""
    return f"""
def turned(x, t):
    d = x.shape[-1]
    angle = t[:, None] * {speed}
    cos, sin = angle.cos(), angle.sin()
    a, b = {pairs}
    return {back}
"""


_SPEED = "10000.0 ** (-torch.arange(0, d, 2) / d)"
_HALVES = "x[..., : d // 2], x[..., d // 2 :]"
_TURN = "torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)"
_ASKS = "[[20.0, 0.0], [0.0, 20.0], [0.0, 0.0], [0.0, 0.0]]"
_ANSWERS = "[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]"


def _places(body: str) -> str:
    """The other function of question 3."""
    return f"""
def with_places(X, W_Q, W_K, W_V, added=None, turn=None):
    P = 0.0 if added is None else added
    turn = turn or (lambda x: x)
    {body}
"""


def _asked(mask: str) -> str:
    """Question 4 with another mask."""
    return f"""
def may_ask(real, causal):
    n = real.shape[1]
    past = torch.ones(n, n, dtype=torch.bool)
    past = past.tril() if causal else past
    return {mask}
"""


def _weights(body: str) -> str:
    """The other function of question 4."""
    return f"""
def weights_of(scores, mask):
    {body}
"""


def _hears(body: str) -> str:
    """Question 5 with another measure."""
    return f"""
def hears(layer, X):
    slopes = torch.autograd.functional.jacobian(layer, X)
    return {body}
"""


def _found(before: float, after: float, shared: float, why: str = "word " * 20) -> str:
    """What was found."""
    return f"""
def finding():
    return {{"before": {before}, "after": {after}, "shared": {shared}, "why": {why!r}}}
"""


WRONG = [
    Wrong(
        "q1",
        "softmax over the queries",
        _attention("(Q @ K.mT / d_k**0.5).softmax(dim=1)"),
        says="your softmax runs over those who ask",
    ),
    Wrong(
        "q1",
        "softmax over the batch",
        _attention("(Q @ K.mT / d_k**0.5).softmax(dim=0)"),
        says="Your softmax runs over the batch",
    ),
    Wrong("q1", "no scale", _attention("(Q @ K.mT).softmax(-1)"), says="The scale is missing"),
    Wrong(
        "q1",
        "divided by d_k",
        _attention("(Q @ K.mT / d_k).softmax(-1)"),
        says="You divide by d_k; divide by its root",
    ),
    Wrong(
        "q1",
        "the root of the words' width",
        _attention("(Q @ K.mT / X.shape[-1] ** 0.5).softmax(-1)"),
        says="You divide by the root of d, a word's width",
    ),
    Wrong(
        "q1",
        "queries and keys exchanged",
        _attention("(K @ Q.mT / d_k**0.5).softmax(-1)"),
        says="Queries and keys are exchanged: here barks asks dog",
    ),
    Wrong(
        "q1",
        "read with the columns of the weights",
        _attention("(Q @ K.mT / d_k**0.5).softmax(-1)", "weights.mT @ V"),
        says="You add up with the columns of the weights",
    ),
    Wrong(
        "q1",
        "three equal parts",
        """
def self_attention(X, W, d_k):
    Q, K, V = (X @ W).chunk(3, dim=-1)
    weights = (Q @ K.mT / d_k**0.5).softmax(dim=-1)
    return weights @ V, weights
""",
        says="Did you cut W into three equal parts?",
    ),
    Wrong(
        "q1",
        "the average of the words",
        _attention("(Q @ K.mT / d_k**0.5).softmax(-1)", "weights @ X"),
        says="Do you average the words?",
    ),
    Wrong(
        "q1",
        "the weights first",
        _attention("(Q @ K.mT / d_k**0.5).softmax(-1)").replace(
            "weights @ V, weights", "weights, weights @ V"
        ),
        says="C comes first, then the weights",
    ),
    Wrong(
        "q1",
        "values in the first columns",
        """
def self_attention(X, W, d_k):
    V, Q, K = (X @ W).split([W.shape[1] - 2 * d_k, d_k, d_k], dim=-1)
    weights = (Q @ K.mT / d_k**0.5).softmax(dim=-1)
    return weights @ V, weights
""",
        says="The first columns are W_Q",
    ),
    Wrong(
        "q1",
        "weights of single precision",
        _attention(
            "(Q @ K.mT / d_k**0.5).softmax(-1, dtype=torch.float32)", "weights.to(V.dtype) @ V"
        ),
        says="returns torch.float64, torch.float32",
        hidden=True,
    ),
    Wrong(
        "q1",
        "an exponential that overflows",
        _attention(
            "(Q @ K.mT / d_k**0.5).exp() / (Q @ K.mT / d_k**0.5).exp().sum(-1, keepdim=True)"
        ),
        says="scores in the thousands overflow",
        hidden=True,
    ),
    Wrong(
        "q1",
        "the largest score of all taken away",
        """
def self_attention(X, W, d_k):
    Q, K, V = X @ W[:, :d_k], X @ W[:, d_k : 2 * d_k], X @ W[:, 2 * d_k :]
    scores = Q @ K.mT / d_k**0.5
    parts = (scores - scores.max()).exp()
    weights = parts / parts.sum(-1, keepdim=True)
    return weights @ V, weights
""",
        says="Subtract the largest score of each row, not the largest of all",
        hidden=True,
    ),
    Wrong(
        "q2",
        "M turned over",
        """
def as_one(W_Q, W_K):
    return W_K @ W_Q.T / W_Q.shape[1] ** 0.5
""",
        says="Queries and keys are exchanged: the row of M",
    ),
    Wrong(
        "q2",
        "M without the scale",
        """
def as_one(W_Q, W_K):
    return W_Q @ W_K.T
""",
        says="The scale is missing: divide by the root of d_k",
    ),
    Wrong(
        "q2",
        "M over d_k",
        """
def as_one(W_Q, W_K):
    return W_Q @ W_K.T / W_Q.shape[1]
""",
        says="You divide by d_k; divide by its root",
    ),
    Wrong(
        "q2",
        "M over the root of d",
        """
def as_one(W_Q, W_K):
    return W_Q @ W_K.T / len(W_Q) ** 0.5
""",
        says="You divide by the root of d; a query is d_k wide",
    ),
    Wrong(
        "q2",
        "M of the keys' width",
        """
def as_one(W_Q, W_K):
    return W_Q.T @ W_K
""",
        says="Turn over the second matrix, not the first",
    ),
    Wrong(
        "q2",
        "maps by hand exchanged",
        _maps(_ANSWERS, _ASKS),
        says="Yours is asked by the noun",
    ),
    Wrong(
        "q2",
        "one map for queries and keys",
        """
def three_maps():
    both = torch.tensor([[20.0, 0.0], [40.0, 40.0], [0.0, 20.0], [0.0, 0.0]])
    return both, both, torch.tensor([[0.0], [0.0], [0.0], [1.0]])
""",
        says="Your scores are symmetric",
    ),
    Wrong(
        "q2",
        "too faint",
        _maps(_ASKS.replace("20", "1"), _ANSWERS),
        says="The right word, too faintly",
    ),
    Wrong(
        "q2",
        "the verb asks back",
        _maps(_ASKS.replace("[0.0, 0.0]", "[20.0, 0.0]", 1), _ANSWERS),
        says="Give the verb a query of zeros",
    ),
    Wrong(
        "q2",
        "a word says what it is found by",
        _maps(_ASKS, _ANSWERS, "[[0.0], [1.0], [0.0], [1.0]]"),
        says="Nothing of what a word is found by",
    ),
    Wrong(
        "q2",
        "loud enough for four words alone",
        _maps(_ASKS.replace("20", "9"), _ANSWERS),
        says="in a sentence of 12 words",
        hidden=True,
    ),
    Wrong(
        "q2",
        "found by its message",
        _maps(_ASKS, "[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]"),
        says="the last rows of W_Q and W_K should be zeros",
        hidden=True,
    ),
    Wrong(
        "q3",
        "the other way round",
        _turned(_SPEED, _HALVES, "torch.cat([a * cos + b * sin, b * cos - a * sin], dim=-1)"),
        says="Your pairs turn the other way round",
    ),
    Wrong(
        "q3",
        "no rotation",
        _turned(_SPEED, _HALVES, "torch.cat([a * cos - b * sin, a * sin - b * cos], dim=-1)"),
        says="the second number of a pair is a sin + b cos",
    ),
    Wrong(
        "q3",
        "neighbours as pairs",
        _turned(
            _SPEED,
            "x[..., 0::2], x[..., 1::2]",
            "torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)",
        ),
        says="Your pairs are neighbours",
    ),
    Wrong(
        "q3",
        "halves come back as neighbours",
        _turned(
            _SPEED,
            _HALVES,
            "torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)",
        ),
        says="Your pairs come back side by side",
    ),
    Wrong(
        "q3",
        "an exponent of i over d",
        _turned("10000.0 ** (-torch.arange(d // 2) / d)", _HALVES, _TURN),
        says="the exponent is -2i / d, not -i / d",
    ),
    Wrong(
        "q3",
        "an exponent without its sign",
        _turned("10000.0 ** (torch.arange(0, d, 2) / d)", _HALVES, _TURN),
        says="the exponent is negative",
    ),
    Wrong(
        "q3",
        "turned where it stands",
        """
def turned(x, t):
    half = x.shape[-1] // 2
    angle = t[:, None] * 10000.0 ** (-torch.arange(half) / half)
    cos, sin = angle.cos(), angle.sin()
    a, b = x[..., :half].clone(), x[..., half:].clone()
    x[..., :half], x[..., half:] = a * cos - b * sin, a * sin + b * cos
    return x
""",
        says="your function writes into x",
    ),
    Wrong(
        "q3",
        "places counted anew",
        _turned(_SPEED, _HALVES, _TURN).replace("angle = t[", "angle = torch.arange(len(t))["),
        says="You count the places anew from 0",
        hidden=True,
    ),
    Wrong(
        "q3",
        "places added after the projection",
        _places("return turn(X @ W_Q + P), turn(X @ W_K + P), X @ W_V"),
        says="You add the places after the projection",
    ),
    Wrong(
        "q3",
        "values without places",
        _places("return turn((X + P) @ W_Q), turn((X + P) @ W_K), X @ W_V"),
        says="They know no places",
    ),
    Wrong(
        "q3",
        "values turned",
        _places("return tuple(turn((X + P) @ W) for W in (W_Q, W_K, W_V))"),
        says="Values do not turn",
    ),
    Wrong(
        "q3",
        "words turned before the projection",
        _places("return turn(X + P) @ W_Q, turn(X + P) @ W_K, (X + P) @ W_V"),
        says="You turn the words",
    ),
    Wrong(
        "q3",
        "keys not turned",
        _places("return turn((X + P) @ W_Q), (X + P) @ W_K, (X + P) @ W_V"),
        says="queries and keys both do",
    ),
    Wrong(
        "q3",
        "places written into the words",
        _places("X += P\n    return turn(X @ W_Q), turn(X @ W_K), X @ W_V"),
        says="your function writes into X",
    ),
    Wrong(
        "q4",
        "the triangle turned round",
        _asked("real[:, None, :] & past.T"),
        says="turn the triangle round",
    ),
    Wrong(
        "q4",
        "true where it is hidden",
        _asked("~(real[:, None, :] & past)"),
        says="True means that a word may be asked",
    ),
    Wrong(
        "q4",
        "padding as a row",
        _asked("real[:, :, None] & past"),
        says="a column that has to be False, not a row",
    ),
    Wrong(
        "q4",
        "padding as row and column",
        _asked("real[:, :, None] & real[:, None, :] & past"),
        says="Padding asks like any word",
    ),
    Wrong(
        "q4",
        "padding forgotten",
        _asked("past.repeat(len(real), 1, 1)"),
        says="where is `real`?",
    ),
    Wrong(
        "q4",
        "a word may not ask itself",
        _asked("real[:, None, :] & (past.tril(-1) if causal else past)"),
        says="A word may ask itself, too",
    ),
    Wrong(
        "q4",
        "one mask for all",
        _asked("past"),
        says="Each sentence has a mask of its own",
    ),
    Wrong(
        "q4",
        "padding only at the end",
        _asked("(torch.arange(n) < real.sum(1)[:, None])[:, None, :] & past"),
        says="Padding may stand in front, behind and between",
        hidden=True,
    ),
    Wrong(
        "q4",
        "the mask after the softmax",
        _weights("return scores.softmax(dim=-1) * mask"),
        says="Your mask comes after the softmax",
    ),
    Wrong(
        "q4",
        "a score of zero",
        _weights("return (scores * mask).softmax(dim=-1)"),
        says="A score of 0 is no mask",
    ),
    Wrong(
        "q4",
        "the polarity flipped",
        _weights("return scores.masked_fill(mask, -torch.inf).softmax(dim=-1)"),
        says="The hidden word gets it all",
    ),
    Wrong(
        "q4",
        "columns that sum to one",
        _weights("return scores.masked_fill(~mask, -torch.inf).softmax(dim=-2)"),
        says="Your columns sum to one",
    ),
    Wrong(
        "q4",
        "no mask",
        _weights("return scores.softmax(dim=-1)"),
        says="The mask is not used",
    ),
    Wrong(
        "q4",
        "no number where nobody may be asked",
        _weights("return scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)"),
        says="A softmax of nothing but -inf is no number",
        hidden=True,
    ),
    Wrong(
        "q4",
        "a large number for minus infinity",
        _weights("return scores.masked_fill(~mask, -1e9).softmax(dim=-1)"),
        says="Scores that are all hidden alike share the weight",
        hidden=True,
    ),
    Wrong(
        "q4",
        "shared out after the softmax",
        _weights(
            "kept = scores.softmax(dim=-1) * mask\n"
            "    return kept / kept.sum(dim=-1, keepdim=True).clamp(min=1e-12)"
        ),
        says="Hide it before the softmax",
        hidden=True,
    ),
    Wrong(
        "q4",
        "a large number taken away",
        _weights(
            "return (scores - 1e9 * ~mask).softmax(dim=-1).masked_fill(~mask.any(-1)[..., None], 0)"
        ),
        says="Put -inf in their place",
        hidden=True,
    ),
    Wrong(
        "q5",
        "rows and columns exchanged",
        _hears("slopes.abs().amax(dim=(1, 3)).T"),
        says="the row is the word that hears",
    ),
    Wrong(
        "q5",
        "no absolute value",
        _hears("slopes.amax(dim=(1, 3))"),
        says="Take absolute values before you look",
    ),
    Wrong(
        "q5",
        "a sum of absolute values",
        _hears("slopes.abs().sum(dim=(1, 3))"),
        says="You add up; the largest is wanted",
    ),
    Wrong(
        "q5",
        "a mean of absolute values",
        _hears("slopes.abs().mean(dim=(1, 3))"),
        says="You average; the largest is wanted",
    ),
    Wrong(
        "q5",
        "a sum that cancels",
        _hears("slopes.sum(dim=1).abs().amax(dim=-1)"),
        says="added up, they cancel",
    ),
    Wrong(
        "q5",
        "one number for the whole layer",
        """
def hears(layer, X):
    X = X.clone().requires_grad_()
    layer(X).sum().backward()
    return X.grad.abs()
""",
        says="want a table (n, n) = (3, 3)",
    ),
    Wrong(
        "q5",
        "marks left on the words",
        """
def hears(layer, X):
    X.requires_grad_()
    rows = [row for word in layer(X) for row in word]
    slopes = [torch.autograd.grad(row, X, retain_graph=True)[0].abs().amax(-1) for row in rows]
    return torch.stack(slopes).view(len(X), -1, len(X)).amax(1)
""",
        says="your function leaves X with requires_grad",
        hidden=True,
    ),
    Wrong(
        "q5",
        "a weight of zero taken for silence",
        _found(0.0, 0.0, 0.0),
        says="its score is still in the sum of the softmax",
        hidden=True,
    ),
    Wrong(
        "q5",
        "the largest number of the whole table",
        """
def finding():
    after = hears(make_layer("after"), sentence()).max().item()
    return {"before": 0.0, "after": after, "shared": 0.0, "why": "word " * 20}
""",
        says="later words stand above the diagonal",
        hidden=True,
    ),
    Wrong(
        "q5",
        "sharing out taken for a leak",
        _found(0.0, 0.5, 0.5),
        says="shared: no word hears a later one",
        hidden=True,
    ),
    Wrong(
        "q5",
        "an answer without a reason",
        """
def finding():
    after = hears(make_layer("after"), sentence()).triu(1).max().item()
    return {"before": 0.0, "after": after, "shared": 0.0, "why": "because of the softmax"}
""",
        says="want 20 words or more, got 4",
        hidden=True,
    ),
]
