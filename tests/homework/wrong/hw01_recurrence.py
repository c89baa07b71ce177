"""Known-wrong answers to homework 1, and what the first failing test says about each."""

from tests.homework.answers import Wrong

PADDING = [
    Wrong(
        "q1",
        "runs on over the padding",
        """
def rnn(inputs, lengths, W_ih, W_hh, b):
    h, states = inputs.new_zeros(len(inputs), len(W_hh)), []
    for x in inputs.unbind(1):
        h = torch.tanh(x @ W_ih.T + h @ W_hh.T + b)
        states.append(h)
    return torch.stack(states, dim=1), h
""",
        says="ran on over the padding",
    ),
    Wrong(
        "q1",
        "takes the last position of the row for the last word",
        """
def rnn(inputs, lengths, W_ih, W_hh, b):
    h, states = inputs.new_zeros(len(inputs), len(W_hh)), []
    for j, x in enumerate(inputs.unbind(1)):
        h = torch.tanh(x @ W_ih.T + h @ W_hh.T + b)
        states.append(torch.where((j < lengths)[:, None], h, 0.0))
    states = torch.stack(states, dim=1)
    return states, states[:, -1]
""",
        says="Where is the last word?",
    ),
    Wrong(
        "q1",
        "multiplies by W_hh the wrong way up",
        """
def rnn(inputs, lengths, W_ih, W_hh, b):
    h, states = inputs.new_zeros(len(inputs), len(W_hh)), []
    for j, x in enumerate(inputs.unbind(1)):
        h = torch.where((j < lengths)[:, None], torch.tanh(x @ W_ih.T + h @ W_hh + b), h)
        states.append(torch.where((j < lengths)[:, None], h, 0.0))
    return torch.stack(states, dim=1), h
""",
        says="transpose of W_hh",
    ),
    Wrong(
        "q1",
        "multiplies by a mask, which leaves nan",
        """
def rnn(inputs, lengths, W_ih, W_hh, b):
    h, states = inputs.new_zeros(len(inputs), len(W_hh)), []
    for j, x in enumerate(inputs.unbind(1)):
        here = (j < lengths)[:, None].to(x.dtype)
        h = here * torch.tanh(x @ W_ih.T + h @ W_hh.T + b) + (1 - here) * h
        states.append(here * h)
    return torch.stack(states, dim=1), h
""",
        says="0 times nan is nan",
        hidden=True,
    ),
    Wrong(
        "q1",
        "indexes position -1 of an empty sentence",
        """
def rnn(inputs, lengths, W_ih, W_hh, b):
    h, states = inputs.new_zeros(len(inputs), len(W_hh)), []
    for x in inputs.unbind(1):
        h = torch.tanh(x @ W_ih.T + h @ W_hh.T + b)
        states.append(h)
    states = torch.stack(states, dim=1)
    last = states[torch.arange(len(lengths)), lengths - 1]
    real = torch.arange(states.shape[1]) < lengths[:, None]
    return torch.where(real[..., None], states, 0.0), last
""",
        says="lengths - 1",
        hidden=True,
    ),
    Wrong(
        "q1",
        "starts from a float32 state whatever the inputs are",
        """
def rnn(inputs, lengths, W_ih, W_hh, b):
    h, states = torch.zeros(len(inputs), len(W_hh)), []
    for j, x in enumerate(inputs.unbind(1)):
        here = (j < lengths)[:, None]
        h = torch.where(here, torch.tanh(x @ W_ih.T + h @ W_hh.T + b), h)
        states.append(torch.where(here, h, 0.0))
    return torch.stack(states, dim=1), h
""",
        says="with inputs of dtype torch.float64",
        hidden=True,
    ),
]

# What the wrong answers to question 2 share: the right recursion, with three places to go wrong.
_BACK = """
def state_gradients(states, lengths, W_hh, d):
    real = torch.arange(states.shape[1]) < lengths[:, None]
    d = {clean}
    later, g = torch.zeros_like(d[:, 0]), [None] * states.shape[1]
    for j in reversed(range(states.shape[1])):
        g[j] = d[:, j] + later
        later = {later}
    return torch.stack(g, dim=1)
"""
_CLEAN = "torch.where(real[..., None], d, 0.0)"
_LATER = "((1 - states[:, j] ** 2) * g[j]) @ W_hh"

