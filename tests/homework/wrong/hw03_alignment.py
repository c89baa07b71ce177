"""Known slips in homework 3: IBM Model 1 on padded batches, links and their error rate."""

from tests.homework.answers import Wrong

WEIGHTS = """
    writers = torch.cat([torch.zeros_like(x[:, :1]), x], dim=1)
    real = torch.cat([torch.ones_like(x_mask[:, :1]), x_mask], dim=1)
    weights = t[writers[:, None, :], y[:, :, None]]
    mask = real[:, None, :] & y_mask[:, :, None]
"""
POSTERIOR = "def posterior(t, x, y, x_mask, y_mask):" + WEIGHTS

COUNTS = """
def expected_counts(alpha, x, y, size):
    writers = torch.cat([torch.zeros_like(x[:, :1]), x], dim=1)
    e = writers[:, None, :].expand(alpha.shape)
    f = y[:, :, None].expand(alpha.shape)
"""

LIKELIHOOD = "def log_likelihood(t, x, y, x_mask, y_mask):" + WEIGHTS

FIT = """
def fit(x, y, x_mask, y_mask, size, iterations):
    batch = x, y, x_mask, y_mask
    t = torch.full(tuple(size), 1 / size[1], dtype=torch.float64)
    values, n = [], 0
    for _ in range(iterations):
        {body}
    values.append(log_likelihood(t, *batch))
    return t, values
"""

LINKS = """
def best_links(alpha):
    links = []
    rows = alpha.tolist()
    for i, row in enumerate(rows):
        null, offers = row[0], row[1:]
        T, S = len(rows), len(offers)
"""
NEAREST = "min(tied, key=lambda j: abs((j + 0.5) / S - (i + 0.5) / T))"

SCORE = """
def score(predicted, sure, possible):
    a, s, p = (
        {(n, *link) for n, part in enumerate(links) for link in part}
        for links in (predicted, sure, possible)
    )
"""

PLACES = """
def place_prior(x_mask, y_mask, kappa):
    S, T = x_mask.sum(1)[:, None, None], y_mask.sum(1)[:, None, None]
    j = torch.arange(x_mask.shape[1], dtype=torch.float64) + 0.5
    i = torch.arange(y_mask.shape[1], dtype=torch.float64)[:, None] + 0.5
    real, row = x_mask[:, None, :], y_mask[:, :, None]
"""
NEAR = """
    near = (-kappa * (j / S - i / T).abs()).masked_fill(~real, -torch.inf).softmax(-1)
"""
NULLED = """
    null = torch.ones_like(near[:, :, :1]) / (S + 1)
    return torch.cat([null, near * S / (S + 1)], dim=-1) * row
"""

PRIOR = """
def fit_with_prior(prior, x, y, y_mask, size, iterations):
    writers = torch.cat([torch.zeros_like(x[:, :1]), x], dim=1)[:, None, :]
    t = torch.full(tuple(size), 1 / size[1], dtype=torch.float64)
    real = prior > 0
    values = []
    for k in range(iterations + 1):
        offers = t[writers, y[:, :, None]]
"""
PRIOR_END = """
        alpha = torch.where(totals > 0, weights / totals, 0.0)
        if k < iterations:
            t = m_step(expected_counts(alpha, x, y, size))
    return t, alpha, values
"""

LIBRARY = """
def align_corpus(pairs):
    return [sorted(links) for links in alignment.both_directions(pairs, pairs)["NAME"]]
"""

