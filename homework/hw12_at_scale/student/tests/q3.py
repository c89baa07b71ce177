# homework: hw12_at_scale
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

@test_case(points=1.5, hidden=False)
def test_four_words(causal_attention):
    """Four words, blocks of two, beside the whole table."""
    causal_attention = with_own_line(causal_attention)
    import torch
    rng = torch.Generator().manual_seed(4)
    Q, K, V = (torch.randn(4, 4, generator=rng) for _ in range(3))
    try:
        got = causal_attention(Q, K, V, 2)
    except Exception as error:
        told = f'causal_attention stopped at 4 words with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    told = f'want a pair (C, L), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 2, told
    C, L = got
    shapes = [tuple(getattr(part, 'shape', ())) for part in got]
    assert shapes == [(4, 4), (4,)], f'want shapes (4, 4) and (4,), got {shapes}'
    s = Q @ K.T / 2
    future = torch.ones(4, 4, dtype=torch.bool).triu(1)
    want = s.masked_fill(future, -torch.inf).softmax(1) @ V
    told = 'the contexts differ from those of the whole table.'
    if torch.allclose(C, s.softmax(1) @ V, atol=0.0001):
        told += ' Your words see the future: hide the keys after each query.'
    elif torch.allclose(C, (2 * s).masked_fill(future, -torch.inf).softmax(1) @ V, atol=0.0001):
        told += ' The scale, 1 over the root of d, is missing.'
    elif torch.allclose(C[0], torch.zeros(4)):
        told += ' Word 0 sees itself: hide only the keys *after* a query.'
    elif torch.allclose(C[:2], want[:2], atol=0.0001):
        told += ' The first block of queries is right, the second is not: where do its rows begin?'
    assert torch.allclose(C, want, atol=0.0001), told
    want = s.masked_fill(future, -torch.inf).logsumexp(1)
    told = f'L: want {[round(x, 3) for x in want.tolist()]}, got {[round(x, 3) for x in L.tolist()]}:'
    told += ' the largest score, plus the log of the sum'
    assert torch.allclose(L, want, atol=0.0001), told

@test_case(points=1, hidden=False)
def test_the_way_back(gradients):
    """Beside autograd; C and L are right ones."""
    gradients = with_own_line(gradients)
    import torch
    rng = torch.Generator().manual_seed(5)
    Q, K, V, dC = (torch.randn(4, 4, generator=rng) for _ in range(4))
    leaves = [part.clone().requires_grad_() for part in (Q, K, V)]
    s = (leaves[0] @ leaves[1].T / 2).masked_fill(torch.ones(4, 4).triu(1).bool(), -torch.inf)
    C, L = (s.softmax(1) @ leaves[2], s.logsumexp(1))
    want = torch.autograd.grad(C, leaves, dC, retain_graph=True)
    got = gradients(Q, K, V, C.detach(), L.detach(), dC)
    told = f'want a triple (dQ, dK, dV), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 3, told
    for name, one, two in zip(('dV', 'dQ', 'dK'), (got[2], *got[:2]), (want[2], *want[:2]), strict=True):
        told = f"{name} differs from autograd's."
        if torch.allclose(one, 2 * two, atol=0.0001):
            told += ' It is √d times as large: the scale acts on the way back, too.'
        elif name == 'dV':
            told += ' It is the transposed weights times dC; weights of the future are zero.'
        else:
            told += ' Look at ds: from each dw the sum of its row is subtracted, then times w.'
        assert one.shape == two.shape, told
        assert torch.allclose(one, two, atol=0.0001), told

