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

name = "q2"
points = 4

@test_case(points=0.5, hidden=False)
def test_a_sum_over_words(aggregate):
    """Without padding, with a network that only adds one."""
    aggregate = with_own_line(aggregate)
    import torch
    words = torch.tensor([[[1.0, 2.0], [3.0, 4.0]]])
    found = torch.tensor([[[10.0, 20.0], [30.0, 40.0]]])
    try:
        got = aggregate(lambda x: x + 1, words, found, torch.ones(1, 2, dtype=torch.bool))
    except Exception as error:
        told = f'aggregate stopped at words (1, 2, 2) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    told = f'want shape (1, 4): one vector a sentence, got {tuple(got.shape)}'
    assert got.shape == (1, 4), told
    want = torch.tensor([[6.0, 8.0, 42.0, 62.0]])
    told = f'the sum should be {want[0].tolist()}, yours is {got[0].tolist()}.'
    if torch.allclose(got, want[:, [2, 3, 0, 1]]):
        told += ' The word stands first in the pair, and its partner second.'
    elif torch.allclose(2 * got, want):
        told += ' That is the mean of the two words; a sum is wanted.'
    elif torch.allclose(got, want - 1):
        told += ' You add up first and compare then. G is applied to each word by itself.'
    assert torch.allclose(got, want), told

@test_case(points=1.5, hidden=False)
def test_padding_adds_nothing(aggregate):
    """A network with a bias makes something even of zeros."""
    aggregate = with_own_line(aggregate)
    import torch
    words, found = (torch.zeros(2, 3, 1), torch.zeros(2, 3, 1))
    mask = torch.tensor([[True, False, False], [True, True, True]])
    got = aggregate(lambda x: x + 1, words, found, mask)
    assert getattr(got, 'shape', None) == (2, 2), 'wrong shape: see the first test'
    told = f'G(0) is 1 here. With one real word the sum is 1, with three it is 3; yours are {got[:, 0].tolist()}.'
    if torch.allclose(got, torch.full((2, 2), 3.0)):
        told += ' Padding is counted. Zeros in its place before G do not help: a network with a bias makes something of them. Clear what comes out of G.'
    elif torch.allclose(got, torch.ones(2, 2)):
        told += ' That is a mean over the real words.'
    assert torch.allclose(got[:, 0], torch.tensor([1.0, 3.0])), told