# And the same for the weights.
_WEIGHTS = """
def weight_gradients(inputs, states, lengths, g):
    real = torch.arange(inputs.shape[1]) < lengths[:, None]
    inputs = {inputs}
    slope_g = {slope} * g
    before = {before}
    return {{
        "W_ih": torch.einsum("bsh,bsd->hd", slope_g, inputs){over},
        "W_hh": torch.einsum("bsh,bsk->hk", slope_g, before){over},
        "b": slope_g.sum(dim=(0, 1)){over},
    }}
"""
_INPUTS = "torch.where(real[..., None], inputs, 0.0)"
_SLOPE = "(1 - states**2)"
_BEFORE = "torch.cat([torch.zeros_like(states[:, :1]), states[:, :-1]], dim=1)"

GRADIENTS = [
    Wrong(
        "q2",
        "goes back through W_hh, not through its transpose",
        _BACK.format(clean=_CLEAN, later="((1 - states[:, j] ** 2) * g[j]) @ W_hh.T"),
        says="through W_hh and not through its transpose",
    ),
    Wrong(
        "q2",
        "takes the slope of the state before",
        _BACK.format(clean=_CLEAN, later="(1 - states[:, j - 1] ** 2) * (g[j] @ W_hh)"),
        says="the slope of the state h_1 was taken",
    ),
    Wrong(
        "q2",
        "forgets the slope of tanh on the way back",
        _BACK.format(clean=_CLEAN, later="g[j] @ W_hh"),
        says="through tanh as well as the matrix",
    ),
    Wrong(
        "q2",
        "takes the loss at the last word alone",
        _BACK.format(
            clean="torch.where(torch.arange(states.shape[1])[None, :, None] "
            "== lengths[:, None, None] - 1, d, 0.0)",
            later=_LATER,
        ),
        says="every word has a loss",
    ),
    Wrong(
        "q2",
        "brings nothing back from later words",
        _BACK.format(clean=_CLEAN, later="torch.zeros_like(g[j])"),
        says="nothing came back from position 2",
    ),
    Wrong(
        "q2",
        "multiplies by the state that the step makes",
        _WEIGHTS.format(inputs=_INPUTS, slope=_SLOPE, before="states", over=""),
        says="Which state does W_hh act on",
    ),
    Wrong(
        "q2",
        "rolls the last state round to the front",
        _WEIGHTS.format(inputs=_INPUTS, slope=_SLOPE, before="states.roll(1, dims=1)", over=""),
        says="the last state was taken for the one before the first",
    ),
    Wrong(
        "q2",
        "leaves out the slope in the gradients of the weights",
        _WEIGHTS.format(inputs=_INPUTS, slope="1", before=_BEFORE, over=""),
        says="The bias stands inside the tanh",
    ),
    Wrong(
        "q2",
        "takes the mean over the sentences",
        _WEIGHTS.format(inputs=_INPUTS, slope=_SLOPE, before=_BEFORE, over=" / len(inputs)"),
        says="the mean over the sentences",
        hidden=True,
    ),
    Wrong(
        "q2",
        "counts the loss at the padding",
        _BACK.format(clean="d", later=_LATER),
        says="want g = 0 at the padding",
        hidden=True,
    ),
    Wrong(
        "q2",
        "cleans the gradient by multiplying with the mask",
        _BACK.format(clean="d * real[..., None]", later=_LATER),
        says="nan gets into g",
        hidden=True,
    ),
    Wrong(
        "q2",
        "leaves the padding of the inputs in",
        _WEIGHTS.format(inputs="inputs", slope=_SLOPE, before=_BEFORE, over=""),
        says="which of the tensors that come in has not been cleaned?",
        hidden=True,
    ),
    Wrong(
        "q2",
        "goes back twenty steps and no further",
        _BACK.format(
            clean=_CLEAN, later=_LATER + " * (j > states.shape[1] - 20 or states.shape[1] < 20)"
        ),
        says="Every step back counts",
        hidden=True,
    ),
]

