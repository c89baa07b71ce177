"""Slips that students make in homework 11, and what they are told."""

from tests.homework.answers import Wrong

_TOTAL = """
    log_p = logits.log_softmax(dim=-1)
    stays = torch.full_like(log_p, -torch.inf)
    stays[..., end] = 0.0
    total = sums[..., None] + torch.where(ended[..., None], stays, log_p)
    V, K = logits.shape[-1], sums.shape[1]
"""
_CHOSEN = """
    best, where = total.flatten(1).topk(K, dim=1)
    return best, where // V, where % V, where % V == end
"""


def _step(total: str = "", chosen: str = _CHOSEN) -> str:
    """A step of beam search; `total` replaces or mends the table, `chosen` picks from it."""
    return f"def beam_step(logits, sums, ended, end):{_TOTAL}    {total}{chosen}"


def _search(
    carry: str = "p + q",
    after: str = "ids",
    places: str = "beams - len(done)",
    done: str = "(worth(p, length), ids[:-1])",
    live: str = "if ids[-1] != end",
    stop: str = "stop([p for p, _ in live], best)",
    count: str = "done +=",
) -> str:
    """A whole search with one part exchanged."""
    return f"""
def search(after, beams, worth, stop, longest, end):
    live, done = [(0.0, [])], []
    for length in range(1, longest + 1):
        longer = [
            ({carry}, [*ids, token])
            for p, ids in live
            for token, q in enumerate(after({after}).tolist())
        ]
        kept = sorted(longer, reverse=True)[: {places}]
        {count} [{done} for p, ids in kept if ids[-1] == end]
        live = [(p, ids) for p, ids in kept {live}]
        best, written = max(done, default=(-torch.inf, []))
        if not live or {stop}:
            break
    return written, best
"""


def _dials(
    logits: str = "logits / temperature",
    cut_k: str = "falling[:, k:] = 0.0",
    again: str = "falling / falling.sum(dim=-1, keepdim=True)",
    beyond: str = "falling.cumsum(dim=-1) - falling >= p",
    last: str = "torch.zeros_like(share).scatter(-1, order, falling)",
    order: str = "stable=True",
) -> str:
    """The three dials with one part exchanged."""
    return f"""
def dials(logits, temperature, k, p):
    share = ({logits}).softmax(dim=-1)
    falling, order = share.sort(dim=-1, descending=True, {order})
    {cut_k}
    falling = {again}
    if p < 1:
        falling = falling.masked_fill({beyond}, 0.0)
    falling = falling / falling.sum(dim=-1, keepdim=True)
    return {last}
"""


def _cached(
    place: str = "places[keys.shape[1]]",
    query: str = "x @ W_q.T",
    scale: str = "/ keys.shape[-1] ** 0.5",
    grow: str = "torch.cat([{name}, (x @ {matrix}.T)[:, None]], dim=1)",
) -> str:
    """A step with a cache, with one part exchanged."""
    keys, values = (
        grow.format(name=name, matrix=matrix)
        for name, matrix in (("keys", "W_k"), ("values", "W_v"))
    )
    return f"""
def cached_step(token, keys, values, table, places, W_q, W_k, W_v):
    x = table[token] + {place}
    keys, values = {keys}, {values}
    weights = (({query})[:, None] @ keys.transpose(1, 2) {scale}).softmax(dim=-1)
    return (weights @ values)[:, 0], keys, values
"""


