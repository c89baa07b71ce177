# homework: hw07_decomposable
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

name = "q4"
points = 4

@test_case(points=1.5, hidden=False)
def test_the_example(distance_bias):
    """Three words, biases for -1, 0 and 1."""
    distance_bias = with_own_line(distance_bias)
    import torch
    got = distance_bias(torch.tensor([10.0, 20.0, 30.0]), 3)
    told = f"want a tensor of shape (3, 3), got {getattr(got, 'shape', type(got).__name__)}"
    assert isinstance(got, torch.Tensor), told
    assert got.shape == (3, 3), told
    want = torch.tensor([[20.0, 10, 10], [30, 20, 10], [30, 30, 20]])
    told = f'want {want.tolist()}, got {got.tolist()}.'
    if torch.equal(got, want.T):
        told += ' Yours is turned round: the row is i, the column j, and the bias that of i - j.'
    elif torch.equal(got.diagonal(), torch.full((3,), 20.0)):
        told += ' Words further apart than the biases go share the outermost one.'
    assert torch.equal(got, want), told

@test_case(points=1, hidden=False)
def test_far_words_share(distance_bias):
    """Six words with two biases on each side."""
    distance_bias = with_own_line(distance_bias)
    import torch
    got = distance_bias(torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0]), 6)
    assert getattr(got, 'shape', None) == (6, 6), 'wrong shape: see the first test'
    row = got[5].tolist()
    told = f'the last of six words sees [2, 2, 2, 2, 1, 0], yours {row}'
    assert row == [2.0, 2.0, 2.0, 2.0, 1.0, 0.0], told