WRONG = [
    Wrong(
        "q1",
        "no column for NULL",
        """
def posterior(t, x, y, x_mask, y_mask):
    weights = t[x[:, None, :], y[:, :, None]] * (x_mask[:, None, :] & y_mask[:, :, None])
    totals = weights.sum(-1, keepdim=True)
    return torch.where(totals > 0, weights / totals, 0.0)
""",
        says="NULL needs a column",
    ),
    Wrong(
        "q1",
        "the last two dimensions exchanged",
        POSTERIOR
        + """
    weights = weights * mask
    totals = weights.sum(-1, keepdim=True)
    return torch.where(totals > 0, weights / totals, 0.0).mT
""",
        says="(2, 5, 4), got (2, 4, 5)",
    ),
    Wrong(
        "q1",
        "zero by zero in the rows of padding",
        POSTERIOR
        + """
    weights = weights * mask
    return weights / weights.sum(-1, keepdim=True)
""",
        says="zero by zero is not a number",
    ),
    Wrong(
        "q1",
        "normalised over the target words",
        POSTERIOR
        + """
    weights = weights * mask
    totals = weights.sum(dim=1, keepdim=True)
    return torch.where(totals > 0, weights / totals, 0.0)
""",
        says="over which letter does the sum in the denominator run",
    ),
    Wrong(
        "q1",
        "NULL in the last column",
        POSTERIOR
        + """
    weights = weights * mask
    totals = weights.sum(-1, keepdim=True)
    return torch.where(totals > 0, weights / totals, 0.0).roll(-1, -1)
""",
        says="NULL is in your last column",
    ),
    Wrong(
        "q1",
        "a softmax of the probabilities",
        POSTERIOR
        + """
    return torch.where(mask, weights.masked_fill(~mask, -1e9).softmax(-1), 0.0)
""",
        says="took a softmax",
    ),
    Wrong(
        "q1",
        "masked after dividing",
        POSTERIOR
        + """
    totals = weights.sum(-1, keepdim=True)
    return torch.where(mask & (totals > 0), weights / totals, 0.0)
""",
        says="in which order do you mask and divide",
    ),
    Wrong(
        "q1",
        "padding of the source unmasked",
        POSTERIOR
        + """
    weights = weights * y_mask[:, :, None]
    totals = weights.sum(-1, keepdim=True)
    return torch.where(totals > 0, weights / totals, 0.0)
""",
        says="Padding is no writer",
    ),
    Wrong(
        "q1",
        "padding known by its id",
        """
def posterior(t, x, y, x_mask, y_mask):
    return known_by_id(t, x, y, x != 0, y_mask)

def known_by_id(t, x, y, x_mask, y_mask):"""
        + WEIGHTS
        + """
    weights = weights * mask
    totals = weights.sum(-1, keepdim=True)
    return torch.where(totals > 0, weights / totals, 0.0)
""",
        says="only the mask says what is padding",
        hidden=True,
    ),
    Wrong(
        "q1",
        "a source word that stands twice offers once",
        POSTERIOR
        + """
    weights = weights * mask
    times = (writers[:, :, None] == writers[:, None, :]) & real[:, None, :]
    weights = weights / times.sum(-1).clamp(min=1)[:, None, :]
    totals = weights.sum(-1, keepdim=True)
    return torch.where(totals > 0, weights / totals, 0.0)
""",
        says="a source word that stands twice is two writers",
        hidden=True,
    ),
    Wrong(
        "q1",
        "0/0 mended for padding only",
        POSTERIOR
        + """
    weights = weights * mask
    return torch.where(mask, weights / weights.sum(-1, keepdim=True), 0.0)
""",
        says="a denominator of zero",
        hidden=True,
    ),
    Wrong(
        "q1",
        "a constant in the denominator",
        POSTERIOR
        + """
    weights = weights * mask
    return weights / (weights.sum(-1, keepdim=True) + 1e-12)
""",
        says="a constant that you add to the denominator",
        hidden=True,
    ),
    Wrong(
        "q2",
        "repeated places counted once",
        COUNTS
        + """
    n = alpha.new_zeros(tuple(size))
    n[e, f] += alpha
    return n
""",
        says="does the sum take each of them",
    ),
    Wrong(
        "q2",
        "the M-step normalises over the source words",
        """
def m_step(n):
    total = n.sum(0, keepdim=True)
    return torch.where(total > 0, n / total, 0.0)
""",
        says="yours sums to one over the source words",
    ),
    Wrong(
        "q2",
        "rows of zeros become NaN",
        "def m_step(n):\n    return n / n.sum(1, keepdim=True)",
        says="NaN for a word that wrote nothing",
    ),
    Wrong(
        "q2",
        "columns shifted by one against the source words",
        COUNTS
        + """
    n = alpha.new_zeros(tuple(size))
    return n.index_put((e, f), alpha.roll(-1, -1), accumulate=True)
""",
        says="want the chapter's table of counts",
    ),
    Wrong(
        "q2",
        "NULL in the last column",
        COUNTS.replace(
            "torch.cat([torch.zeros_like(x[:, :1]), x], dim=1)",
            "torch.cat([x, torch.zeros_like(x[:, :1])], dim=1)",
        )
        + """
    n = alpha.new_zeros(tuple(size))
    return n.index_put((e, f), alpha, accumulate=True)
""",
        says="you give it to the first source word",
    ),
    Wrong(
        "q2",
        "the counts that were given are changed",
        """
def m_step(n):
    n /= n.sum(1, keepdim=True)
    return n.nan_to_num_(0)
""",
        says="m_step changes the counts",
        hidden=True,
    ),
    Wrong(
        "q2",
        "NULL's counts left out",
        COUNTS
        + """
    n = alpha.new_zeros(tuple(size))
    return n.index_put((e[:, :, 1:], f[:, :, 1:]), alpha[:, :, 1:], accumulate=True)
""",
        says="NULL's expected counts",
        hidden=True,
    ),
    Wrong(
        "q2",
        "counts kept from one call to the next",
        """
kept = {}
"""
        + COUNTS
        + """
    n = kept.setdefault(tuple(size), alpha.new_zeros(tuple(size)))
    n.index_put_((e, f), alpha, accumulate=True)
    return n.clone()
""",
        says="each call has to begin at zero",
        hidden=True,
    ),
    Wrong(
        "q2",
        "a floor of one under the sum of a row",
        "def m_step(n):\n    return n / n.sum(1, keepdim=True).clamp(min=1)",
        says="may well be smaller than one",
        hidden=True,
    ),
    Wrong(
        "q2",
        "a small floor under the sum of a row",
        "def m_step(n):\n    return n / n.sum(1, keepdim=True).clamp(min=1e-9)",
        says="a constant in the denominator, or a floor under it",
        hidden=True,
    ),
    Wrong(
        "q3",
        "no constant for the choice of positions",
        LIKELIHOOD + "    return (weights * mask).sum(-1)[y_mask].log().sum().item()",
        says="leaves out the choice of the positions",
    ),
    Wrong(
        "q3",
        "S writers instead of S + 1",
        LIKELIHOOD
        + """
    total = (weights * mask).sum(-1) / x_mask.sum(1, keepdim=True)
    return total[y_mask].log().sum().item()
""",
        says="chose among S writers",
    ),
    Wrong(
        "q3",
        "the padded length for S",
        LIKELIHOOD
        + "    return ((weights * mask).sum(-1) / (x.shape[1] + 1))[y_mask].log().sum().item()",
        says="with the padded length for S",
    ),
    Wrong(
        "q3",
        "the sum of logarithms for the logarithm of the sum",
        LIKELIHOOD + "    return weights[mask].log().sum().item()",
        says="are their probabilities added or multiplied",
    ),
    Wrong(
        "q3",
        "an average over the target words",
        LIKELIHOOD
        + """
    total = (weights * mask).sum(-1) / real.sum(1, keepdim=True)
    return total[y_mask].log().mean().item()
""",
        says="an average; the sum over all target words",
    ),
    Wrong(
        "q3",
        "the logarithm of the product",
        LIKELIHOOD
        + """
    total = (weights * mask).sum(-1) / real.sum(1, keepdim=True)
    return torch.where(y_mask, total, 1.0).prod(1).log().sum().item()
""",
        says="when do you take the logarithm",
        hidden=True,
    ),
    Wrong(
        "q3",
        "a constant inside the logarithm",
        LIKELIHOOD
        + """
    total = (weights * mask).sum(-1) / real.sum(1, keepdim=True)
    return (total[y_mask] + 1e-12).log().sum().item()
""",
        says="A small constant inside the logarithm",
        hidden=True,
    ),
    Wrong(
        "q3",
        "no log-likelihood after the last iteration",
        FIT.replace(
            "    values.append(log_likelihood(t, *batch))\n    return", "    return"
        ).format(
            body="""values.append(log_likelihood(t, *batch))
        t = m_step(expected_counts(posterior(t, *batch), x, y, size))"""
        ),
        says="iterations + 1 = 3 log-likelihoods",
    ),
    Wrong(
        "q3",
        "the uniform table in single precision",
        FIT.replace(", dtype=torch.float64", "").format(
            body="""values.append(log_likelihood(t, *batch))
        t = m_step(expected_counts(posterior(t, *batch), x, y, size))"""
        ),
        says="of which type is the uniform table",
    ),
    Wrong(
        "q3",
        "a tensor of log-likelihoods",
        FIT.replace("return t, values", "return t, torch.tensor(values)").format(
            body="""values.append(log_likelihood(t, *batch))
        t = m_step(expected_counts(posterior(t, *batch), x, y, size))"""
        ),
        says="3 log-likelihoods, got Tensor",
    ),
    Wrong(
        "q3",
        "EM stops where little changes",
        """
def fit(x, y, x_mask, y_mask, size, iterations):
    batch = x, y, x_mask, y_mask
    t = torch.full(tuple(size), 1 / size[1], dtype=torch.float64)
    values = [log_likelihood(t, *batch)]
    for _ in range(iterations):
        t = m_step(expected_counts(posterior(t, *batch), x, y, size))
        values.append(log_likelihood(t, *batch))
        if values[-1] - values[-2] < 1e-6:
            break
    return t, values
""",
        says="also where nothing changes",
        hidden=True,
    ),
    Wrong(
        "q3",
        "counts carried from one iteration to the next",
        FIT.format(
            body="""values.append(log_likelihood(t, *batch))
        n = n + expected_counts(posterior(t, *batch), x, y, size)
        t = m_step(n)"""
        ),
        says="still holds the counts of the first",
        hidden=True,
    ),
    Wrong(
        "q3",
        "log-likelihoods one iteration late",
        FIT.format(
            body="""old, t = t, m_step(expected_counts(posterior(t, *batch), x, y, size))
        values = values or [log_likelihood(old, *batch)]
        values.append(log_likelihood(old, *batch))"""
        ).replace("    values.append(log_likelihood(t, *batch))\n    return", "    return"),
        says="one iteration late",
        hidden=True,
    ),
    Wrong(
        "q4",
        "NULL's words linked all the same",
        LINKS
        + f"""
        tied = [j for j in range(S) if offers[j] >= max(offers) * (1 - 1e-9) > 0]
        if tied:
            links.append(({NEAREST}, i))
    return links
""",
        says="you link the word all the same",
    ),
    Wrong(
        "q4",
        "NULL linked as position -1",
        "def best_links(alpha):\n"
        "    return [(j - 1, i) for i, j in enumerate(alpha.argmax(1).tolist())]",
        says="there is a source position -1",
    ),
    Wrong(
        "q4",
        "columns taken for source positions",
        "def best_links(alpha):\n"
        "    return [(j, i) for i, j in enumerate(alpha.argmax(1).tolist()) if j]",
        says="column 0 is NULL's",
    ),
    Wrong(
        "q4",
        "the target position first",
        "def best_links(alpha):\n"
        "    return [(i, j - 1) for i, j in enumerate(alpha.argmax(1).tolist()) if j]",
        says="a link is (source position, target position)",
    ),
    Wrong(
        "q4",
        "NULL wins ties",
        "def best_links(alpha):\n"
        "    return [(j - 1, i) for i, j in enumerate(alpha.argmax(1).tolist()) if j]",
        says="who loses every tie",
    ),
    Wrong(
        "q4",
        "the first word wins ties",
        LINKS
        + """
        j = max(range(S), key=lambda k: offers[k])
        if 0 < offers[j] >= null * (1 - 1e-9):
            links.append((j, i))
    return links
""",
        says="always the first of them",
    ),
    Wrong(
        "q4",
        "positions not relative to the lengths",
        LINKS
        + """
        tied = [j for j in range(S) if 0 < max(row) <= offers[j] * (1 + 1e-9)]
        if tied:
            links.append((min(tied, key=lambda j: abs(j - i)), i))
    return links
""",
        says="positions are compared relative to the lengths",
        hidden=True,
    ),
    Wrong(
        "q4",
        "only equal digits tie",
        LINKS
        + f"""
        tied = [j for j in range(S) if 0 < max(row) == offers[j]]
        if tied:
            links.append(({NEAREST}, i))
    return links
""",
        says="within a relative 1e-9",
        hidden=True,
    ),
    Wrong(
        "q4",
        "a tolerance of one per cent",
        LINKS
        + f"""
        tied = [j for j in range(S) if 0 < max(row) <= offers[j] * 1.01]
        if tied:
            links.append(({NEAREST}, i))
    return links
""",
        says="Which tolerance does your comparison have",
        hidden=True,
    ),
    Wrong(
        "q4",
        "torch.isclose with the tolerance that it has by itself",
        LINKS
        + f"""
        near = torch.isclose(alpha[i, 1:], alpha[i].max()).tolist()
        tied = [j for j in range(S) if near[j] and max(row) > 0]
        if tied:
            links.append(({NEAREST}, i))
    return links
""",
        says="Which tolerance does your comparison have",
        hidden=True,
    ),
    Wrong(
        "q4",
        "a link for a word that nobody can write",
        LINKS
        + f"""
        tied = [j for j in range(S) if max(row) <= offers[j] * (1 + 1e-9)]
        if tied:
            links.append(({NEAREST}, i))
    return links
""",
        says="a row of zeros",
        hidden=True,
    ),
    Wrong(
        "q4",
        "the links marked P only for the possible ones",
        SCORE
        + """
    rate = 1 - (len(a & s) + len(a & p)) / (len(a) + len(s))
    return len(a & p) / len(a), len(a & s) / len(s), rate
""",
        says="by the links marked P only",
    ),
    Wrong(
        "q4",
        "precision on the sure links",
        SCORE
        + """
    rate = 1 - (len(a & s) + len(a & (s | p))) / (len(a) + len(s))
    return len(a & s) / len(a), len(a & s) / len(s), rate
""",
        says="judge precision by the sure links",
    ),
    Wrong(
        "q4",
        "one minus F1 for the error rate",
        SCORE
        + """
    precision, recall = len(a & (s | p)) / len(a), len(a & s) / len(s)
    return precision, recall, 1 - 2 * precision * recall / (precision + recall)
""",
        says="the harmonic mean",
    ),
    Wrong(
        "q4",
        "the mean of the sentences' rates",
        """
def score(predicted, sure, possible):
    rows = []
    for a, s, p in zip(predicted, sure, possible):
        a, s, p = set(a), set(s), set(s) | set(p)
        rate = 1 - (len(a & s) + len(a & p)) / (len(a) + len(s))
        rows.append((len(a & p) / len(a), len(a & s) / len(s), rate))
    return [sum(column) / len(rows) for column in zip(*rows)]
""",
        says="the mean of the sentences' error rates",
        hidden=True,
    ),
    Wrong(
        "q4",
        "links of all sentences in one set",
        """
def score(predicted, sure, possible):
    a, s, p = ({link for part in x for link in part} for x in (predicted, sure, possible))
    right = len(a & s), len(a & (s | p))
    return right[1] / len(a), right[0] / len(s), 1 - sum(right) / (len(a) + len(s))
""",
        says="four sentences",
        hidden=True,
    ),
    Wrong(
        "q4",
        "division by zero where nothing is predicted",
        SCORE
        + """
    rate = 1 - (len(a & s) + len(a & (s | p))) / (len(a) + len(s))
    return len(a & (s | p)) / len(a), len(a & s) / len(s), rate
""",
        says="nothing is predicted",
        hidden=True,
    ),
    Wrong(
        "q5",
        "the second direction not turned back",
        """
def combine(there, back):
    return sorted(set(there) & set(back)), sorted(set(there) | set(back))
""",
        says="names the German word first",
    ),
    Wrong(
        "q5",
        "a union with repetitions",
        """
def combine(there, back):
    back = [(j, i) for i, j in back]
    return sorted(set(there) & set(back)), sorted(there + back)
""",
        says="the union has a link twice",
    ),
    Wrong(
        "q5",
        "intersection and union exchanged",
        """
def combine(there, back):
    there, back = set(there), {(j, i) for i, j in back}
    return sorted(there | back), sorted(there & back)
""",
        says="are exchanged",
    ),
    Wrong(
        "q5",
        "one direction alone",
        LIBRARY.replace("NAME", "source to target"),
        says="Do two directions agree on",
    ),
    Wrong(
        "q5",
        "the links of the corpus turned round",
        """
def align_corpus(pairs):
    model = alignment.IBMModel1.fit([(german, english) for english, german in pairs], 8)
    links = [model.align(german, english) for english, german in pairs]
    return [[(j, i) for j, i in found if j < len(e) and i < len(g)]
            for found, (e, g) in zip(links, pairs)]
""",
        says="with every link turned round",
    ),
    Wrong(
        "q5",
        "no links at all",
        "def align_corpus(pairs):\n    return [[] for _ in pairs]",
        says="Do two directions agree on",
    ),
    Wrong(
        "q5",
        "the diagonal",
        """
def align_corpus(pairs):
    return [[(i, i) for i in range(min(len(e), len(g)))] for e, g in pairs]
""",
        says="Do two directions agree on",
    ),
    Wrong(
        "q5",
        "the chapter's intersection",
        LIBRARY.replace("NAME", "intersection"),
        says="the bar is three quarters",
    ),
    Wrong(
        "q5",
        "NULL beside words that share everything",
        PLACES
        + NEAR
        + """
    null = torch.ones_like(near[:, :, :1]) / (S + 1)
    prior = torch.cat([null, near], dim=-1) * row
    return prior
""",
        says="they share the rest",
    ),
    Wrong(
        "q5",
        "NULL never chosen",
        PLACES + NEAR + "    return torch.cat([torch.zeros_like(near[:, :, :1]), near], -1) * row",
        says="with which probability is NULL chosen",
    ),
    Wrong(
        "q5",
        "NULL on the diagonal",
        PLACES
        + """
    scores = (-kappa * (j / S - i / T).abs()).masked_fill(~real, -torch.inf)
    scores = torch.cat([torch.zeros_like(scores[:, :, :1]), scores], dim=-1)
    return scores.softmax(-1) * row
""",
        says="NULL takes part in the softmax",
    ),
    Wrong(
        "q5",
        "places counted in words",
        PLACES + NEAR.replace("j / S - i / T", "j - i") + NULLED,
        says="relative to the lengths S and T",
    ),
    Wrong(
        "q5",
        "rows of padding not emptied",
        PLACES + NEAR + NULLED.replace(" * row", ""),
        says="where is its padding?",
    ),
    Wrong(
        "q5",
        "places relative to the padded lengths",
        PLACES
        + NEAR.replace("j / S - i / T", "j / x_mask.shape[1] - i / y_mask.shape[1]")
        + NULLED,
        says="an S and a T of its own",
        hidden=True,
    ),
    Wrong(
        "q5",
        "exponentials that round to zero",
        PLACES
        + """
    near = torch.exp(-kappa * (j / S - i / T).abs()) * real
    near = near / near.sum(-1, keepdim=True)
"""
        + NULLED,
        says="what does softmax do about that?",
        hidden=True,
    ),
    Wrong(
        "q5",
        "no prior in the E-step",
        PRIOR
        + """
        weights = offers * real
        totals = weights.sum(-1, keepdim=True)
        values.append((prior * offers).sum(-1)[y_mask].log().sum().item())
"""
        + PRIOR_END,
        says="where does the prior enter the E-step?",
    ),
    Wrong(
        "q5",
        "divided by S + 1 as well",
        PRIOR
        + """
        weights = offers * prior
        totals = weights.sum(-1, keepdim=True)
        values.append((totals[..., 0] / real.sum(-1))[y_mask].log().sum().item())
"""
        + PRIOR_END,
        says="nothing is divided by S + 1 any more",
    ),
    Wrong(
        "q5",
        "the prior in the first round only",
        PRIOR
        + """
        weights = offers * (prior if k in (0, iterations) else real)
        totals = weights.sum(-1, keepdim=True)
        values.append((prior * offers).sum(-1)[y_mask].log().sum().item())
"""
        + PRIOR_END,
        says="differs from the reference",
        hidden=True,
    ),
    Wrong(
        "q5",
        "the chapter's exercise 6: places when links are drawn",
        PRIOR
        + """
        early = 1 < iterations and k < iterations
        weights = offers * (real if early else prior)
        totals = weights.sum(-1, keepdim=True)
        values.append((prior * offers).sum(-1)[y_mask].log().sum().item())
"""
        + PRIOR_END,
        says="not only in the posteriors of the end",
        hidden=True,
    ),
]
