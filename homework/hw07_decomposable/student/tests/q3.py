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

name = "q3"
points = 4

@test_case(points=1, hidden=False)
def test_blind(blind):
    """The half of the matrix that meets the word."""
    blind = with_own_line(blind)
    import torch
    weight = torch.tensor([[1.0, 2.0, 30.0, 40.0]])
    got = blind(weight)
    told = f"want a tensor of shape (1, 2), got {getattr(got, 'shape', type(got).__name__)}"
    assert isinstance(got, torch.Tensor), told
    assert got.shape == (1, 2), told
    told = f'the part of {weight.tolist()} that meets the word is [[1, 2]], yours is {got.tolist()}'
    if torch.equal(got, torch.tensor([[30.0, 40.0]])):
        told += '. That half meets the partner: the word stands first in the pair'
    assert torch.equal(got, torch.tensor([[1.0, 2.0]])), told

@test_case(points=1.5, hidden=False)
def test_equal(equal):
    """One pair, of whose words one is padding."""
    equal = with_own_line(equal)
    import torch
    weight = torch.tensor([[1.0, 2.0, 10.0, 20.0]])
    bias = torch.tensor([0.5])
    other = torch.tensor([[[1.0, 0.0], [3.0, 2.0], [90.0, 90.0]]])
    mask = torch.tensor([[True, True, False]])
    got = equal(weight, bias, other, mask)
    assert isinstance(got, (tuple, list)), 'want a pair (W1, biases)'
    assert len(got) == 2, 'want a pair (W1, biases)'
    first, biases = got
    assert getattr(first, 'shape', None) == (1, 2), 'the matrix should have shape (1, 2)'
    told = f"want one bias for the pair, shape (1, 1); got {getattr(biases, 'shape', None)}"
    assert getattr(biases, 'shape', None) == (1, 1), told
    value = biases.item()
    told = f'The mean of the real words (1, 0) and (3, 2) is (2, 1). The bias is 0.5 + 10 * 2 + 20 * 1 = 40.5; yours is {value:.2f}.'
    if abs(value - (0.5 + 10 * 94 / 3 + 20 * 92 / 3)) < 0.1:
        told += ' You average the padding too.'
    elif abs(value - (0.5 + 10 * 4 / 3 + 20 * 2 / 3)) < 0.1:
        told += ' You divide by all positions, and not by the real words.'
    elif abs(value - 40) < 0.001:
        told += " The layer's own bias is lost."
    elif abs(value - 80.5) < 0.001:
        told += ' That is the sum of the words, not their mean.'
    assert abs(value - 40.5) < 0.001, told

