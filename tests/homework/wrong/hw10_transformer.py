"""Slips that students make in homework 10, and what they are told."""

from tests.homework.answers import Wrong

_NORM = """
    def norm(z):
        centred = z - z.mean(dim=-1, keepdim=True)
        variance = (centred**2).mean(dim=-1, keepdim=True)
        return centred / (variance + 1e-5).sqrt() * gain + shift
"""
_GRADIENT = """
def last_gradient(norm, layers, seed):
    stack, rng = make_stack(norm, layers, seed), torch.Generator().manual_seed(seed + 1)
    x, target = (torch.randn(8, 6, 16, generator=rng) for _ in range(2))
    for layer in stack:
        x = layer(x).vectors
"""

WRONG = [
    Wrong(
        "q1",
        "no residual sum",
        f"""
def around(x, sublayer, gain, shift, order):
    {_NORM}
    return sublayer(norm(x)) if order == "pre" else norm(x + sublayer(x))
""",
        says="The residual sum is missing",
    ),
    Wrong(
        "q1",
        "the normed vector passes by",
        f"""
def around(x, sublayer, gain, shift, order):
    {_NORM}
    return norm(x) + sublayer(norm(x)) if order == "pre" else norm(x + sublayer(x))
""",
        says="You add the normed x",
    ),
    Wrong(
        "q1",
        "the variance of a sample",
        """
def around(x, sublayer, gain, shift, order):
    def norm(z):
        centred = z - z.mean(dim=-1, keepdim=True)
        return centred / (z.var(dim=-1, keepdim=True) + 1e-5).sqrt() * gain + shift

    return x + sublayer(norm(x)) if order == "pre" else norm(x + sublayer(x))
""",
        says="divided by D - 1",
    ),
    Wrong(
        "q1",
        "pre-norm for both",
        f"""
def around(x, sublayer, gain, shift, order):
    {_NORM}
    return x + sublayer(norm(x))
""",
        says="That is the sum itself: post-norm norms it",
    ),
    Wrong(
        "q1",
        "no gain and no shift",
        """
def around(x, sublayer, gain, shift, order):
    def norm(z):
        centred = z - z.mean(dim=-1, keepdim=True)
        return centred / ((centred**2).mean(dim=-1, keepdim=True) + 1e-5).sqrt()

    return x + sublayer(norm(x)) if order == "pre" else norm(x + sublayer(x))
""",
        says="Gain and shift are missing",
    ),
    Wrong(
        "q1",
        "no gain",
        """
def around(x, sublayer, gain, shift, order):
    def norm(z):
        centred = z - z.mean(dim=-1, keepdim=True)
        variance = (centred**2).mean(dim=-1, keepdim=True)
        return centred / (variance + 1e-5).sqrt() + shift

    return x + sublayer(norm(x)) if order == "pre" else norm(x + sublayer(x))
""",
        says="The gain is missing",
    ),
    Wrong(
        "q1",
        "no shift",
        """
def around(x, sublayer, gain, shift, order):
    def norm(z):
        centred = z - z.mean(dim=-1, keepdim=True)
        variance = (centred**2).mean(dim=-1, keepdim=True)
        return centred / (variance + 1e-5).sqrt() * gain

    return x + sublayer(norm(x)) if order == "pre" else norm(x + sublayer(x))
""",
        says="The shift is missing",
    ),
    Wrong(
        "q1",
        "the shift before the gain",
        """
def around(x, sublayer, gain, shift, order):
    def norm(z):
        centred = z - z.mean(dim=-1, keepdim=True)
        variance = (centred**2).mean(dim=-1, keepdim=True)
        return (centred / (variance + 1e-5).sqrt() + shift) * gain

    return x + sublayer(norm(x)) if order == "pre" else norm(x + sublayer(x))
""",
        says="First times the gain, then plus the shift",
    ),
    Wrong(
        "q1",
        "no root",
        """
def around(x, sublayer, gain, shift, order):
    def norm(z):
        centred = z - z.mean(dim=-1, keepdim=True)
        variance = (centred**2).mean(dim=-1, keepdim=True)
        return centred / (variance + 1e-5) * gain + shift

    return x + sublayer(norm(x)) if order == "pre" else norm(x + sublayer(x))
""",
        says="You divide by the variance: the root is missing",
    ),
    Wrong(
        "q1",
        "1e-5 beside the root",
        """
def around(x, sublayer, gain, shift, order):
    def norm(z):
        centred = z - z.mean(dim=-1, keepdim=True)
        variance = (centred**2).mean(dim=-1, keepdim=True)
        return centred / (variance.sqrt() + 1e-5) * gain + shift

    return x + sublayer(norm(x)) if order == "pre" else norm(x + sublayer(x))
""",
        says="1e-5 is added to the variance, and the root is of both",
    ),
    Wrong(
        "q1",
        "post-norm without the sum",
        f"""
def around(x, sublayer, gain, shift, order):
    {_NORM}
    return x + sublayer(norm(x)) if order == "pre" else norm(sublayer(x))
""",
        says="That is the normed sub-layer",
    ),
    Wrong(
        "q1",
        "both orders are computed",
        f"""
def around(x, sublayer, gain, shift, order):
    {_NORM}
    pre, post = x + sublayer(norm(x)), norm(x + sublayer(x))
    return pre if order == "pre" else post
""",
        says="called once, by you 2 times",
    ),
    Wrong(
        "q1",
        "the sub-layer reads the normed x in both orders",
        f"""
def around(x, sublayer, gain, shift, order):
    {_NORM}
    found = sublayer(norm(x))
    return x + found if order == "pre" else norm(x + found)
""",
        says="the sub-layer reads x as it came in",
    ),
    Wrong(
        "q1",
        "writes into x before the norm",
        f"""
def around(x, sublayer, gain, shift, order):
    {_NORM}
    x += sublayer(norm(x) if order == "pre" else x)
    return x if order == "pre" else norm(x)
""",
        says="your function writes into x",
        hidden=True,
    ),
    Wrong(
        "q1",
        "nothing under the root beside the variance",
        """
def around(x, sublayer, gain, shift, order):
    def norm(z):
        centred = z - z.mean(dim=-1, keepdim=True)
        return centred / (centred**2).mean(dim=-1, keepdim=True).sqrt() * gain + shift

    return x + sublayer(norm(x)) if order == "pre" else norm(x + sublayer(x))
""",
        says="1e-5 is added to the variance",
    ),
    Wrong(
        "q2",
        "keys and values of cross-attention from the target",
        """
def decoder_layer(y, memory, real, attend, think):
    T = y.shape[1]
    y = y + attend("self", y, y, y, torch.ones(T, T, dtype=torch.bool).tril())
    y = y + attend("cross", y, y, y, real[:, None, :])
    return y + think(y)
""",
        says="cross: keys come from the memory",
    ),
    Wrong(
        "q2",
        "queries of cross-attention from the memory",
        """
def decoder_layer(y, memory, real, attend, think):
    T = y.shape[1]
    y = y + attend("self", y, y, y, torch.ones(T, T, dtype=torch.bool).tril())
    y = y + attend("cross", memory, y, y, real[:, None, :])[:, :T]
    return y + think(y)
""",
        says="cross: queries come from the target",
    ),
    Wrong(
        "q2",
        "the triangle turned round",
        """
def decoder_layer(y, memory, real, attend, think):
    T = y.shape[1]
    y = y + attend("self", y, y, y, torch.ones(T, T, dtype=torch.bool).triu())
    y = y + attend("cross", y, memory, memory, real[:, None, :])
    return y + think(y)
""",
        says="turn the triangle round",
    ),
    Wrong(
        "q2",
        "a word may not look at itself",
        """
def decoder_layer(y, memory, real, attend, think):
    T = y.shape[1]
    y = y + attend("self", y, y, y, torch.ones(T, T, dtype=torch.bool).tril(-1))
    y = y + attend("cross", y, memory, memory, real[:, None, :])
    return y + think(y)
""",
        says="A word may look at itself too",
    ),
    Wrong(
        "q2",
        "the mask hides where it is True",
        """
def decoder_layer(y, memory, real, attend, think):
    T = y.shape[1]
    y = y + attend("self", y, y, y, ~torch.ones(T, T, dtype=torch.bool).tril())
    y = y + attend("cross", y, memory, memory, real[:, None, :])
    return y + think(y)
""",
        says="True means: may be looked at",
    ),
    Wrong(
        "q2",
        "every part reads the first y",
        """
def decoder_layer(y, memory, real, attend, think):
    T = y.shape[1]
    found = attend("self", y, y, y, torch.ones(T, T, dtype=torch.bool).tril())
    found = found + attend("cross", y, memory, memory, real[:, None, :])
    return y + found + think(y)
""",
        says="Each part reads the sum so far",
    ),
    Wrong(
        "q2",
        "no residual sums",
        """
def decoder_layer(y, memory, real, attend, think):
    T = y.shape[1]
    y = attend("self", y, y, y, torch.ones(T, T, dtype=torch.bool).tril())
    y = attend("cross", y, memory, memory, real[:, None, :])
    return think(y)
""",
        says="add, don't replace",
    ),
    Wrong(
        "q2",
        "no mask",
        """
def decoder_layer(y, memory, real, attend, think):
    y = y + attend("self", y, y, y, None)
    y = y + attend("cross", y, memory, memory, real[:, None, :])
    return y + think(y)
""",
        says="self: want a boolean mask (3, 3), got None",
    ),
    Wrong(
        "q2",
        "no mask of the source",
        """
def decoder_layer(y, memory, real, attend, think):
    T = y.shape[1]
    y = y + attend("self", y, y, y, torch.ones(T, T, dtype=torch.bool).tril())
    y = y + attend("cross", y, memory, memory, None)
    return y + think(y)
""",
        says="cross: want a boolean mask (2, 1, 4), got None",
    ),
    Wrong(
        "q2",
        "thinks before it looks at the source",
        """
def decoder_layer(y, memory, real, attend, think):
    T = y.shape[1]
    y = y + attend("self", y, y, y, torch.ones(T, T, dtype=torch.bool).tril())
    y = y + think(y)
    return y + attend("cross", y, memory, memory, real[:, None, :])
""",
        says="the feed-forward net comes last",
    ),
    Wrong(
        "q2",
        "adds into the y that is given",
        """
def decoder_layer(y, memory, real, attend, think):
    T = y.shape[1]
    y += attend("self", y, y, y, torch.ones(T, T, dtype=torch.bool).tril())
    y += attend("cross", y, memory, memory, real[:, None, :])
    y += think(y)
    return y
""",
        says="your function writes into y",
        hidden=True,
    ),
    Wrong(
        "q3",
        "max for min",
        """
def rate(step, width, warmup):
    return width**-0.5 * max(step**-0.5, step * warmup**-1.5)
""",
        says="the rise is the smaller one",
    ),
    Wrong(
        "q3",
        "all of e to the other words",
        """
def smoothed_loss(logits, target, mask, e):
    log_p = logits[mask].log_softmax(dim=-1)
    true = log_p.gather(-1, target[mask][:, None])[:, 0]
    others = (log_p.sum(dim=-1) - true) / (log_p.shape[-1] - 1)
    return -((1 - e) * true + e * others).mean()
""",
        says="You give all of e to the other words",
    ),
    Wrong(
        "q3",
        "the sum of the log-probabilities",
        """
def smoothed_loss(logits, target, mask, e):
    log_p = logits[mask].log_softmax(dim=-1)
    true = log_p.gather(-1, target[mask][:, None])[:, 0]
    return -((1 - e) * true + e * log_p.sum(dim=-1)).mean()
""",
        says="the mean of their log-probabilities, not the sum",
    ),
    Wrong(
        "q3",
        "no smoothing",
        """
def smoothed_loss(logits, target, mask, e):
    return torch.nn.functional.cross_entropy(logits[mask], target[mask])
""",
        says="without smoothing",
    ),
    Wrong(
        "q3",
        "times the mask",
        """
def smoothed_loss(logits, target, mask, e):
    log_p = logits.log_softmax(dim=-1)
    true = log_p.gather(-1, target[..., None])[..., 0]
    loss = -((1 - e) * true + e * log_p.mean(dim=-1))
    return (loss * mask).sum() / mask.sum()
""",
        says="a product with 0 does not hide infinity",
    ),
    Wrong(
        "q3",
        "a mean over all positions",
        """
def smoothed_loss(logits, target, mask, e):
    log_p = logits.masked_fill(~mask[..., None], 0.0).log_softmax(dim=-1)
    true = log_p.gather(-1, target[..., None])[..., 0]
    loss = -((1 - e) * true + e * log_p.mean(dim=-1))
    return loss.masked_fill(~mask, 0.0).mean()
""",
        says="You divide by all six positions",
    ),
    Wrong(
        "q3",
        "the sum over the positions",
        """
def smoothed_loss(logits, target, mask, e):
    log_p = logits[mask].log_softmax(dim=-1)
    true = log_p.gather(-1, target[mask][:, None])[:, 0]
    return -((1 - e) * true + e * log_p.mean(dim=-1)).sum()
""",
        says="the sum of the two; the mean is wanted",
    ),
    Wrong(
        "q3",
        "the true word gets its part of e twice",
        """
def smoothed_loss(logits, target, mask, e):
    log_p = logits[mask].log_softmax(dim=-1)
    true = log_p.gather(-1, target[mask][:, None])[:, 0]
    return -((1 - e + e / logits.shape[-1]) * true + e * log_p.mean(dim=-1)).mean()
""",
        says="The true word gets e / V twice",
    ),
    Wrong(
        "q3",
        "logits for log-probabilities",
        """
def smoothed_loss(logits, target, mask, e):
    logits = logits[mask]
    true = logits.gather(-1, target[mask][:, None])[:, 0]
    return -((1 - e) * true + e * logits.mean(dim=-1)).mean()
""",
        says="Logits are no log-probabilities",
    ),
    Wrong(
        "q3",
        "looks up the target of padding",
        """
def smoothed_loss(logits, target, mask, e):
    log_p = logits.log_softmax(dim=-1)
    true = log_p.gather(-1, target[..., None])[..., 0]
    return -((1 - e) * true + e * log_p.mean(dim=-1))[mask].mean()
""",
        says="A padding's target may be no word",
    ),
    Wrong(
        "q3",
        "writes into the logits",
        """
def smoothed_loss(logits, target, mask, e):
    logits[~mask] = 0.0
    log_p = logits.log_softmax(dim=-1)
    true = log_p.gather(-1, target.masked_fill(~mask, 0)[..., None])[..., 0]
    return -((1 - e) * true + e * log_p.mean(dim=-1))[mask].mean()
""",
        says="your function writes into logits",
        hidden=True,
    ),
    Wrong(
        "q3",
        "writes into the target",
        """
def smoothed_loss(logits, target, mask, e):
    target[~mask] = 0
    log_p = logits.log_softmax(dim=-1)
    true = log_p.gather(-1, target[..., None])[..., 0]
    return -((1 - e) * true + e * log_p.mean(dim=-1))[mask].mean()
""",
        says="your function writes into target",
        hidden=True,
    ),
    Wrong(
        "q4",
        "no biases in attention",
        """
def count(vocabulary, width, inner, layers, tied):
    attention, think = 4 * width * width, 2 * width * inner + inner + width
    layer = 3 * attention + 2 * think + 10 * width
    return layers * layer + (1 if tied == "all" else 3) * vocabulary * width
""",
        says="the biases of the attentions",
    ),
    Wrong(
        "q4",
        "two norms in a layer of the decoder",
        """
def count(vocabulary, width, inner, layers, tied):
    attention, think = 4 * (width * width + width), 2 * width * inner + inner + width
    layer = 3 * attention + 2 * think + 8 * width
    return layers * layer + (1 if tied == "all" else 3) * vocabulary * width
""",
        says="the third norm of the decoder's layers",
    ),
    Wrong(
        "q4",
        "one attention in a layer of the decoder",
        """
def count(vocabulary, width, inner, layers, tied):
    attention, think = 4 * (width * width + width), 2 * width * inner + inner + width
    layer = 2 * attention + 2 * think + 10 * width
    return layers * layer + (1 if tied == "all" else 3) * vocabulary * width
""",
        says="the second attention of the decoder's layers",
    ),
    Wrong(
        "q4",
        "three tables always",
        """
def count(vocabulary, width, inner, layers, tied):
    attention, think = 4 * (width * width + width), 2 * width * inner + inner + width
    layer = 3 * attention + 2 * think + 10 * width
    return layers * layer + 3 * vocabulary * width
""",
        says="two tables too many",
    ),
    Wrong(
        "q4",
        "no biases in the feed-forward nets",
        """
def count(vocabulary, width, inner, layers, tied):
    attention, think = 4 * (width * width + width), 2 * width * inner
    layer = 3 * attention + 2 * think + 10 * width
    return layers * layer + (1 if tied == "all" else 3) * vocabulary * width
""",
        says="missing or too much: the biases of the feed-forward nets",
    ),
    Wrong(
        "q4",
        "no norms",
        """
def count(vocabulary, width, inner, layers, tied):
    attention, think = 4 * (width * width + width), 2 * width * inner + inner + width
    layer = 3 * attention + 2 * think
    return layers * layer + (1 if tied == "all" else 3) * vocabulary * width
""",
        says="missing or too much: the norms",
    ),
    Wrong(
        "q4",
        "two tables where none is tied",
        """
def count(vocabulary, width, inner, layers, tied):
    attention, think = 4 * (width * width + width), 2 * width * inner + inner + width
    layer = 3 * attention + 2 * think + 10 * width
    return layers * layer + (1 if tied == "all" else 2) * vocabulary * width
""",
        says="'none' has three: source, target and output",
    ),
    Wrong(
        "q4",
        "an output with a bias",
        """
def count(vocabulary, width, inner, layers, tied):
    attention, think = 4 * (width * width + width), 2 * width * inner + inner + width
    layer = 3 * attention + 2 * think + 10 * width
    bias = vocabulary if tied == "none" else 0
    return layers * layer + (1 if tied == "all" else 3) * vocabulary * width + bias
""",
        says="The output's table has no bias",
    ),
    Wrong(
        "q4",
        "rows rounded to the nearest",
        """
def rows_for(total, width, inner, layers):
    return round((total - count(0, width, inner, layers, "all")) / width)
""",
        says="65,000,300 parameters: want 40745 rows, rounded down",
    ),
    Wrong(
        "q4",
        "rows rounded up",
        """
import math

def rows_for(total, width, inner, layers):
    return math.ceil((total - count(0, width, inner, layers, "all")) / width)
""",
        says="rounded down",
    ),
    Wrong(
        "q5",
        "the first layer",
        f"""{_GRADIENT}
    if norm == "pre":
        x = torch.nn.functional.layer_norm(x, (16,))
    ((x - target) ** 2).mean().backward()
    return stack[0].feed_forward.outer.weight.grad.norm().item()
""",
        says="That is the first layer's",
    ),
    Wrong(
        "q5",
        "no norm at the end",
        f"""{_GRADIENT}
    ((x - target) ** 2).mean().backward()
    return stack[-1].feed_forward.outer.weight.grad.norm().item()
""",
        says="a layer norm follows the last layer",
    ),
    Wrong(
        "q5",
        "the loss is a sum",
        f"""{_GRADIENT}
    if norm == "pre":
        x = torch.nn.functional.layer_norm(x, (16,))
    ((x - target) ** 2).sum().backward()
    return stack[-1].feed_forward.outer.weight.grad.norm().item()
""",
        says="last_gradient('post', 3, 7): want",
    ),
    Wrong(
        "q5",
        "the two are exchanged",
        """
def finding():
    return {"post": 0.34, "pre": 1.07, "why": " ".join(["because"] * 20)}
""",
        says="with post-norm the ratio is near 1",
        hidden=True,
    ),
    Wrong(
        "q5",
        "numbers that nobody measured",
        """
def finding():
    return {"post": 1.0, "pre": 0.3, "why": " ".join(["because"] * 20)}
""",
        says="post: your last_gradient gives the ratio 1.07",
        hidden=True,
    ),
    Wrong(
        "q5",
        "one seed alone",
        """
def finding():
    post, pre = (last_gradient(norm, 18, 0) / last_gradient(norm, 2, 0) for norm in ("post", "pre"))
    return {"post": post, "pre": pre, "why": " ".join(["because"] * 20)}
""",
        says="over the seeds 0 to 4, you found 1.23",
        hidden=True,
    ),
    Wrong(
        "q5",
        "an answer without a reason",
        """
def finding():
    return {"post": 1.07, "pre": 0.34, "why": "because of the norm"}
""",
        says="want 20 words or more",
        hidden=True,
    ),
]
