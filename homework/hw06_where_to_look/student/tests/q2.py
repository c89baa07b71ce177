# homework: hw06_where_to_look
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

@test_case(points=1, hidden=False)
def test_position(predicted_position):
    """One state, W_p with zeros and a one."""
    predicted_position = with_own_line(predicted_position)
    import torch
    states = torch.tensor([[[1.0, 2.0]]])
    W_p, v_p = (torch.tensor([[0.0, 1.0], [0.0, 0.0]]), torch.tensor([3.0, 5.0]))
    got = predicted_position(states, W_p, v_p, torch.tensor([10]))
    told = f"want positions of shape (B, T) = (1, 1), got {getattr(got, 'shape', None)}"
    assert getattr(got, 'shape', None) == (1, 1), told
    want = 10 * torch.sigmoid(3 * torch.tanh(torch.tensor(2.0)))
    told = f'For state (1, 2), W_p = {W_p.tolist()}, v_p = (3, 5), S = 10: want {want:.3f}, '
    told += f'got {got.item():.3f}.'
    if abs(got.item() - want / 10) < 0.001:
        told += ' That is a share: how many words has the sentence?'
    elif abs(got.item() - 10 * torch.sigmoid(torch.tensor(6.0))) < 0.001:
        told += ' The tanh is missing.'
    elif abs(got.item() - 5) < 0.001:
        told += ' Is W_p transposed? Row k of W_p makes component k.'
    assert abs(got.item() - want) < 0.001, told

@test_case(points=1, hidden=False)
def test_bell(bell):
    """The numbers of the question."""
    bell = with_own_line(bell)
    import torch
    got = bell(torch.tensor([[1.0]]), 4, 2)
    told = f"want factors of shape (B, T, S) = (1, 1, 4), got {getattr(got, 'shape', None)}"
    assert getattr(got, 'shape', None) == (1, 1, 4), told
    row = [round(x, 3) for x in got[0, 0].tolist()]
    told = f'Around p = 1 with D = 2 want 0.607, 1, 0.607, 0.135; got {row}.'
    away = torch.arange(4) - 1.0
    if torch.allclose(got[0, 0], torch.exp(-away ** 2 / 8), atol=0.001):
        told += ' σ is D/2, not D.'
    elif torch.allclose(got[0, 0], torch.exp(-away.abs() / 2), atol=0.001):
        told += ' The distance is squared.'
    want = torch.tensor([0.6065, 1.0, 0.6065, 0.1353])
    assert torch.allclose(got[0, 0], want, atol=0.001), told