CLIPPING = [
    Wrong(
        "q3",
        "clips each tensor by itself",
        """
def clip(gradients, max_norm):
    norm = torch.cat([t.flatten() for t in gradients]).double().norm().item()
    return [t * min(1.0, max_norm / t.norm().item()) for t in gradients], norm
""",
        says="each tensor clipped by itself",
    ),
    Wrong(
        "q3",
        "clips by value",
        """
def clip(gradients, max_norm):
    norm = torch.cat([t.flatten() for t in gradients]).double().norm().item()
    return [t.clamp(-max_norm, max_norm) for t in gradients], norm
""",
        says="or each number",
    ),
    Wrong(
        "q3",
        "adds up the norms",
        """
def clip(gradients, max_norm):
    norm = sum(t.norm().item() for t in gradients)
    return [t * min(1.0, max_norm / norm) for t in gradients], norm
""",
        says="add up by their squares",
    ),
    Wrong(
        "q3",
        "makes short gradients longer",
        """
def clip(gradients, max_norm):
    norm = torch.cat([t.flatten() for t in gradients]).double().norm().item()
    return [t * (max_norm / norm) for t in gradients], norm
""",
        says="clipping shortens only",
    ),
    Wrong(
        "q3",
        "divides by a norm of zero",
        """
def clip(gradients, max_norm):
    norm = torch.cat([t.flatten() for t in gradients]).double().norm()
    return [(t / norm * norm.clamp(max=max_norm)).to(t.dtype) for t in gradients], norm.item()
""",
        says="is something 0 / 0?",
        hidden=True,
    ),
    Wrong(
        "q3",
        "squares in float32",
        """
def clip(gradients, max_norm):
    norm = sum((t**2).sum() for t in gradients).sqrt().item()
    return [t * (max_norm / norm) if norm > max_norm else t for t in gradients], norm
""",
        says="In which dtype are the squares",
        hidden=True,
    ),
]

_GRU = """
def gru(inputs, h_0, W_ih, W_hh, b_ih, b_hh):
    h, states, H = {start}, [], h_0.shape[1]
    sigmoid = {sigmoid}
    for x in inputs.unbind(1):
        old = {old}
        x_r, x_z, x_n = (x @ W_ih.T + b_ih).chunk(3, dim=-1)
        h_r, h_z, h_n = (old @ W_hh.T + b_hh).chunk(3, dim=-1)
        {gates} = sigmoid(x_r + h_r), sigmoid(x_z + h_z)
        n = torch.tanh(x_n + {reset})
        h = {new}
        states.append(h)
    return torch.stack(states, dim=1)
"""
_RIGHT = {
    "start": "h_0",
    "sigmoid": "torch.sigmoid",
    "old": "h",
    "gates": "r, z",
    "reset": "r * h_n",
    "new": "(1 - z) * n + z * old",
}

GATES = [
    Wrong(
        "q4",
        "swaps z and 1 - z",
        _GRU.format(**_RIGHT | {"new": "z * n + (1 - z) * old"}),
        says="z and 1 - z are swapped",
    ),
    Wrong(
        "q4",
        "stacks the update gate before the reset gate",
        _GRU.format(**_RIGHT | {"gates": "z, r"}),
        says="In which order are they stacked?",
    ),
    Wrong(
        "q4",
        "resets before the matrix, as the paper does",
        _GRU.format(**_RIGHT | {"reset": "(r * old) @ W_hh[2 * H :].T + b_hh[2 * H :]"}),
        says="look at the brackets behind r",
    ),
    Wrong(
        "q4",
        "adds up the two biases, as in the plain cell",
        _GRU.format(**_RIGHT | {"reset": "r * (h_n - b_hh[2 * H :]) + b_hh[2 * H :]"}),
        says="look at the brackets behind r",
    ),
    Wrong(
        "q4",
        "resets the state before the matrix but takes the bias along",
        _GRU.format(**_RIGHT | {"reset": "(r * old) @ W_hh[2 * H :].T + r * b_hh[2 * H :]"}),
        says="differs from torch.nn.GRU's",
        hidden=True,
    ),
    Wrong(
        "q4",
        "starts every step from h_0",
        _GRU.format(**_RIGHT | {"old": "h_0"}),
        says="Is the new state carried to the next step?",
        hidden=True,
    ),
    Wrong(
        "q4",
        "has a logistic function of its own that overflows",
        _GRU.format(**_RIGHT | {"sigmoid": "lambda a: a.exp() / (1 + a.exp())"}),
        says="inf / inf is nan",
        hidden=True,
    ),
]

_PURPOSE = """
def first_letter_weights(letters, noise):
    H, D = letters, letters + noise
    strong = {strong}
    W_ih, W_hh = torch.zeros(3 * H, D), torch.zeros(3 * H, H)
    b_ih, b_hh = torch.zeros(3 * H), torch.zeros(3 * H)
    W_ih[2 * H :, :letters] = 20.0 * torch.eye(letters)
    {update}
    return {{"W_ih": W_ih, "W_hh": W_hh, "b_ih": b_ih, "b_hh": b_hh}}
"""
_KEEP = "b_ih[H : 2 * H] = -strong; W_ih[H : 2 * H, letters:] = 2 * strong"

