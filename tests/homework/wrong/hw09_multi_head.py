"""Slips that students make in homework 9, and what they are told."""

from tests.homework.answers import Wrong


def _layer(
    pieces: str = "cut(x @ W.T, heads)",
    scores: str = "q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5",
    weights: str = "scores.masked_fill(~mask.unsqueeze(1), -torch.inf).softmax(-1)",
    y: str = "joined(weights @ v) @ W_o.T",
) -> str:
    """Question 2 with one step made in another way."""
    return f"""
def several_heads(x, W_q, W_k, W_v, W_o, heads, mask):
    q, k, v = ({pieces} for W in (W_q, W_k, W_v))
    scores = {scores}
    weights = {weights}
    return {y}, weights
"""


def _out(add: str, bias: str = "torch.zeros_like(W_o[:, 0])") -> str:
    """Question 4 with another bias."""
    return f"""
def taken_out(W_o, heads, off, usual=None):
    W, bias = W_o.clone(), {bias}
    size = W_o.shape[1] // heads
    for h in off:
        own = slice(h * size, (h + 1) * size)
        if usual is not None:
            {add}
        W[:, own] = 0.0
    return W, bias
"""


WRONG = [
    Wrong(
        "q1",
        "other words instead of other numbers",
        """
def cut(vectors, heads):
    batch, tokens, width = vectors.shape
    return vectors.reshape(batch, heads, tokens, width // heads)
""",
        says="your heads get other words",
    ),
    Wrong(
        "q1",
        "every second number",
        """
def cut(vectors, heads):
    batch, tokens, width = vectors.shape
    return vectors.reshape(batch, tokens, width // heads, heads).permute(0, 3, 1, 2)
""",
        says="A head's numbers stand side by side",
    ),
    Wrong(
        "q1",
        "joined without turning back",
        """
def joined(pieces):
    batch, heads, tokens, size = pieces.shape
    return pieces.reshape(batch, tokens, heads * size)
""",
        says="the first word should come back as 0 to 5",
    ),
    Wrong(
        "q1",
        "another dtype",
        """
def cut(vectors, heads):
    batch, tokens, width = vectors.shape
    return vectors.float().view(batch, tokens, heads, width // heads).transpose(1, 2)
""",
        says="was given torch.float64 and returns torch.float32",
        hidden=True,
    ),
    Wrong(
        "q2",
        "the root of D",
        """
def several_heads(x, W_q, W_k, W_v, W_o, heads, mask):
    q, k, v = (cut(x @ W.T, heads) for W in (W_q, W_k, W_v))
    scores = q @ k.transpose(-1, -2) / x.shape[-1] ** 0.5
    weights = scores.masked_fill(~mask.unsqueeze(1), -torch.inf).softmax(dim=-1)
    return joined(weights @ v) @ W_o.T, weights
""",
        says="You divide by the root of D",
    ),
    Wrong(
        "q2",
        "no scale",
        """
def several_heads(x, W_q, W_k, W_v, W_o, heads, mask):
    q, k, v = (cut(x @ W.T, heads) for W in (W_q, W_k, W_v))
    scores = q @ k.transpose(-1, -2)
    weights = scores.masked_fill(~mask.unsqueeze(1), -torch.inf).softmax(dim=-1)
    return joined(weights @ v) @ W_o.T, weights
""",
        says="The scale, the root of d_k, is missing",
    ),
    Wrong(
        "q2",
        "the mask turned round",
        """
def several_heads(x, W_q, W_k, W_v, W_o, heads, mask):
    q, k, v = (cut(x @ W.T, heads) for W in (W_q, W_k, W_v))
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    weights = scores.masked_fill(mask.unsqueeze(1), -torch.inf).softmax(dim=-1)
    return joined(weights @ v) @ W_o.T, weights
""",
        says="so everybody is hidden",
    ),
    Wrong(
        "q2",
        "the mask after the softmax",
        """
def several_heads(x, W_q, W_k, W_v, W_o, heads, mask):
    q, k, v = (cut(x @ W.T, heads) for W in (W_q, W_k, W_v))
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    weights = scores.softmax(dim=-1) * mask.unsqueeze(1)
    return joined(weights @ v) @ W_o.T, weights
""",
        says="mask the scores, before the softmax",
    ),
    Wrong(
        "q2",
        "the output matrix forgotten",
        """
def several_heads(x, W_q, W_k, W_v, W_o, heads, mask):
    q, k, v = (cut(x @ W.T, heads) for W in (W_q, W_k, W_v))
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    weights = scores.masked_fill(~mask.unsqueeze(1), -torch.inf).softmax(dim=-1)
    return joined(weights @ v), weights
""",
        says="W_o is not used",
    ),
    Wrong(
        "q2",
        "the root of the number of heads",
        _layer(scores="q @ k.transpose(-1, -2) / heads**0.5"),
        says="You divide by the root of H",
    ),
    Wrong(
        "q2",
        "divided by d_k",
        _layer(scores="q @ k.transpose(-1, -2) / q.shape[-1]"),
        says="You divide by d_k; divide by its root",
    ),
    Wrong(
        "q2",
        "the mask turned round, with a large number",
        _layer(weights="scores.masked_fill(mask.unsqueeze(1), -1e9).softmax(-1)"),
        says="Are all hidden alike?",
    ),
    Wrong(
        "q2",
        "no matrix turned over",
        _layer(pieces="cut(x @ W, heads)", y="joined(weights @ v) @ W_o"),
        says="W_q and W_k are not turned over",
    ),
    Wrong(
        "q2",
        "the output matrix not turned over",
        _layer(y="joined(weights @ v) @ W_o"),
        says="W_o is not turned over",
    ),
    Wrong(
        "q2",
        "keys ask queries",
        _layer(scores="k @ q.transpose(-1, -2) / q.shape[-1] ** 0.5"),
        says="Queries and keys are exchanged",
    ),
    Wrong(
        "q2",
        "weights of single precision",
        _layer(
            weights="scores.masked_fill(~mask.unsqueeze(1), -torch.inf)"
            ".softmax(-1, dtype=torch.float32)",
            y="joined(weights.to(v.dtype) @ v) @ W_o.T",
        ),
        says="returns torch.float64, torch.float32",
        hidden=True,
    ),
    Wrong(
        "q2",
        "the mask turned over where it stands",
        _layer(
            weights="scores.masked_fill(mask.logical_not_().unsqueeze(1), -torch.inf).softmax(-1)"
        ),
        says="your function writes into mask",
        hidden=True,
    ),
    Wrong(
        "q3",
        "transposed",
        """
def head_maps(W_v, W_o, heads):
    size = W_v.shape[0] // heads
    pieces = [slice(h * size, (h + 1) * size) for h in range(heads)]
    return torch.stack([W_o[:, own] @ W_v[own] for own in pieces])
""",
        says="That is the transpose",
    ),
    Wrong(
        "q3",
        "rows of the output matrix",
        """
def head_maps(W_v, W_o, heads):
    size = W_v.shape[0] // heads
    pieces = [slice(h * size, (h + 1) * size) for h in range(heads)]
    return torch.stack([W_v[own].T @ W_o[own] for own in pieces])
""",
        says="A head owns rows of W_v, but columns of W_o",
    ),
    Wrong(
        "q3",
        "all heads in each",
        """
def head_maps(W_v, W_o, heads):
    return torch.stack([W_v.T @ W_o.T] * heads)
""",
        says="That is the map of all heads together",
    ),
    Wrong(
        "q3",
        "maps of single precision",
        """
def head_maps(W_v, W_o, heads):
    width = len(W_v)
    size = width // heads
    M = torch.zeros(heads, width, width)
    for h in range(heads):
        own = slice(h * size, (h + 1) * size)
        M[h] = W_v[own].T @ W_o[:, own].T
    return M
""",
        says="returns torch.float32",
        hidden=True,
    ),
    Wrong(
        "q4",
        "rows instead of columns",
        """
def taken_out(W_o, heads, off, usual=None):
    W, bias = W_o.clone(), torch.zeros_like(W_o[:, 0])
    size = W_o.shape[1] // heads
    for h in off:
        W[h * size : (h + 1) * size] = 0.0
    return W, bias
""",
        says="you cleared its rows",
    ),
    Wrong(
        "q4",
        "writes into the matrix",
        """
def taken_out(W_o, heads, off, usual=None):
    W, bias = W_o, torch.zeros_like(W_o[:, 0])
    size = W_o.shape[1] // heads
    for h in off:
        W[:, h * size : (h + 1) * size] = 0.0
    return W, bias
""",
        says="writes into the matrix",
    ),
    Wrong(
        "q4",
        "the averages of all heads",
        """
def taken_out(W_o, heads, off, usual=None):
    W, bias = W_o.clone(), torch.zeros_like(W_o[:, 0])
    size = W_o.shape[1] // heads
    for h in off:
        W[:, h * size : (h + 1) * size] = 0.0
    if usual is not None:
        bias = W_o @ usual.flatten()
    return W, bias
""",
        says="Only the heads in `off` are replaced",
    ),
    Wrong(
        "q4",
        "cleared before it is used",
        """
def taken_out(W_o, heads, off, usual=None):
    W, bias = W_o.clone(), torch.zeros_like(W_o[:, 0])
    size = W_o.shape[1] // heads
    for h in off:
        own = slice(h * size, (h + 1) * size)
        W[:, own] = 0.0
        if usual is not None:
            bias = bias + W[:, own] @ usual[h]
    return W, bias
""",
        says="Did you clear the columns before you used them?",
    ),
    Wrong(
        "q4",
        "averages beside the output matrix",
        _out("bias[own] = usual[h]"),
        says="An average goes through W_o",
    ),
    Wrong(
        "q4",
        "averages through rows",
        _out("bias += usual[h] @ W_o[own]"),
        says="you used its rows",
    ),
    Wrong(
        "q4",
        "an average beside the head itself",
        _out("bias += W_o[:, own] @ usual[h]\n            continue"),
        says="Head 1 still speaks, and its average is added",
    ),
    Wrong(
        "q4",
        "the list used up",
        _out("bias += W_o[:, own] @ usual[h]").replace(
            "for h in off:", "while off:\n        h = off.pop()"
        ),
        says="changes the list `off`",
    ),
    Wrong(
        "q4",
        "a bias of single precision",
        _out("bias += W_o[:, own] @ usual[h]", bias="torch.zeros(len(W_o))"),
        says="returns torch.float64, torch.float32",
        hidden=True,
    ),
    Wrong(
        "q5",
        "the head that is missed least",
        """
def most_missed(share, heads):
    left = [share([head]) for head in range(heads)]
    best = max(range(heads), key=lambda head: left[head])
    return best, share([]) - left[best]
""",
        says="That is the head that is missed least",
    ),
    Wrong(
        "q5",
        "one after the other",
        """
def most_missed(share, heads):
    off, falls = [], []
    for head in range(heads):
        before = share(off)
        off = [*off, head]
        falls.append(before - share(off))
    worst = max(range(heads), key=lambda head: falls[head])
    return worst, falls[worst]
""",
        says="each head is silenced by itself",
    ),
    Wrong(
        "q5",
        "a fall below zero counts as none",
        """
def most_missed(share, heads):
    whole = share([])
    falls = [max(0.0, whole - share([head])) for head in range(heads)]
    worst = max(range(heads), key=lambda head: falls[head])
    return worst, falls[worst]
""",
        says="without head 0 the share rises by 0.1",
        hidden=True,
    ),
    Wrong(
        "q5",
        "an answer without a reason",
        """
def finding():
    return {"looks": 7, "missed": 0, "why": "because it is so"}
""",
        says="want 20 words or more",
        hidden=True,
    ),
]
