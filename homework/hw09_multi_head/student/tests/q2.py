# homework: hw09_multi_head
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

name = "q2"
points = 4

@test_case(points=0.5, hidden=False)
def test_shapes(several_heads):
    """A pair, and the weights of every head."""
    several_heads = with_own_line(several_heads)
    import torch
    x, eye = (torch.ones(2, 3, 4), torch.eye(4))
    try:
        got = several_heads(x, eye, eye, eye, eye, 2, torch.ones(2, 3, 3, dtype=torch.bool))
    except Exception as error:
        told = f'several_heads stopped at x (2, 3, 4) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, (tuple, list)), f'want a pair (y, weights), got {type(got).__name__}'
    assert len(got) == 2, 'want a pair (y, weights)'
    shapes = [tuple(getattr(g, 'shape', ())) for g in got]
    want = [(2, 3, 4), (2, 2, 3, 3)]
    assert shapes == want, f'want y and weights of shapes {want}, got {shapes}'

@test_case(points=0.5, hidden=False)
def test_one_small_sentence(several_heads):
    """Two words, two heads of width 3, numbers to check by hand."""
    several_heads = with_own_line(several_heads)
    import torch
    x = torch.zeros(1, 2, 6)
    x[0, 0, 0], x[0, 1, 5] = (2.0, 3.0)
    eye, real = (torch.eye(6), torch.ones(1, 2, 2, dtype=torch.bool))
    got = several_heads(x, eye, eye, eye, eye, 2, real)
    assert isinstance(got, (tuple, list)), 'no pair: see the first test'
    weights = got[1]
    assert getattr(weights, 'shape', None) == (1, 2, 2, 2), 'no weights: see the first test'
    told = 'your weights are no numbers (NaN), so everybody is hidden. Here the mask is True '
    told += 'everywhere: True means that a word may be looked at'
    assert not weights.isnan().any(), told
    share = weights[0, 0, 0, 0].item()

    def over(scale):
        """The first word's weight for itself, if its score of 4 is divided by this."""
        return torch.tensor([4 / scale, 0.0]).softmax(0)[0].item()
    want = over(3 ** 0.5)
    told = f'head 0 gives the first word the weight {want:.3f} for itself, yours {share:.3f}.'
    slips = [(6 ** 0.5, "You divide by the root of D. A head's keys are d_k = D / H wide"), (2 ** 0.5, "You divide by the root of H. A head's keys are d_k = D / H wide"), (3, 'You divide by d_k; divide by its root'), (1, 'The scale, the root of d_k, is missing'), (float('inf'), 'Are all hidden alike? True means that a word may be looked at')]
    for scale, hint in slips:
        if abs(share - over(scale)) < 0.001:
            told += f' {hint}'
    assert abs(share - want) < 0.0001, told
    sums = weights.sum(-1)
    told = 'the weights of a word (a row) should sum to one. Over which dimension is your softmax?'
    assert torch.allclose(sums, torch.ones_like(sums)), told
    told = 'y is other than weights times values, joined: is W_o applied once, to the joined heads?'
    want = torch.cat([weights[:, 0] @ x[..., :3], weights[:, 1] @ x[..., 3:]], -1)
    assert torch.allclose(got[0], want, atol=0.0001), told

@test_case(points=0.5, hidden=False)
def test_each_matrix_turned_over(several_heads):
    """Four matrices that are not symmetric, beside a loop over the heads."""
    several_heads = with_own_line(several_heads)
    import torch
    rng = torch.Generator().manual_seed(3)
    x = torch.randn(1, 3, 4, generator=rng)
    W_q, W_k, W_v, W_o = (torch.randn(4, 4, generator=rng) for _ in range(4))

    def looks(Q, K):
        """The weights of both heads."""
        pairs = zip((x @ Q.T).split(2, dim=-1), (x @ K.T).split(2, dim=-1), strict=True)
        return torch.stack([(q @ k.mT / 2 ** 0.5).softmax(dim=-1) for q, k in pairs], dim=1)

    def read(V):
        """What both heads read, side by side."""
        values = (x @ V.T).split(2, dim=-1)
        return torch.cat([looks(W_q, W_k)[:, h] @ values[h] for h in range(2)], dim=-1)
    got = several_heads(x, W_q, W_k, W_v, W_o, 2, torch.ones(1, 3, 3, dtype=torch.bool))
    assert isinstance(got, (tuple, list)), 'no pair: see the first test'
    y, weights = got
    told = 'the weights are other than those of a loop over the heads.'
    slips = [(looks(W_q.T, W_k.T), 'W_q and W_k are not turned over: x @ W.T, as in nn.Linear'), (looks(W_q.T, W_k), 'W_q is not turned over: x @ W_q.T, as in nn.Linear'), (looks(W_q, W_k.T), 'W_k is not turned over: x @ W_k.T, as in nn.Linear'), (looks(W_k, W_q), 'Queries and keys are exchanged: the row is the word that looks')]
    for slip, hint in slips:
        if torch.allclose(weights, slip, atol=0.0001):
            told += f' {hint}'
    assert torch.allclose(weights, looks(W_q, W_k), atol=0.0001), told
    told = 'the weights are right, y is other than that of a loop over the heads.'
    slips = [(read(W_v.T) @ W_o, 'W_v and W_o are not turned over: x @ W.T, as in nn.Linear'), (read(W_v.T) @ W_o.T, 'W_v is not turned over: x @ W_v.T, as in nn.Linear'), (read(W_v) @ W_o, 'W_o is not turned over: the joined heads @ W_o.T'), (read(W_v), 'W_o is not used: the joined heads @ W_o.T')]
    for slip, hint in slips:
        if torch.allclose(y, slip, atol=0.0001):
            told += f' {hint}'
    assert torch.allclose(y, read(W_v) @ W_o.T, atol=0.0001), told

@test_case(points=0.5, hidden=False)
def test_the_mask(several_heads):
    """A word that nobody may look at."""
    several_heads = with_own_line(several_heads)
    import torch
    x = torch.randn(1, 3, 4, generator=torch.Generator().manual_seed(2))
    eye = torch.eye(4)
    mask = torch.ones(1, 3, 3, dtype=torch.bool)
    mask[..., 2] = False
    got = several_heads(x, eye, eye, eye, eye, 2, mask)
    assert isinstance(got, (tuple, list)), 'no pair: see the first test'
    seen = got[1][..., 2].abs().max().item()
    told = f'nobody may look at the last word here; your heads give it up to {seen:.2f}.'
    if got[1][..., :2].abs().max().item() < 1e-06:
        told += ' Your mask is turned round: True means may be looked at'
    assert seen < 1e-06, told
    sums = got[1].sum(-1)
    told = 'with a mask the weights no longer sum to one: mask the scores, before the softmax'
    assert torch.allclose(sums, torch.ones_like(sums)), told

