# homework: hw06_where_to_look
from otter.test_files import test_case

def with_own_line(function):
    """The same function; what it raises says which line of its author's code stopped."""
    import functools
    import linecache
    import traceback

    own = getattr(function, "__globals__", None)
    if own is None:
        return function

    @functools.wraps(function)
    def call(*given, **named):
        try:
            return function(*given, **named)
        except Exception as error:
            # The innermost step in the notebook's own code: below it are torch and the library.
            walk = traceback.walk_tb(error.__traceback__)
            steps = [(f.f_code, number) for f, number in walk if f.f_globals is own]
            if not steps:  # It has not begun, as where it takes other arguments.
                raise
            code, number = steps[-1]
            line = linecache.getline(code.co_filename, number, own).strip()
            says = f"{error} (your code stopped at line {number} of its cell"
            says += f": `{line}`)" if line else ")"
            kind = type(error)
            # Of the same kind and name, for tests that ask; otter shows the name and the text.
            told = type(kind.__name__, (kind,), {"__str__": lambda self: says})
            raise told.__new__(told) from error

    return call


OK_FORMAT = False

name = "q3"
points = 5

@test_case(points=1, hidden=False)
def test_shapes(decode):
    """A dictionary with two tensors."""
    decode = with_own_line(decode)
    import torch
    B, T, S, E, H = (2, 3, 4, 5, 6)
    sizes = {'weight_ih': (4 * H, E + H), 'weight_hh': (4 * H, H), 'bias_ih': (4 * H,)}
    sizes |= {'bias_hh': (4 * H,), 'W_c': (H, 2 * H)}
    parts = {name: torch.zeros(size) for name, size in sizes.items()}
    given = (torch.zeros(B, T, E), (torch.zeros(B, H), torch.zeros(B, H)), torch.zeros(B, S, H))
    got = decode(*given, torch.ones(B, S, dtype=torch.bool), parts)
    assert isinstance(got, dict), f'want a dictionary, got {(None if got is None else type(got))}'
    for name, size in (('attentional', (B, T, H)), ('weights', (B, T, S))):
        came = getattr(got.get(name), 'shape', None)
        assert came == size, f'want {name} of shape {size}, got {came}'
    told = 'with nothing but zeros every word gets 1/4'
    assert torch.allclose(got['weights'], torch.full((B, T, S), 0.25)), told

@test_case(points=1, hidden=False)
def test_first_step(decode):
    """One step beside the library's, then two."""
    decode = with_own_line(decode)
    import torch
    from course_lib.models.luong import Luong, LuongConfig
    rng = torch.Generator().manual_seed(11)
    model = Luong(LuongConfig(9, 9, 5, 6, score='dot'), rng).double().eval()
    source = torch.randint(1, 9, (2, 4), generator=rng)
    target = torch.randint(1, 9, (2, 2), generator=rng)
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(torch.randn(weight.shape, generator=rng, dtype=torch.float64))
        memory = model.encode(source, source > 0)
        parts = {n.removesuffix('_l0'): p for n, p in model.decoder.named_parameters()}
        parts['W_c'] = model.combine.weight
        words = model.target_embed(target)
        start = model.start(memory)
        state = (start.hidden[:, 0], start.cell[:, 0])
        want = model.decode(target, memory, return_attention=True)
        got = decode(words, state, memory.annotations, source > 0, parts)
    notes = memory.annotations
    first = got['weights'][:, 0]
    rows = (want.attention[0, 0].tolist(), first[0].tolist())
    told = f'The first step has the weights {rows[0]}, got {rows[1]}.'
    early = (notes @ state[0][:, :, None])[..., 0].softmax(-1)
    if torch.allclose(first, early):
        told += ' You look with the state before the step. Here the LSTM moves first.'
    assert torch.allclose(first, want.attention[:, 0]), told
    logits = model.words(got['attentional'])
    told = 'The first attentional state is not right.'
    swapped = parts['W_c'].roll(6, dims=1)
    if not torch.allclose(logits[:, 0], want.logits[:, 0]):
        context = (first[:, None] @ notes)[:, 0]
        moved, _ = torch.lstm_cell(torch.cat([words[:, 0], 0 * context], -1), state, *list(parts.values())[:4])
        if torch.allclose(got['attentional'][:, 0], torch.cat([context, moved], -1) @ parts['W_c'].T):
            told += ' The tanh is missing.'
        elif torch.allclose(got['attentional'][:, 0], torch.tanh(torch.cat([context, moved], -1) @ swapped.T)):
            told += ' W_c meets [context; state], in this order.'
    assert torch.allclose(logits[:, 0], want.logits[:, 0]), told
    told = "The first step is right and the second is not. What does it read beside the word? The attentional state of the step before: not zeros, and not the LSTM's own state."
    assert torch.allclose(logits[:, 1], want.logits[:, 1]), told

