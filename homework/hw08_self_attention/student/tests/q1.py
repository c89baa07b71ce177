# homework: hw08_self_attention
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

name = "q1"
points = 4

@test_case(points=1, hidden=False)
def test_dog_puppy_barks(self_attention):
    """The chapter's three words by hand, with queries of four numbers and the scale."""
    self_attention = with_own_line(self_attention)
    import torch
    words = torch.tensor([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    X = torch.stack([words, words.flip(0)])
    W = torch.zeros(2, 9)
    W[0, 1] = 1.0
    W[0, 4] = W[1, 5] = 1.0
    W[1, 8] = 1.0
    try:
        got = self_attention(X, W, 4)
    except Exception as error:
        told = f'self_attention stopped at X (2, 3, 2), W (2, 9) with {type(error).__name__}: '
        raise AssertionError(f'{told}{error}') from None
    told = f'want a pair (C, weights), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 2, f'want a pair (C, weights), got {len(got)} things'
    shapes = [tuple(getattr(each, 'shape', ())) for each in got]
    told = f'want C and weights of shapes (2, 3, 1) and (2, 3, 3), got {shapes}.'
    if shapes == [(2, 3, 3), (2, 3, 1)]:
        told += ' C comes first, then the weights.'
    elif shapes[0] == (2, 3, 3):
        told += ' Did you cut W into three equal parts? Q and K take d_k columns each, V the rest.'
    elif shapes[0] == (2, 3, 2):
        told += ' Do you average the words? It is their values that are read.'
    assert shapes == [(2, 3, 1), (2, 3, 3)], told
    C, weights = got

    def shown(numbers):
        return [round(number, 3) for number in numbers.tolist()]
    sums = weights.sum(dim=-1)
    told = f'each row of weights should sum to one, yours sum to {shown(sums[0])}.'
    if torch.allclose(weights.sum(dim=-2), torch.ones(2, 3), atol=0.0001):
        told += ' Your columns do: your softmax runs over those who ask, not over those asked.'
    elif torch.allclose(weights.sum(dim=0), torch.ones(3, 3), atol=0.0001):
        told += ' Your softmax runs over the batch: no sentence should know of another.'
    assert torch.allclose(sums, torch.ones(2, 3), atol=0.0001), told
    asks = words[:, :1] @ words[:, 1:].T
    want, row = ((asks / 2).softmax(dim=-1)[0], weights[0, 0])
    told = f'dog asks dog, puppy and barks: want {shown(want)}, got {shown(row)}.'
    slips = [(asks, 'The scale is missing: divide the scores by the root of d_k.'), (asks / 4, 'You divide by d_k; divide by its root.'), (asks / 2 ** 0.5, "You divide by the root of d, a word's width; a query's is d_k."), (asks.T / 2, 'Queries and keys are exchanged: here barks asks dog, and dog nobody.')]
    values_first = 'You read values from the first columns of W. The first columns are W_Q.'
    if not C.any():
        told, slips = (f'{told} {values_first}', [])
    for slip, hint in slips:
        if torch.allclose(weights[0], slip.softmax(dim=-1), atol=0.0001):
            told += f' {hint}'
    assert torch.allclose(row, want, atol=0.0001), told
    want = torch.tensor([1.5752, 1.3194, 1.0])
    told = f'the words should read {shown(want)}, yours read {shown(C[0, :, 0])}.'
    if torch.allclose(C, weights.mT @ X[..., 1:], atol=0.0001):
        told += ' You add up with the columns of the weights; a word reads with its row.'
    elif not C.any():
        told += f' {values_first}'
    assert torch.allclose(C[0, :, 0], want, atol=0.001), told

@test_case(points=1, hidden=False)
def test_what_is_read(self_attention):
    """Queries of zero ask all words alike, so that each word reads the mean of the values."""
    self_attention = with_own_line(self_attention)
    import torch
    X = torch.tensor([[[1.0, 2.0], [3.0, 6.0]]])
    W = torch.tensor([[0.0, 5.0, 1.0, 0.0, 2.0], [0.0, 7.0, 0.0, 1.0, 2.0]])
    got = self_attention(X, W, 1)
    told = f'want a pair (C, weights), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    shape, last = (tuple(getattr(got[place], 'shape', ())) for place in (0, -1))
    told = f'with d_k = 1 and W (2, 5) values are 3 wide: want C (1, 2, 3), got {shape}.'
    if shape == (1, 2, 2) and last == (1, 2, 3):
        told += ' C comes first, then the weights.'
    elif shape == (1, 2, 2):
        told += ' Do you average the words? It is their values that are read.'
    assert shape == (1, 2, 3), told
    want = torch.tensor([[[2.0, 4.0, 12.0]] * 2])
    told = f'want the mean of the values, {want[0, 0].tolist()}, got {got[0][0, 0].tolist()}.'
    if torch.allclose(got[0], (X @ W[:, 1:4]).mean(dim=1, keepdim=True)):
        told += ' You read from the columns of the keys; values begin after 2 * d_k columns.'
    elif torch.allclose(got[0], 2 * want):
        told += ' That is their sum: over which dimension is your softmax?'
    elif not got[0][..., 0].any():
        told += ' You read values from the first columns of W. The first columns are W_Q.'
    assert torch.allclose(got[0], want, atol=0.0001), told

