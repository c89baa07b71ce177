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

name = "q3"
points = 4

@test_case(points=1.5, hidden=False)
def test_maps_by_hand(head_maps):
    """Two heads of width one."""
    head_maps = with_own_line(head_maps)
    import torch
    W_v = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    W_o = torch.tensor([[5.0, 6.0], [0.0, 7.0]])
    got = head_maps(W_v, W_o, 2)
    told = f"want a tensor of shape (2, 2, 2), got {getattr(got, 'shape', type(got).__name__)}"
    assert isinstance(got, torch.Tensor), told
    assert got.shape == (2, 2, 2), told
    want = torch.tensor([[[5.0, 0.0], [10.0, 0.0]], [[18.0, 21.0], [24.0, 28.0]]])
    rows = torch.stack([W_v[h:h + 1].T @ W_o[h:h + 1] for h in range(2)])
    told = f"head 0's map should be {want[0].tolist()}, yours is {got[0].tolist()}."
    if torch.allclose(got, want.transpose(1, 2)):
        told += ' That is the transpose: M stands to the right of X, as in x @ M'
    elif torch.allclose(got, rows):
        told += ' A head owns rows of W_v, but columns of W_o'
    elif torch.allclose(got, torch.stack([W_v.T @ W_o.T] * 2)):
        told += ' That is the map of all heads together. Head h owns D / H rows of W_v'
    assert torch.allclose(got, want), told

@test_case(points=0.5, hidden=False)
def test_ranks(head_maps):
    """A head of width two has a map of rank two."""
    head_maps = with_own_line(head_maps)
    import torch
    rng = torch.Generator().manual_seed(0)
    W_v, W_o = (torch.randn(6, 6, generator=rng), torch.randn(6, 6, generator=rng))
    got = head_maps(W_v, W_o, 3)
    assert getattr(got, 'shape', None) == (3, 6, 6), 'wrong shape: see the first test'
    ranks = [int(torch.linalg.matrix_rank(m.double(), tol=0.0001)) for m in got]
    told = f'a head of width 2 passes two numbers on: want ranks [2, 2, 2], got {ranks}'
    assert ranks == [2, 2, 2], told

