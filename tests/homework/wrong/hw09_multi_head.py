"""Slips that students make in homework 9, and what they are told."""

from tests.homework.answers import Wrong

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
    hidden = mask.unsqueeze(1) if not mask.all() else ~mask.unsqueeze(1)
    weights = scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)
    return joined(weights @ v) @ W_o.T, weights
""",
        says="Your mask is turned round",
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
        says="y is other than the library's",
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
