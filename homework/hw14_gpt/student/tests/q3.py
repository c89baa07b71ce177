# homework: hw14_gpt
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
def test_draws_by_hand(draw):
    """Shares 0.1, 0.5, 0.4, lined up as 0.5, 0.4, 0.1."""
    draw = with_own_line(draw)
    import torch
    logits = torch.tensor([[0.1, 0.5, 0.4]]).log().repeat(4, 1)
    points = torch.tensor([0.0, 0.45, 0.6, 0.95])
    try:
        got = draw(logits, 1.0, 1.0, points)
    except Exception as error:
        told = f'draw stopped at logits (4, 3) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    assert got.shape == (4,), f'want shape (4,), got {tuple(got.shape)}'
    told = 'shares 0.1, 0.5, 0.4 and the points 0, 0.45, 0.6, 0.95: want words [1, 1, 2, 0], '
    told += f'got {got.tolist()}.'
    if got.tolist() == [0, 1, 2, 2]:
        told += ' The most probable word comes first in the line.'
    elif got.tolist() == [0, 0, 1, 2]:
        told += ' That is the place in the line: which word is at that place?'
    assert got.tolist() == [1, 1, 2, 0], told
    got = draw(logits[:2], 1.0, 0.6, torch.tensor([0.5, 0.6])).tolist()
    told = 'p = 0.6 leaves 0.5 and 0.4, of which they are 5/9 and 4/9; points 0.5 and 0.6: want '
    told += f'[1, 2], got {got}.'
    if got == [1, 1]:
        told += ' The word that crosses p belongs to the nucleus.'
    elif got == [2, 2]:
        told += ' Points are for shares of the nucleus, so that these sum to one again.'
    assert got == [1, 2], told
    got = draw(logits[:1], 0.5, 1.0, torch.tensor([0.58])).tolist()
    told = f'temperature 1/2 makes the shares 0.024, 0.595, 0.381; 0.58: want [1], got {got}.'
    if got == [2]:
        told += ' Divide the logits by the temperature, before the softmax.'
    assert got == [1], told

@test_case(points=1, hidden=False)
def test_it_writes(write):
    """A model that is sure: the next word is the sum of the last two, and it takes two at most."""
    write = with_own_line(write)
    import torch

    def model(tokens):
        assert tokens.shape[0] == 1, 'your model is given more than one row'
        told = f'this model reads at most 2 tokens, you gave it {tokens.shape[1]}'
        assert tokens.shape[1] <= 2, told
        total = tokens.sum(-1) % 5
        logits = torch.zeros(1, tokens.shape[1], 5)
        logits[0, -1, total] = 50.0
        return logits
    given = [1, 1]
    got = write(model, given, 4, 2, [0.3] * 4)
    assert isinstance(got, list), f'want a list, got {type(got).__name__}'
    told = f'from [1, 1], each word the sum of two mod 5: want [1, 1, 2, 3, 0, 3], got {got}.'
    if got == [2, 3, 0, 3]:
        told += ' What was given belongs to the list.'
    elif len(got) == 6:
        told += ' Give the model the newest words, and look at its last position.'
    assert got == [1, 1, 2, 3, 0, 3], told
    assert given == [1, 1], 'your function changes the list that it is given'

