# homework: hw10_transformer
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
def test_by_hand(around):
    """Two numbers: the norm leaves which one is larger."""
    around = with_own_line(around)
    import torch
    x = torch.tensor([[[5.0, 1.0], [0.0, 2.0]]])
    one, zero = (torch.ones(2), torch.zeros(2))
    try:
        got = around(x.clone(), lambda z: 10 * z, one, zero, 'pre')
    except Exception as error:
        told = f'around stopped at x (1, 2, 2) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    assert got.shape == (1, 2, 2), f'want shape (1, 2, 2), got {tuple(got.shape)}'
    want = torch.tensor([[[15.0, -9.0], [-10.0, 12.0]]])
    told = f'pre, ten times: want {want[0].tolist()}, got {got[0].tolist()}.'
    if torch.allclose(got, want - x, atol=0.01):
        told += ' The residual sum is missing: add x itself.'
    elif torch.allclose(got - x, (want - x) / 2 ** 0.5, atol=0.01):
        told += ' Your variance is divided by D - 1; divide by D.'
    elif torch.allclose(got - x, torch.tensor([[[5.0, -5.0], [-10.0, 10.0]]]), atol=0.01):
        told += ' You divide by the variance: the root is missing.'
    elif torch.allclose(got - (want - x) / 10, want - x, atol=0.01):
        told += ' You add the normed x. What passes by is x as it came in.'
    assert torch.allclose(got, want, atol=0.01), told
    gain, shift = (torch.tensor([2.0, 3.0]), torch.tensor([10.0, 20.0]))
    got = around(x[:, :1].clone(), lambda z: z, gain, shift, 'pre')[0, 0]
    row = [round(number, 2) for number in got.tolist()]
    told = '(5, 1) is normed to (1, -1); times the gain (2, 3), plus the shift (10, 20) that is '
    told += f'(12, 17), and with x (17, 18); got {row}.'
    hints = {(6.0, 0.0): ' Gain and shift are missing.', (16.0, 20.0): ' The gain is missing.', (7.0, -2.0): ' The shift is missing.', (27.0, 58.0): ' First times the gain, then plus the shift.'}
    for numbers, hint in hints.items():
        if torch.allclose(got, torch.tensor(numbers), atol=0.01):
            told += hint
    assert torch.allclose(got, torch.tensor([17.0, 18.0]), atol=0.01), told
    small = 0.001 * torch.tensor([[[3.0, 1.0]]])
    got = (around(small.clone(), lambda z: z, one, zero, 'pre') - small)[0, 0]
    row = [round(number, 2) for number in got.tolist()]
    told = f'(0.003, 0.001) has the variance 1e-6: want it normed to [0.3, -0.3], got {row}. '
    told += '1e-5 is added to the variance, and the root is of both'
    assert torch.allclose(got, torch.tensor([0.3015, -0.3015]), atol=0.001), told

@test_case(points=1, hidden=False)
def test_the_order(around):
    """Post-norm: the sum is normed, and the sub-layer reads x itself."""
    around = with_own_line(around)
    import torch
    x = torch.tensor([[[3.0, 1.0]]])
    read = []

    def sublayer(z):
        read.append(z.clone())
        return torch.tensor([[[0.0, 1.0]]])
    got = around(x.clone(), sublayer, torch.ones(2), torch.zeros(2), 'post')
    want = torch.tensor([[[1.0, -1.0]]])
    told = f'post: the sum (3, 2) is normed: want {want[0].tolist()}, got {got[0].tolist()}.'
    if torch.allclose(got, -want, atol=0.01):
        told += ' That is the normed sub-layer: the sum with x is missing.'
    elif torch.allclose(got, torch.tensor([[[1.0, 0.0]]]), atol=0.01):
        told += ' You norm x before the sum; post-norm norms the sum.'
    elif torch.allclose(got, torch.tensor([[[3.0, 2.0]]]), atol=0.01):
        told += ' That is the sum itself: post-norm norms it.'
    assert torch.allclose(got, want, atol=0.01), told
    told = f'the sub-layer is called once, by you {len(read)} times: only for the order that is '
    told += 'asked for'
    assert len(read) == 1, told
    told = 'with post-norm the sub-layer reads x as it came in, not the normed one'
    assert torch.allclose(read[0], x), told

