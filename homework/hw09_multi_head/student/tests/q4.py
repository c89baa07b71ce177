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

name = "q4"
points = 4

@test_case(points=1, hidden=False)
def test_silent(taken_out):
    """Head 1 of two."""
    taken_out = with_own_line(taken_out)
    import torch
    W_o = torch.arange(1.0, 17.0).view(4, 4)
    given, off = (W_o.clone(), [1])
    got = taken_out(W_o, 2, off, None)
    assert isinstance(got, (tuple, list)), f'want a pair (W, bias), got {type(got).__name__}'
    assert len(got) == 2, 'want a pair (W, bias)'
    assert torch.equal(W_o, given), 'your function writes into the matrix that it is given'
    told = f'your function changes the list `off` that it is given: it was [1] and is {off}'
    assert off == [1], told
    want = given.clone()
    want[:, 2:] = 0.0
    told = f'want columns 2 and 3 zero, got {got[0].tolist()}.'
    if torch.equal(got[0][2:], torch.zeros(2, 4)):
        told += ' A head owns columns of the output matrix, you cleared its rows'
    elif torch.equal(got[0][:, :2], torch.zeros(4, 2)):
        told += ' Heads are counted from 0'
    assert torch.equal(got[0], want), told
    told = f'without averages the bias is zero: (4,) zeros, got {got[1]}'
    assert getattr(got[1], 'shape', None) == (4,), told
    assert torch.equal(got[1], torch.zeros(4)), told

@test_case(points=1, hidden=False)
def test_as_always(taken_out):
    """The average of a head that is taken out stays."""
    taken_out = with_own_line(taken_out)
    import torch
    W_o = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [0, 0, 2, 0], [3, 0, 0, 0]])
    usual = torch.tensor([[1.0, 2.0], [30.0, 40.0]])
    got = taken_out(W_o.clone(), 2, [1], usual)
    assert isinstance(got, (tuple, list)), 'no pair: see the first test'
    assert len(got) == 2, 'no pair: see the first test'
    shapes = [tuple(getattr(each, 'shape', ())) for each in got]
    assert shapes == [(4, 4), (4,)], f'want shapes (4, 4) and (4,), got {shapes}'
    want = torch.tensor([30.0, 40.0, 60.0, 0.0])
    told = f'head 1 says (30, 40) on average, through W_o = {W_o.tolist()}: '
    told += f'want the bias {want.tolist()}, got {got[1].tolist()}.'
    slips = [(W_o @ usual.flatten(), 'Only the heads in `off` are replaced: the other one still speaks'), (torch.zeros(4), 'Did you clear the columns before you used them?'), (torch.tensor([0.0, 0.0, 30.0, 40.0]), 'An average goes through W_o, as the head did'), (W_o[2:].T @ usual[1], 'A head owns columns of the output matrix, you used its rows')]
    for slip, hint in slips:
        if torch.allclose(got[1], slip):
            told += f' {hint}'
    assert torch.allclose(got[1], want), told
    want = W_o.clone()
    want[:, 2:] = 0.0
    told = f'with an average, too, columns 2 and 3 of W are zero; you return {got[0].tolist()}.'
    if torch.equal(got[0], W_o):
        told += ' Head 1 still speaks, and its average is added'
    assert torch.equal(got[0], want), told