WRONG = [
    Wrong(
        "q1",
        "logits are added",
        _step("total = sums[..., None] + torch.where(ended[..., None], stays, logits)"),
        says="Logits are no log-probabilities",
    ),
    Wrong(
        "q1",
        "softmax over all beams",
        _step(
            "log_p = logits.flatten(1).log_softmax(dim=-1).view_as(logits)\n"
            "    total = sums[..., None] + torch.where(ended[..., None], stays, log_p)"
        ),
        says="over the V words of each beam",
    ),
    Wrong(
        "q1",
        "the step alone",
        _step("total = torch.where(ended[..., None], stays, log_p)"),
        says="What the hypotheses had before the step is not added",
    ),
    Wrong(
        "q1",
        "beam and word exchanged",
        _step(
            chosen="""
    best, where = total.flatten(1).topk(K, dim=1)
    return best, where % V, where // V, where // V == end
"""
        ),
        says="the quotient by V is the beam",
    ),
    Wrong(
        "q1",
        "divided by the number of beams",
        _step(
            chosen="""
    best, where = total.flatten(1).topk(K, dim=1)
    return best, where // K, where % K, where % K == end
"""
        ),
        says="You divide by K",
    ),
    Wrong(
        "q1",
        "the best word of each beam",
        _step(
            chosen="""
    best, token = total.max(dim=-1)
    best, parent = best.sort(dim=-1, descending=True)
    token = token.gather(1, parent)
    return best, parent, token, token == end
"""
        ),
        says="You take one continuation of each beam",
    ),
    Wrong(
        "q1",
        "what has ended goes on growing",
        _step("total = sums[..., None] + log_p"),
        says="A hypothesis that has ended does not go on",
    ),
    Wrong(
        "q1",
        "what has ended pays again",
        _step(
            "stays[..., end] = log_p[..., end]\n"
            "    total = sums[..., None] + torch.where(ended[..., None], stays, log_p)"
        ),
        says="It pays for END a second time",
    ),
    Wrong(
        "q1",
        "what has ended is dropped",
        _step("total = total.masked_fill(ended[..., None], -torch.inf)"),
        says="The one that has ended is dropped",
    ),
    Wrong(
        "q1",
        "ended is that of the old rows",
        _step(
            chosen="""
    best, where = total.flatten(1).topk(K, dim=1)
    return best, where // V, where % V, ended | (where % V == end)
"""
        ),
        says="it belongs to the new rows",
    ),
    Wrong(
        "q1",
        "the best of the whole batch",
        _step(
            chosen="""
    best, where = total.flatten().topk(sums.numel())
    best, where = best.view_as(sums), where.view_as(sums)
    return best, where // V % K, where % V, where % V == end
"""
        ),
        says="Each sentence has a table of its own",
    ),
    Wrong(
        "q1",
        "the beams of all sentences are counted on",
        _step(
            chosen="""
    best, where = total.flatten(1).topk(K, dim=1)
    parent = where // V + K * torch.arange(len(sums))[:, None]
    return best, parent, where % V, where % V == end
"""
        ),
        says="parents go from 0 to K - 1",
    ),
    Wrong(
        "q1",
        "a new END is not marked",
        _step(
            chosen="""
    best, where = total.flatten(1).topk(K, dim=1)
    return best, where // V, where % V, ended.gather(1, where // V)
"""
        ),
        says="who takes END has ended",
    ),
    Wrong(
        "q1",
        "probabilities are multiplied",
        _step(
            "p = torch.where(ended[..., None], stays, log_p).exp()\n"
            "    total = (sums.exp()[..., None] * p).log()"
        ),
        says="it would be zero in a computer: add logarithms",
        hidden=True,
    ),
    Wrong(
        "q1",
        "END is always token 0",
        _step().replace("stays[..., end]", "stays[..., 0]"),
        says="other than the list of all continuations",
        hidden=True,
    ),
    Wrong(
        "q1",
        "writes into the sums",
        f"def beam_step(logits, sums, ended, end):\n    sums[sums < -1e9] = -1e9{_TOTAL}{_CHOSEN}",
        says="your function writes into what it is given",
        hidden=True,
    ),
    Wrong(
        "q2",
        "multiplied",
        "def score(log_p, length, alpha):\n    return log_p * ((5 + length) / 6) ** alpha\n",
        says="You multiply. A log-probability is negative",
    ),
    Wrong(
        "q2",
        "the length itself",
        "def score(log_p, length, alpha):\n    return log_p / length**alpha\n",
        says="GNMT's penalty adds 5",
    ),
    Wrong(
        "q2",
        "no denominator",
        "def score(log_p, length, alpha):\n    return log_p / (5 + length) ** alpha\n",
        says="The denominator of the penalty",
    ),
    Wrong(
        "q2",
        "END counted twice",
        "def score(log_p, length, alpha):\n    return log_p / ((6 + length) / 6) ** alpha\n",
        says="Your length is off by one",
    ),
    Wrong(
        "q2",
        "no hope for what loses now",
        "def hopeless(live, best, longest, alpha):\n    return max(live, default=-9e9) <= best\n",
        says="A hypothesis that loses now may win when it is longer",
    ),
    Wrong(
        "q2",
        "the bound asks the worst",
        """
def hopeless(live, best, longest, alpha):
    return any(score(p, longest, alpha) <= best for p in live) or not live
""",
        says="ask for the best that is live",
    ),
    Wrong(
        "q2",
        "never hopeless",
        "def hopeless(live, best, longest, alpha):\n    return not live\n",
        says="want True, got False",
    ),
    Wrong(
        "q2",
        "the penalty of one token less",
        """
def hopeless(live, best, longest, alpha):
    return all(score(p, longest - 1, alpha) <= best for p in live)
""",
        says="not of one token less",
    ),
    Wrong(
        "q2",
        "the penalty of one token more",
        """
def hopeless(live, best, longest, alpha):
    return all(score(p, longest + 1, alpha) <= best for p in live)
""",
        says="not of one token more",
    ),
    Wrong(
        "q2",
        "an equal score is hope",
        """
def hopeless(live, best, longest, alpha):
    return all(score(p, longest, alpha) < best for p in live)
""",
        says="An equal score is no hope",
    ),
    Wrong(
        "q2",
        "the score before the list",
        _search().replace("return written, best", "return best, written"),
        says="ids come first, then the score",
    ),
    Wrong("q2", "greedy", _search(places="1 - len(done)"), says="With two beams [2] is kept"),
    Wrong(
        "q2",
        "a finished sentence goes on",
        _search(live="if True", places="beams"),
        says="that sentence has ended and does not go on",
    ),
    Wrong(
        "q2",
        "a finished sentence is dropped",
        _search(count="_ =", stop="False"),
        says="A hypothesis that takes END is a finished sentence",
    ),
    Wrong(
        "q2",
        "END in the list",
        _search(done="(worth(p, length), ids)"),
        says="The list is without END",
    ),
    Wrong(
        "q2",
        "scores are carried on",
        _search(carry="worth(p + q, len(ids) + 1)", done="(p, ids[:-1])"),
        says="You normalise twice: carry log-probabilities",
    ),
    Wrong(
        "q2",
        "normalised again at the end",
        _search(done="(worth(worth(p, length), length), ids[:-1])"),
        says="one division by the penalty is enough",
    ),
    Wrong(
        "q2",
        "the length without END",
        _search(done="(worth(p, length - 1), ids[:-1])"),
        says="|Y| counts END",
    ),
    Wrong(
        "q2",
        "no penalty in the search",
        _search(done="(p, ids[:-1])"),
        says="finished sentences are compared by their scores",
    ),
    Wrong(
        "q2",
        "the first that ended",
        _search(stop="done"),
        says="beam(s), α =",
        hidden=True,
    ),
    Wrong(
        "q2",
        "a finished sentence gives its place away",
        _search(places="beams"),
        says="What has ended keeps its place",
        hidden=True,
    ),
    Wrong(
        "q2",
        "goes on without hope",
        _search(stop="False"),
        says="after END at 0.8 nothing can win, and you went on",
        hidden=True,
    ),
    Wrong(
        "q2",
        "a step too many",
        _search().replace("longest + 1", "longest + 2"),
        says="you ask what follows 4",
        hidden=True,
    ),
    Wrong(
        "q2",
        "an answer where nothing ended",
        _search().replace("return written, best", "return (written if done else live[0][1]), best"),
        says="want [], -inf",
        hidden=True,
    ),
    Wrong(
        "q3",
        "times the temperature",
        _dials(logits="logits * temperature"),
        says="divide the logits by τ, do not multiply",
    ),
    Wrong(
        "q3",
        "divided after the softmax",
        _dials(logits="(logits.softmax(dim=-1) / temperature).log()"),
        says="divide before the softmax, not after it",
    ),
    Wrong(
        "q3",
        "softmax over the batch",
        "def dials(logits, temperature, k, p):\n    return (logits / temperature).softmax(dim=0)\n",
        says="Your softmax is over the batch",
    ),
    Wrong(
        "q3",
        "all words of a tie stay",
        _dials(cut_k="falling = falling.masked_fill(falling < falling[:, k - 1 : k], 0.0)"),
        says="Three words stay",
    ),
    Wrong(
        "q3",
        "the last word of a tie stays",
        """
def dials(logits, temperature, k, p):
    share = (logits / temperature).softmax(dim=-1).flip(-1)
    falling, order = share.sort(dim=-1, descending=True, stable=True)
    falling[:, k:] = 0.0
    falling = falling / falling.sum(dim=-1, keepdim=True)
    return torch.zeros_like(share).scatter(-1, order, falling).flip(-1)
""",
        says="Of equal words the one with the smaller number stays",
    ),
    Wrong(
        "q3",
        "sorted",
        _dials(last="falling"),
        says="Words keep their places",
    ),
    Wrong(
        "q3",
        "what stays does not sum to one",
        """
def dials(logits, temperature, k, p):
    share = (logits / temperature).softmax(dim=-1)
    falling, order = share.sort(dim=-1, descending=True, stable=True)
    falling[:, k:] = 0.0
    return torch.zeros_like(share).scatter(-1, order, falling)
""",
        says="What stays should sum to one again",
    ),
    Wrong(
        "q3",
        "without the word that crosses p",
        _dials(beyond="falling.cumsum(dim=-1) > p"),
        says="You leave out the word that crosses p",
    ),
    Wrong(
        "q3",
        "one word too many",
        _dials(beyond="torch.nn.functional.pad(falling.cumsum(-1) - falling, (1, 0))[:, :-1] >= p"),
        says="the fewest words are wanted",
    ),
    Wrong(
        "q3",
        "a word too many where the sum is p",
        _dials(beyond="falling.cumsum(dim=-1) - falling > p"),
        says="another one stays only where the sum before it is below p",
    ),
    Wrong(
        "q3",
        "rounded sums cut at p = 1",
        _dials().replace("if p < 1:", "if True:"),
        says="at p = 1 cut nothing",
    ),
    Wrong(
        "q3",
        "a sort that is not stable",
        _dials(order="stable=False"),
        says="sort with stable=True",
    ),
    Wrong(
        "q3",
        "the nucleus of what was there before top-k",
        _dials(again="falling"),
        says="top-p is of what top-k left",
        hidden=True,
    ),
    Wrong(
        "q3",
        "the most probable word is drawn",
        "def drawn(share, point):\n    return share.argmax(dim=-1)\n",
        says="want words [0, 1, 2, 1]",
    ),
    Wrong(
        "q3",
        "a point at 0 draws an impossible word",
        "def drawn(share, point):\n    return (share.cumsum(-1) < point[:, None]).sum(-1)\n",
        says="word 0 has probability zero",
        hidden=True,
    ),
    Wrong(
        "q3",
        "a point next to 1 falls off the end",
        "def drawn(share, point):\n    return (share.cumsum(-1) <= point[:, None]).sum(-1)\n",
        says="the last word that is possible is 3",
        hidden=True,
    ),
    Wrong(
        "q4",
        "always position 0",
        _cached(place="places[0]"),
        says="Each token stands at position 0",
    ),
    Wrong(
        "q4",
        "one position too far",
        _cached(place="places[keys.shape[1] + 1]"),
        says="Your position is one too far",
    ),
    Wrong(
        "q4",
        "no position",
        _cached(place="0.0 * places[0]"),
        says="The row of its position in `places` is missing",
    ),
    Wrong(
        "q4",
        "the newest comes first",
        _cached(grow="torch.cat([(x @ {matrix}.T)[:, None], {name}], dim=1)"),
        says="The newest comes last",
    ),
    Wrong(
        "q4",
        "it does not look at itself",
        """
def cached_step(token, keys, values, table, places, W_q, W_k, W_v):
    x = table[token] + places[keys.shape[1]]
    scores = (x @ W_q.T)[:, None] @ keys.transpose(1, 2) / keys.shape[-1] ** 0.5
    found = (scores.softmax(dim=-1) @ values)[:, 0]
    keys = torch.cat([keys, (x @ W_k.T)[:, None]], dim=1)
    values = torch.cat([values, (x @ W_v.T)[:, None]], dim=1)
    return found, keys, values
""",
        says="the first token looks at itself alone",
    ),
    Wrong("q4", "no scale", _cached(scale=""), says="The scale, the root of D, is missing"),
    Wrong("q4", "no query matrix", _cached(query="x"), says="The query is x @ W_q.T"),
    Wrong("q4", "W_q not transposed", _cached(query="x @ W_q"), says="Your query is x @ W_q"),
    Wrong(
        "q4",
        "W_k not transposed",
        _cached().replace("W_k.T", "W_k"),
        says="That is x @ W_k: the .T is missing",
    ),
    Wrong(
        "q4",
        "W_v not transposed",
        _cached().replace("W_v.T", "W_v"),
        says="That is x @ W_v: the .T is missing",
    ),
    Wrong(
        "q4",
        "the cache stays behind",
        "def follow(cache, parent):\n    return cache\n",
        says="Your rows stay where they were, but the beams do not",
    ),
    Wrong(
        "q4",
        "all sentences take the rows of the first",
        "def follow(cache, parent):\n    return cache[parent.flatten()]\n",
        says="The second sentence gets the first one's rows",
    ),
    Wrong(
        "q4",
        "steps of N for steps of K",
        """
def follow(cache, parent):
    N = len(parent)
    return cache[(torch.arange(N)[:, None] * N + parent).flatten()]
""",
        says="Sentence n begins at row n times K",
    ),
    Wrong(
        "q4",
        "writes the rows into the old cache",
        """
def follow(cache, parent):
    N, K = parent.shape
    cache[:] = cache[(torch.arange(N)[:, None] * K + parent).flatten()]
    return cache
""",
        says="your function writes into the cache",
        hidden=True,
    ),
    Wrong(
        "q4",
        "a position for every row of the batch",
        _cached(place="places[keys.shape[1] + torch.arange(len(token)) % 2]"),
        says="differs from the uncached one",
        hidden=True,
    ),
    Wrong(
        "q5",
        "greedy search",
        """
def best_of_all(first, after, words):
    sums, last = first.max(dim=-1)
    for _ in range(words - 1):
        more, last = after[torch.arange(len(first)), last].max(dim=-1)
        sums = sums + more
    return sums
""",
        says="That is what greedy search finds",
    ),
    Wrong(
        "q5",
        "the word before and the word after exchanged",
        """
def best_of_all(first, after, words):
    best = first
    for _ in range(words - 1):
        best = (best[:, None, :] + after).amax(dim=2)
    return best.amax(dim=1)
""",
        says="after[n, u, v] is v behind u",
    ),
    Wrong(
        "q5",
        "the maximum over the words behind",
        """
def best_of_all(first, after, words):
    best = first
    for _ in range(words - 1):
        best = (best[:, :, None] + after).amax(dim=2)
    return best.amax(dim=1)
""",
        says="Your maximum is over the words behind",
    ),
    Wrong(
        "q5",
        "a word too many",
        """
def best_of_all(first, after, words):
    best = first
    for _ in range(words):
        best = (best[:, :, None] + after).amax(dim=1)
    return best.amax(dim=1)
""",
        says="Count the words",
    ),
    Wrong(
        "q5",
        "a count for a share",
        """
def share_found(temperature, beams, seed):
    first, after = random_models(temperature, seed)
    gap = best_of_all(first, after, 6) - beam_best(first, after, 6, beams)
    return (gap < 1e-4).double().sum().item()
""",
        says="A share is at most one",
    ),
    Wrong(
        "q5",
        "the share in which it fails",
        """
def share_found(temperature, beams, seed):
    first, after = random_models(temperature, seed)
    gap = best_of_all(first, after, 6) - beam_best(first, after, 6, beams)
    return (gap > 1e-4).double().mean().item()
""",
        says="in which it fails",
    ),
    Wrong(
        "q5",
        "the inverse of the temperature",
        """
def share_found(temperature, beams, seed):
    first, after = random_models(1 / temperature, seed)
    gap = best_of_all(first, after, 6) - beam_best(first, after, 6, beams)
    return (gap < 1e-4).double().mean().item()
""",
        says="at the inverse of the temperature",
    ),
    Wrong(
        "q5",
        "five words",
        """
def share_found(temperature, beams, seed):
    first, after = random_models(temperature, seed)
    gap = best_of_all(first, after, 5) - beam_best(first, after, 5, beams)
    return (gap < 1e-4).double().mean().item()
""",
        says="Count the words of a sentence: six",
    ),
    Wrong(
        "q5",
        "always one beam",
        """
def share_found(temperature, beams, seed):
    first, after = random_models(temperature, seed)
    gap = best_of_all(first, after, 6) - beam_best(first, after, 6, 1)
    return (gap < 1e-4).double().mean().item()
""",
        says="eight beams at temperature 4 find nearly all",
        hidden=True,
    ),
    Wrong(
        "q5",
        "sure and unsure exchanged",
        """
def finding():
    return {"sure": 0.25, "unsure": 0.72, "beams": 8, "why": " ".join(["because"] * 20)}
""",
        says="at temperature 1/4 greedy search finds it in",
        hidden=True,
    ),
    Wrong(
        "q5",
        "a width that is not enough",
        """
def finding():
    return {"sure": 0.72, "unsure": 0.25, "beams": 4, "why": " ".join(["because"] * 20)}
""",
        says="you say 4",
        hidden=True,
    ),
    Wrong(
        "q5",
        "an answer without a reason",
        """
def finding():
    return {"sure": 0.72, "unsure": 0.25, "beams": 8, "why": "it is less sure of itself"}
""",
        says="want 20 words or more",
        hidden=True,
    ),
]
