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

name = "q5"
points = 4

@test_case(points=1, hidden=False)
def test_a_known_mixture(hears):
    """What is read is A X, so that the derivatives stand in A."""
    hears = with_own_line(hears)
    import torch
    A = torch.tensor([[1.0, 0.0, 0.0], [-2.0, 0.5, 0.0], [0.0, 3.0, 4.0]]).double()
    X = torch.ones(3, 2).double()
    try:
        got = hears(lambda X: A @ X, X)
    except Exception as error:
        told = f'hears stopped at X (3, 2) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    assert got.shape == (3, 3), f'want a table (n, n) = (3, 3), got {tuple(got.shape)}'
    want = A.abs()
    told = f'what is read is A X with A = {A.tolist()}: want {want.tolist()}, got {got.tolist()}.'
    slips = [(want.T, 'Rows and columns are exchanged: the row is the word that hears.'), (A.clamp(min=0), 'Take absolute values before you look for the largest: one is negative.'), (A, 'A derivative may be negative: take its absolute value.'), (2 * want, 'You add up; the largest is wanted.'), (want / 2, 'You average; the largest is wanted.')]
    for slip, hint in slips:
        if torch.allclose(got.double(), slip, atol=0.0001):
            told += f' {hint}'
    assert torch.allclose(got.double(), want, atol=0.0001), told

@test_case(points=0.5, hidden=False)
def test_nothing_cancels(hears):
    """Two numbers that are read change in opposite directions."""
    hears = with_own_line(hears)
    import torch
    A = torch.tensor([[1.0, 0.0], [2.0, 3.0]]).double()
    W = torch.tensor([[1.0, -1.0], [0.0, 0.0]]).double()
    X = torch.zeros(2, 2).double()
    got = hears(lambda X: A @ X @ W, X)
    shape = tuple(getattr(got, 'shape', ()))
    assert shape == (2, 2), f'want a table (2, 2), got {type(got).__name__} {shape}'
    told = f'want {A.tolist()}, got {got.tolist()}.'
    if got.abs().max() < 1e-09:
        told += ' Of what a word reads one number rises as the other falls: added up, they cancel.'
    elif torch.allclose(got.double() * 4, A):
        told += " You average over a word's numbers; the largest derivative is wanted."
    assert torch.allclose(got.double(), A, atol=0.0001), told

