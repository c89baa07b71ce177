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

name = "q4"
points = 4

@test_case(points=1, hidden=False)
def test_the_mask(may_ask):
    """Two sentences of three and two words."""
    may_ask = with_own_line(may_ask)
    import torch
    real = torch.tensor([[True, True, True], [True, True, False]])
    past = torch.tensor([[1, 0, 0], [1, 1, 0], [1, 1, 1]]).bool()
    for causal in (False, True):
        try:
            got = may_ask(real, causal)
        except Exception as error:
            told = f'may_ask(real, {causal}) stopped with {type(error).__name__}: {error}'
            raise AssertionError(told) from None
        assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
        told = f'want a boolean mask (2, 3, 3), got {got.dtype} {tuple(got.shape)}.'
        if got.dim() == 2:
            told += ' Each sentence has a mask of its own, for each has its own padding.'
        assert got.shape == (2, 3, 3), told
        assert got.dtype == torch.bool, told
        order = past if causal else torch.ones(3, 3, dtype=torch.bool)
        want = real[:, None, :] & order
        told = f'causal {causal}, sentence of two words: want {want[1].int().tolist()}, '
        told += f'got {got[1].int().tolist()}.'
        slips = [(~want, 'It is the other way: True means that a word may be asked.'), (real[:, None, :] & order.T, 'Words ask later ones: turn the triangle round.'), (real[:, :, None] & order, 'Padding may be asked: it is a column that has to be False, not a row.'), (real[:, :, None] & real[:, None, :] & order, 'Padding asks like any word: leave its row as it is.'), (order.expand(2, 3, 3), 'Padding may be asked: where is `real`?'), (want & ~torch.eye(3, dtype=torch.bool), 'A word may ask itself, too.')]
        for slip, hint in slips:
            if torch.equal(got, slip):
                told += f' {hint}'
        assert torch.equal(got, want), told

@test_case(points=1, hidden=False)
def test_weights_by_hand(weights_of):
    """Scores that are logarithms of small numbers, and a triangle."""
    weights_of = with_own_line(weights_of)
    import torch
    parts = torch.tensor([[[3.0, 2.0, 1.0], [1.0, 3.0, 4.0], [2.0, 1.0, 1.0]]])
    mask = torch.tensor([[[1, 0, 0], [1, 1, 0], [1, 1, 1]]]).bool()
    try:
        got = weights_of(parts.log(), mask)
    except Exception as error:
        told = f'weights_of stopped at scores (1, 3, 3) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    assert got.shape == (1, 3, 3), f'want the shape (1, 3, 3) of the scores, got {tuple(got.shape)}'
    want = torch.tensor([[[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.5, 0.25, 0.25]]])

    def shown(numbers):
        return [round(number, 3) for number in numbers.tolist()]
    told = f'two of three words may be asked: want {shown(want[0, 1])}, got {shown(got[0, 1])}.'
    whole = parts.log().softmax(dim=-1)
    hidden = parts.log().masked_fill(~mask, -torch.inf)
    slips = [(whole, 'The mask is not used.'), (whole * mask, 'Your mask comes after the softmax, and the row no longer sums to one.'), ((parts.log() * mask).softmax(dim=-1), 'A score of 0 is no mask: it is worth e^0 = 1.'), (hidden.softmax(dim=-2), 'Your columns sum to one; the softmax runs over the asked.')]
    for slip, hint in slips:
        if torch.allclose(got, slip, atol=0.0001):
            told += f' {hint}'
    if got[0, 1, 2] > 0.99:
        told += ' The hidden word gets it all: True means that it may be asked.'
    assert torch.allclose(got[0, 1], want[0, 1], atol=0.0001), told
    assert torch.allclose(got, want, atol=0.0001), f'want {want[0].tolist()}, got {got[0].tolist()}'
    assert (got[~mask] == 0).all(), 'hidden words should get exactly 0'