PURPOSE = [
    Wrong(
        "q5",
        "opens the update gate to write",
        _PURPOSE.format(
            strong="20.0",
            update="b_ih[H : 2 * H] = strong; W_ih[H : 2 * H, letters:] = -2 * strong",
        ),
        says="it is not written",
    ),
    Wrong(
        "q5",
        "leaves the update gate half open at noise",
        _PURPOSE.format(
            strong="20.0", update="b_ih[H : 2 * H] = -strong; W_ih[H : 2 * H, letters:] = strong"
        ),
        says="the update gate z goes down to 0.50 at noise",
    ),
    Wrong(
        "q5",
        "keeps the last letter, not the first",
        _PURPOSE.format(strong="20.0", update=_KEEP),
        says="A later letter gets in",
    ),
    Wrong(
        "q5",
        "each unit knows only of its own letter",
        _PURPOSE.format(
            strong="20.0",
            update=_KEEP + "; W_hh[H : 2 * H] = 2 * strong * torch.eye(H)",
        ),
        says="A later letter gets in",
    ),
    Wrong(
        "q5",
        "forgets slowly: gates of 0.9975",
        _PURPOSE.format(strong="6.0", update=_KEEP + "; W_hh[H : 2 * H] = 2 * strong"),
        says="which sum before the gate makes z 0.99?",
        hidden=True,
    ),
    Wrong(
        "q5",
        "knows one size: four letters and four noise symbols",
        _PURPOSE.format(
            strong="20.0",
            update="b_ih[H : 2 * H] = -strong; W_ih[H : 2 * H, 4:] = 2 * strong; "
            "W_hh[H : 2 * H] = 2 * strong",
        ),
        says="26 letters and 4 noise symbols",
        hidden=True,
    ),
]

WRONG = [
    *PADDING,
    *GRADIENTS,
    *CLIPPING,
    *GATES,
    *PURPOSE,
    Wrong(
        "q1",
        "states only as long as the longest sentence",
        """
def rnn(inputs, lengths, W_ih, W_hh, b):
    h, states = inputs.new_zeros(len(inputs), len(W_hh)), []
    for j in range(int(lengths.max())):
        here = (j < lengths)[:, None]
        h = torch.where(here, torch.tanh(inputs[:, j] @ W_ih.T + h @ W_hh.T + b), h)
        states.append(torch.where(here, h, 0.0))
    return torch.stack(states, dim=1), h
""",
        says="and S is 4",
    ),
    Wrong(
        "q2",
        "adds into d itself",
        """
def state_gradients(states, lengths, W_hh, d):
    d[torch.arange(d.shape[1]) >= lengths[:, None]] = 0
    for j in range(d.shape[1] - 1, 0, -1):
        d[:, j - 1] += ((1 - states[:, j] ** 2) * d[:, j]) @ W_hh
    return d
""",
        says="writes into the tensor that it was given",
    ),
    Wrong(
        "q2",
        "collects in float32",
        """
def state_gradients(states, lengths, W_hh, d):
    d = torch.where((torch.arange(d.shape[1]) < lengths[:, None])[..., None], d, 0.0)
    g = torch.zeros(d.shape)
    g[:, -1] = d[:, -1]
    for j in range(d.shape[1] - 1, 0, -1):
        g[:, j - 1] = d[:, j - 1] + ((1 - states[:, j] ** 2) * g[:, j]) @ W_hh
    return g
""",
        says="torch.zeros makes float32",
    ),
    Wrong(
        "q2",
        "the gradient of W_hh the wrong way up",
        """
right_gradients = weight_gradients


def weight_gradients(*given):
    out = right_gradients(*given)
    return out | {"W_hh": out["W_hh"].T}
""",
        says="is transposed",
        hidden=True,
    ),
    Wrong(
        "q3",
        "clips in place",
        """
def clip(gradients, max_norm):
    norm = sum((g.double() ** 2).sum() for g in gradients).sqrt().item()
    if norm > max_norm:
        for g in gradients:
            g.mul_(max_norm / norm)
    return gradients, norm
""",
        says="the old ones as they were",
    ),
    Wrong(
        "q3",
        "float32 comes back whatever came in",
        """
def clip(gradients, max_norm):
    norm = sum((g.double() ** 2).sum() for g in gradients).sqrt().item()
    factor = min(1.0, max_norm / norm) if norm else 1.0
    return [(g.double() * factor).float() for g in gradients], norm
""",
        says="want float64 back",
        hidden=True,
    ),
    Wrong(
        "q4",
        "returns what torch.nn.GRU returns",
        """
right_gru = gru


def gru(*given):
    states = right_gru(*given)
    return states, states[:, -1]
""",
        says="got a tuple",
    ),
]
