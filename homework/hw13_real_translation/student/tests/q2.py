# homework: hw13_real_translation
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
points = 3

@test_case(points=1, hidden=False)
def test_one_mark(read_most):
    """Three source words behind one mark."""
    read_most = with_own_line(read_most)
    import torch
    weights = torch.tensor([[0.1, 0.1, 0.6, 0.1, 0.1], [0.1, 0.2, 0.1, 0.5, 0.1]])
    got = read_most(weights.clone(), 1)
    told = f'the second and the third source word are read most: want [1, 2], got {got}.'
    if got == [2, 3]:
        told += ' You count the mark as a word.'
    assert isinstance(got, list), told
    assert got == [1, 2], told

@test_case(points=0.5, hidden=False)
def test_no_word(read_most):
    """The largest weight is on the mark, on the end mark, on a word."""
    read_most = with_own_line(read_most)
    import torch
    weights = torch.tensor([[0.7, 0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.7], [0.1, 0.1, 0.7, 0.1]])
    got = read_most(weights.clone(), 1)
    told = f'most is on the mark, on the end mark, on word 1: want [-1, -1, 1], got {got}.'
    if got == [-1, 2, 1]:
        told += ' The last column is the end mark and no word.'
    elif got in ([0, 0, 1], [0, 1, 1]):
        told += ' You leave the marks out before you look for the largest weight.'
    assert got == [-1, -1, 1], told

