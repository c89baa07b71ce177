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
        says="post: the sum (3, 5) is normed",
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
        says="differs for D = 4",
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
        says="is the 1e-5 under the root",
        hidden=True,
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
        says="two real positions among loud padding",
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
        "an answer without a reason",
        """
def finding():
    return {"post": 1.07, "pre": 0.34, "why": "because of the norm"}
""",
        says="want 20 words or more",
        hidden=True,
    ),
]
