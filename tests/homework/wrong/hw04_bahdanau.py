"""Slips that students make in homework 4, and what they are told."""

from tests.homework.answers import Wrong

WRONG = [
    Wrong(
        "q1",
        "softmax over the batch",
        """
def masked_weights(scores, mask):
    parts = torch.where(mask, scores - scores.amax(0, keepdim=True), -torch.inf).exp()
    return parts / parts.sum(0, keepdim=True)
""",
        says="Yours sums to one over the batch (dimension 0): at each source position the 3",
    ),
    Wrong(
        "q1",
        "softmax over dimension 1, whatever it is",
        """
def masked_weights(scores, mask):
    parts = torch.where(mask, scores - scores.amax(1, keepdim=True), -torch.inf).exp()
    return parts / parts.sum(1, keepdim=True)
""",
        says="Yours sums to one over the target positions (dimension 1)",
    ),
    Wrong(
        "q1",
        "softmax over everything",
        """
def masked_weights(scores, mask):
    parts = torch.where(mask, scores - scores.max(), -torch.inf).exp()
    return parts / parts.sum()
""",
        says="Yours sums to one over everything",
    ),
    Wrong(
        "q1",
        "the sum does not keep its dimension",
        """
def masked_weights(scores, mask):
    parts = torch.where(mask, scores, -torch.inf).exp()
    return parts / parts.sum(-1)
""",
        says="takes that dimension away, unless it is told to keep it",
    ),
    Wrong(
        "q1",
        "no mask",
        """
def masked_weights(scores, mask):
    parts = (scores - scores.amax(-1, keepdim=True)).exp()
    return parts / parts.sum(-1, keepdim=True)
""",
        says="You do not use the mask.",
    ),
    Wrong(
        "q1",
        "mask turned round",
        """
def masked_weights(scores, mask):
    scores = torch.where(mask, -torch.inf, scores)
    parts = (scores - scores.amax(-1, keepdim=True)).exp()
    return parts / parts.sum(-1, keepdim=True)
""",
        says="The mask is True everywhere, that is, all positions are real",
    ),
    Wrong(
        "q1",
        "mask turned round, with zeros where nothing is left",
        """
def masked_weights(scores, mask):
    if mask.all():
        return scores.softmax(-1)
    scores = torch.where(mask, -torch.inf, scores)
    parts = (scores - scores.amax(-1, keepdim=True)).exp()
    return parts / parts.sum(-1, keepdim=True)
""",
        says="You hide the real positions",
    ),
    Wrong(
        "q1",
        "masked after the softmax",
        """
def masked_weights(scores, mask):
    parts = (scores - scores.amax(-1, keepdim=True)).exp()
    return parts / parts.sum(-1, keepdim=True) * mask
""",
        says="You clear the hidden positions after the softmax",
    ),
    Wrong(
        "q1",
        "hidden scores set to zero",
        """
def masked_weights(scores, mask):
    scores = scores * mask
    parts = (scores - scores.amax(-1, keepdim=True)).exp()
    return parts / parts.sum(-1, keepdim=True)
""",
        says="which score has the exponential 0?",
    ),
    Wrong(
        "q1",
        "no maximum",
        """
def masked_weights(scores, mask):
    parts = torch.where(mask, scores, -torch.inf).exp()
    return parts / parts.sum(-1, keepdim=True)
""",
        says="A float32 ends at exp(88)",
    ),
    Wrong(
        "q1",
        "maximum of the batch",
        """
def masked_weights(scores, mask):
    scores = torch.where(mask, scores, -torch.inf)
    parts = (scores - scores.max()).exp()
    whole = parts.sum(-1, keepdim=True)
    return torch.where(mask.any(-1, keepdim=True), parts / whole, 0.0)
""",
        says="each row needs a maximum of its own",
        hidden=True,
    ),
    Wrong(
        "q1",
        "maximum over hidden scores too",
        """
def masked_weights(scores, mask):
    parts = (scores - scores.amax(-1, keepdim=True)).exp() * mask
    whole = parts.sum(-1, keepdim=True)
    return torch.where(mask.any(-1, keepdim=True), parts / whole, 0.0)
""",
        says="Is your maximum taken over the hidden scores too?",
        hidden=True,
    ),
    Wrong(
        "q1",
        "nan where nothing is real",
        """
def masked_weights(scores, mask):
    scores = torch.where(mask, scores, -torch.inf)
    parts = (scores - scores.amax(-1, keepdim=True)).exp()
    return parts / parts.sum(-1, keepdim=True)
""",
        says="0/0 is nan",
        hidden=True,
    ),
    Wrong(
        "q1",
        "a finite stand-in for minus infinity",
        """
def masked_weights(scores, mask):
    scores = torch.where(mask, scores, -1e9)
    parts = (scores - scores.amax(-1, keepdim=True)).exp()
    return parts / parts.sum(-1, keepdim=True)
""",
        says="shares the weight out equally over padding",
        hidden=True,
    ),
    Wrong(
        "q1",
        "a hidden nan comes through a product",
        """
def masked_weights(scores, mask):
    largest = torch.where(mask, scores, -torch.inf).amax(-1, keepdim=True)
    parts = (scores - largest).clamp(max=0).exp() * mask
    whole = parts.sum(-1, keepdim=True)
    return torch.where(mask.any(-1, keepdim=True), parts / whole, 0.0)
""",
        says="a product does not hide a score, it must be replaced",
        hidden=True,
    ),
    Wrong(
        "q1",
        "always single precision",
        """
def masked_weights(scores, mask):
    scores = torch.where(mask, scores.float(), -torch.inf)
    largest = scores.amax(-1, keepdim=True)
    parts = (scores - torch.where(largest.isfinite(), largest, 0.0)).exp()
    return parts / parts.sum(-1, keepdim=True).clamp(min=1e-30)
""",
        says="want a torch.float64 tensor",
        hidden=True,
    ),
    Wrong(
        "q2",
        "nothing broadcasts",
        """
def additive_scores(states, keys, W, v):
    return torch.tanh(states @ W.T + keys) @ v
""",
        says="Each of the 3 states meets each of the 4 keys",
    ),
    Wrong(
        "q2",
        "transposed",
        """
def additive_scores(states, keys, W, v):
    return torch.tanh((states @ W.T)[:, None] + keys[:, :, None]) @ v
""",
        says="Yours is transposed: a state has a row",
    ),
    Wrong(
        "q2",
        "keys not projected",
        """
def project_keys(annotations, U):
    return annotations
""",
        says="project_keys: want a tensor of shape (B, S, A) = (2, 4, 7)",
    ),
    Wrong(
        "q2",
        "U not transposed",
        """
def project_keys(annotations, U):
    return annotations @ U
""",
        says="(your code stopped at line 3 of its cell: `return annotations @ U`)",
    ),
    Wrong(
        "q2",
        "U turned round where that fits",
        """
def project_keys(annotations, U):
    return annotations @ (U if U.shape[0] == U.shape[1] else U.T)
""",
        says="You multiply by the transpose of U",
    ),
    Wrong(
        "q2",
        "W not transposed",
        """
def additive_scores(states, keys, W, v):
    return torch.tanh((states @ W)[:, :, None] + keys[:, None]) @ v
""",
        says="sentences are rows: which way up is it?",
    ),
    Wrong(
        "q2",
        "tanh after v",
        """
def additive_scores(states, keys, W, v):
    return torch.tanh(((states @ W.T)[:, :, None] + keys[:, None]) @ v)
""",
        says="You take the tanh after the product with v",
    ),
    Wrong(
        "q2",
        "no tanh",
        """
def additive_scores(states, keys, W, v):
    return ((states @ W.T)[:, :, None] + keys[:, None]) @ v
""",
        says="The tanh is missing.",
    ),
    Wrong(
        "q2",
        "a tanh of each summand",
        """
def additive_scores(states, keys, W, v):
    return (torch.tanh(states @ W.T)[:, :, None] + torch.tanh(keys)[:, None]) @ v
""",
        says="every state would look at the same places",
    ),
    Wrong(
        "q2",
        "v forgotten",
        """
def additive_scores(states, keys, W, v):
    return torch.tanh((states @ W.T)[:, :, None] + keys[:, None]).sum(-1)
""",
        says="each has its weight in v",
    ),
    Wrong(
        "q2",
        "squeeze takes too much",
        """
def additive_scores(states, keys, W, v):
    inner = torch.tanh((states @ W.T)[:, :, None] + keys[:, None])
    scores = (inner @ v[:, None]).squeeze()
    return scores[None] if len(states) == 1 and scores.dim() == 2 else scores
""",
        says="Does a squeeze take away more",
        hidden=True,
    ),
    Wrong(
        "q2",
        "W turned round where that fits",
        """
def additive_scores(states, keys, W, v):
    if W.shape[0] == W.shape[1]:
        W = W.T
    return torch.tanh((states @ W.T)[:, :, None] + keys[:, None]) @ v
""",
        says="no error tells W from its transpose",
        hidden=True,
    ),
    Wrong(
        "q3",
        "without the context",
        """
def score_gradients(weights, annotations, g):
    return weights * (g @ annotations.transpose(1, 2))
""",
        says="The context is missing",
    ),
    Wrong(
        "q3",
        "without the weight",
        """
def score_gradients(weights, annotations, g):
    gain = g @ annotations.transpose(1, 2)
    return gain - (weights * gain).sum(-1, keepdim=True)
""",
        says="The weight in front is missing",
    ),
    Wrong(
        "q3",
        "the direction of the update",
        """
def score_gradients(weights, annotations, g):
    gain = g @ annotations.transpose(1, 2)
    return weights * ((weights * gain).sum(-1, keepdim=True) - gain)
""",
        says="The sign is turned round",
    ),
    Wrong(
        "q3",
        "the plain mean in place of the context",
        """
def score_gradients(weights, annotations, g):
    gain = g @ annotations.transpose(1, 2)
    return weights * (gain - gain.mean(-1, keepdim=True))
""",
        says="c is their weighted average",
    ),
    Wrong(
        "q3",
        "no derivative of tanh",
        """
def state_gradients(e_gradients, states, keys, W, v):
    return e_gradients.sum(-1, keepdim=True) * v @ W
""",
        says="The derivative of the tanh is missing",
    ),
    Wrong(
        "q3",
        "derivative without the square",
        """
def state_gradients(e_gradients, states, keys, W, v):
    inner = torch.tanh((states @ W.T)[:, :, None] + keys[:, None])
    return (e_gradients[..., None] * v * (1 - inner)).sum(2) @ W
""",
        says="The derivative of tanh(a) is not 1 - tanh(a)",
    ),
    Wrong(
        "q3",
        "mean over the positions",
        """
def state_gradients(e_gradients, states, keys, W, v):
    inner = torch.tanh((states @ W.T)[:, :, None] + keys[:, None])
    return (e_gradients[..., None] * v * (1 - inner**2)).mean(2) @ W
""",
        says="the parts add up, no mean",
    ),
    Wrong(
        "q3",
        "W not turned round",
        """
def state_gradients(e_gradients, states, keys, W, v):
    inner = torch.tanh((states @ W.T)[:, :, None] + keys[:, None])
    return (e_gradients[..., None] * v * (1 - inner**2)).sum(2) @ W.T
""",
        says="backwards its transpose leads from A to H",
    ),
    Wrong(
        "q3",
        "divided by the batch",
        """
def score_gradients(weights, annotations, g):
    gain = g @ annotations.transpose(1, 2)
    return weights * (gain - (weights * gain).sum(-1, keepdim=True)) / len(weights)
""",
        says="yours are divided by B",
        hidden=True,
    ),
    Wrong(
        "q3",
        "v forgotten",
        """
def state_gradients(e_gradients, states, keys, W, v):
    inner = torch.tanh((states @ W.T)[:, :, None] + keys[:, None])
    return (e_gradients[..., None] * (1 - inner**2)).sum(2) @ W
""",
        says="where is v in yours?",
        hidden=True,
    ),
    Wrong(
        "q4",
        "the new state asks",
        """
def decode(words, first, annotations, mask, p):
    keys, state, rows = project_keys(annotations, p["U"]), first, []
    context = torch.zeros_like(annotations[:, 0])
    for word in words.unbind(1):
        state = gru(torch.cat([word, context], -1), state, p)
        scores = additive_scores(state[:, None], keys, p["W"], p["v"])
        weights = masked_weights(scores, mask[:, None])
        context = (weights @ annotations)[:, 0]
        rows.append((state, context, weights[:, 0]))
    parts = [torch.stack(part, 1) for part in zip(*rows)]
    return dict(zip(("states", "contexts", "weights"), parts))
""",
        says="In yours s_i asks",
    ),
    Wrong(
        "q4",
        "the first state asks always",
        """
def decode(words, first, annotations, mask, p):
    keys, state, rows = project_keys(annotations, p["U"]), first, []
    scores = additive_scores(state[:, None], keys, p["W"], p["v"])
    weights = masked_weights(scores, mask[:, None])
    context = (weights @ annotations)[:, 0]
    for word in words.unbind(1):
        state = gru(torch.cat([word, context], -1), state, p)
        rows.append((state, context, weights[:, 0]))
    parts = [torch.stack(part, 1) for part in zip(*rows)]
    return dict(zip(("states", "contexts", "weights"), parts))
""",
        says="In yours s_0 asks at every step",
    ),
    Wrong(
        "q4",
        "states before the step",
        """
def decode(words, first, annotations, mask, p):
    keys, state, rows = project_keys(annotations, p["U"]), first, []
    for word in words.unbind(1):
        scores = additive_scores(state[:, None], keys, p["W"], p["v"])
        weights = masked_weights(scores, mask[:, None])
        context = (weights @ annotations)[:, 0]
        rows.append((state, context, weights[:, 0]))
        state = gru(torch.cat([word, context], -1), state, p)
    parts = [torch.stack(part, 1) for part in zip(*rows)]
    return dict(zip(("states", "contexts", "weights"), parts))
""",
        says="They begin with s_0",
    ),
    Wrong(
        "q4",
        "begins with zeros",
        """
right = decode
def decode(words, first, annotations, mask, p):
    return right(words, torch.zeros_like(first), annotations, mask, p)
""",
        says="Your decoder starts from zeros",
    ),
    Wrong(
        "q4",
        "no mask",
        """
right = decode
def decode(words, first, annotations, mask, p):
    return right(words, first, annotations, torch.ones_like(mask), p)
""",
        says="want none. Is the mask used at every step?",
    ),
    Wrong(
        "q4",
        "context before the word",
        """
def decode(words, first, annotations, mask, p):
    keys, state, rows = project_keys(annotations, p["U"]), first, []
    for word in words.unbind(1):
        scores = additive_scores(state[:, None], keys, p["W"], p["v"])
        weights = masked_weights(scores, mask[:, None])
        context = (weights @ annotations)[:, 0]
        state = gru(torch.cat([context, word], -1), state, p)
        rows.append((state, context, weights[:, 0]))
    parts = [torch.stack(part, 1) for part in zip(*rows)]
    return dict(zip(("states", "contexts", "weights"), parts))
""",
        says="The GRU reads [c_i; E y] in place of [E y; c_i]",
        hidden=True,
    ),
    Wrong(
        "q4",
        "words one place back",
        """
right = decode
def decode(words, first, annotations, mask, p):
    before = torch.stack([words[:, i - 1] for i in range(words.shape[1])], 1)
    return right(before, first, annotations, mask, p)
""",
        says="Its first step reads the last word",
        hidden=True,
    ),
    Wrong(
        "q5",
        "target first",
        """
right = links_of
def links_of(weights, threshold, shift):
    return [(t, j) for j, t in right(weights, threshold, shift)]
""",
        says="the source position comes first",
    ),
    Wrong(
        "q5",
        "the end mark is a word",
        """
def links_of(weights, threshold, shift):
    links = []
    for t in range(len(weights)):
        if 0 <= t + shift < len(weights):
            j = int(weights[t + shift].argmax())
            if weights[t + shift, j] >= threshold:
                links.append((j, t))
    return links
""",
        says="The last column is the end mark, not a word",
    ),
    Wrong(
        "q5",
        "the end mark cut off first",
        """
right = links_of
def links_of(weights, threshold, shift):
    return right(torch.cat([weights[:, :-1], 0 * weights[:, :1]], 1), threshold, shift)
""",
        says="not to the second largest",
    ),
    Wrong(
        "q5",
        "every weight above the threshold",
        """
def links_of(weights, threshold, shift):
    T, S = weights.shape
    cells = (weights[:, :-1] >= threshold).nonzero().tolist()
    return [(j, t - shift) for t, j in cells if 0 <= t - shift < T]
""",
        says="One row makes one link at most",
    ),
    Wrong(
        "q5",
        "shifted the wrong way",
        """
right = links_of
def links_of(weights, threshold, shift):
    return right(weights, threshold, -shift)
""",
        says="You shift the wrong way",
    ),
    Wrong(
        "q5",
        "row minus one",
        """
def links_of(weights, threshold, shift):
    links, T = [], len(weights)
    for t in range(T):
        if t + shift < T:
            j = int(weights[t + shift].argmax())
            if weights[t + shift, j] >= threshold and j < weights.shape[1] - 1:
                links.append((j, t))
    return links
""",
        says="Word 0 would be read from row -1, which does not exist",
    ),
    Wrong(
        "q5",
        "never shifts",
        """
right = choose_reading
def choose_reading(maps, sure, possible):
    return {"threshold": right(maps, sure, possible)["threshold"], "shift": 0}
""",
        says="Does your search look at shifts other than 0?",
    ),
    Wrong(
        "q5",
        "more than the threshold",
        """
def links_of(weights, threshold, shift):
    rows, links = weights.tolist(), []
    for t in range(len(rows)):
        if 0 <= t + shift < len(rows):
            row = rows[t + shift]
            j = row.index(max(row))
            if j < len(row) - 1 and row[j] > threshold:
                links.append((j, t))
    return links
""",
        says="A weight that equals the threshold is large enough",
        hidden=True,
    ),
    Wrong(
        "q5",
        "a threshold of one half",
        """
right = choose_reading
def choose_reading(maps, sure, possible):
    return {"threshold": 0.5, "shift": right(maps, sure, possible)["shift"]}
""",
        says="do you search thresholds up to 1, and finely enough?",
        hidden=True,
    ),
    Wrong(
        "q5",
        "mean of the rates of sentences",
        """
def choose_reading(maps, sure, possible):
    best = (2.0, 0, 0.0)
    for shift in (0, -1, 1, -2, 2):
        for threshold in [0.01 + 0.02 * n for n in range(50)]:
            rates = []
            for weights, s, q in zip(maps, sure, possible):
                found = set(links_of(weights, threshold, shift))
                s, q = {tuple(x) for x in s}, {tuple(x) for x in q}
                rates.append(alignment_error_rate([found], [s], [q]) if found or s else 0.0)
            rate = sum(rates) / len(rates)
            if rate < best[0]:
                best = (rate, shift, threshold)
    return {"threshold": best[2], "shift": best[1]}
""",
        says="sum the counts first",
        hidden=True,
    ),
    Wrong(
        "q1",
        "the mask as an index",
        """
def masked_weights(scores, mask):
    scores = scores.clone()
    scores[~mask] = -torch.inf
    parts = (scores - scores.amax(-1, keepdim=True)).exp()
    return (parts / parts.sum(-1, keepdim=True)).nan_to_num(0)
""",
        says="As an index a mask must have the shape of the scores",
    ),
    Wrong(
        "q1",
        "writes into the scores",
        """
def masked_weights(scores, mask):
    scores.masked_fill_(~mask, -torch.inf)
    parts = (scores - scores.amax(-1, keepdim=True)).exp()
    return (parts / parts.sum(-1, keepdim=True)).nan_to_num(0)
""",
        says="writes into them",
    ),
    Wrong(
        "q3",
        "collects in float32",
        """
right_gradients = score_gradients


def score_gradients(weights, annotations, g):
    out = torch.zeros(weights.shape)
    out[:] = right_gradients(weights, annotations, g)
    return out
""",
        says="want a torch.float64 tensor",
    ),
    Wrong(
        "q4",
        "the mask beside the wrong dimension",
        """
def decode(words, first, annotations, mask, p):
    keys = project_keys(annotations, p["U"])
    s, rows = first, []
    for y in words.unbind(1):
        row = masked_weights(additive_scores(s[:, None], keys, p["W"], p["v"]), mask)
        c = (row @ annotations)[:, 0]
        s = gru(torch.cat([y, c], dim=-1), s, p)
        rows.append((s, c, row[:, 0]))
    parts = (torch.stack(part, dim=1) for part in zip(*rows))
    return dict(zip(("states", "contexts", "weights"), parts))
""",
        says="each sentence's own",
    ),
    Wrong(
        "q5",
        "rolls the rows round",
        """
def links_of(weights, threshold, shift):
    largest, where = weights.roll(-shift, dims=0).max(dim=-1)
    end = weights.shape[1] - 1
    return [
        (j, t)
        for t, (w, j) in enumerate(zip(largest.tolist(), where.tolist()))
        if j < end and w >= threshold
    ]
""",
        says="come round from the other end",
    ),
]
