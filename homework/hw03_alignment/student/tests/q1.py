# homework: hw03_alignment
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

@test_case(points=0.5, hidden=False)
def test_q1_shape(posterior):
    posterior = with_own_line(posterior)
    import torch
    t = torch.full((4, 6), 1 / 6, dtype=torch.float64)
    x, y = (torch.tensor([[1, 2, 3], [3, 1, 1]]), torch.tensor([[0, 1, 2, 3, 5], [4, 4, 0, 0, 0]]))
    x_mask, y_mask = (torch.ones(2, 3).bool(), torch.ones(2, 5).bool())
    out = posterior(t, x, y, x_mask, y_mask)
    is_tensor = isinstance(out, torch.Tensor)
    got = tuple(out.shape) if is_tensor else out
    assert got != (2, 5, 3), 'want a tensor of shape (2, 5, 4), got (2, 5, 3): there is a column for each source word, but who writes the words that no source word accounts for? NULL needs a column as well'
    assert got == (2, 5, 4), f'want a tensor of shape (B, T, S + 1) = (2, 5, 4), got {got}'
    assert out.dtype == torch.float64, f"want the table's dtype torch.float64, got {out.dtype}"
    other = t.clone()
    other[1] = torch.tensor([0.5, 0.1, 0.1, 0.1, 0.1, 0.1])
    same = torch.equal(out, posterior(other, x, y, x_mask, y_mask))
    assert not same, 'the shape is right, but another table changes nothing'

@test_case(points=1.5, hidden=False)
def test_q1_example(posterior):
    posterior = with_own_line(posterior)
    import torch
    t = torch.tensor([[0.2, 0.8], [0.6, 0.4], [0.2, 0.8]], dtype=torch.float64)
    x, y = (torch.tensor([[1, 2], [1, 0]]), torch.tensor([[0, 1], [0, 0]]))
    mask = torch.tensor([[True, True], [True, False]])
    out = posterior(t, x, y, mask, mask)
    want = torch.tensor([[[0.2, 0.6, 0.2], [0.4, 0.2, 0.4]], [[0.25, 0.75, 0.0], [0.0, 0.0, 0.0]]], dtype=torch.float64)

    def same(a, b):
        return torch.allclose(a, b, rtol=1e-06, atol=1e-09)
    first = out[0]
    weights = torch.tensor([[0.2, 0.6, 0.2], [0.8, 0.4, 0.8]], dtype=torch.float64)
    assert not same(first, weights / weights.sum(0)), 'each row of the posterior should sum to one over the writers j; yours sums to one over the target words i: over which letter does the sum in the denominator run?'
    assert not same(first, weights.softmax(-1)), 'you took a softmax of the probabilities: entries of t are probabilities already, not scores, so nothing is to be exponentiated before dividing'
    assert not same(first, weights), 'these are the numerators alone; a row should sum to one'
    assert not same(first, weights * torch.tensor([0.0, 1.0, 1.0]) / weights[:, 1:].sum(1)[:, None]), 'column 0 is all zero: NULL offers t[0, f] for every target word and takes part in the sum'
    assert not same(first, want[0].roll(-1, 1)), 'NULL is in your last column, as in the library; here it is wanted in column 0'
    assert same(first, want[0]), f'example, first sentence: want {want[0].tolist()}, got {first.tolist()}'
    assert not bool(out.isnan().any()), 'there is NaN in the second sentence: a target word of padding has nothing to divide, and zero by zero is not a number. Such a row should be all zero'
    assert float(out[1, 0, 2]) == 0.0, 'second sentence of the example: a column of padding has weight. Padding is no writer: where does x_mask come in?'
    assert not same(out[1, 0, :2], torch.tensor([0.2, 0.6], dtype=torch.float64)), 'second sentence of the example: the row sums to 0.8 and not to one. The share of padding has been taken away, but not given to those who remain: in which order do you mask and divide?'
    assert float(out[1, 1].abs().sum()) == 0.0, f'second sentence of the example: the row of a padded target word should be all zero, got {out[1, 1].tolist()}: where does y_mask come in?'
    assert same(out, want), f'example: want {want.tolist()}, got {out.tolist()}'

