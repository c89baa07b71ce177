# homework: hw04_bahdanau
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

@test_case(points=0.5, hidden=False)
def test_keys(project_keys):
    """Keys are (B, S, A), and each is U times its annotation."""
    project_keys = with_own_line(project_keys)
    import torch

    def tell(got):
        if isinstance(got, torch.Tensor):
            return f'a {got.dtype} tensor of shape {tuple(got.shape)}'
        return None if got is None else f'a {type(got).__name__}'
    rng = torch.Generator().manual_seed(3)
    annotations, U = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((2, 4, 6), (7, 6)))
    keys = project_keys(annotations, U)
    told = f'project_keys: want a tensor of shape (B, S, A) = (2, 4, 7), got {tell(keys)}'
    assert getattr(keys, 'shape', None) == (2, 4, 7), told
    told = f'From torch.float64 the keys should be torch.float64, too; got {tell(keys)}.'
    assert keys.dtype == torch.float64, told
    h, U = (torch.tensor([[[1.0, 2.0]]]), torch.tensor([[1.0, 1.0], [0.0, 3.0]]))
    got = project_keys(h, U).flatten().tolist()
    told = f'For U = {U.tolist()} the key of the annotation (1, 2) is (3, 6); yours is {got}.'
    if got == [1, 7]:
        told += ' You multiply by the transpose of U: which of its two sizes is that of h?'
    assert got == [3, 6], told
    told = 'With random numbers your keys are not U h_j.'
    want = torch.stack([U @ one for one in annotations[0, :, :2].float()])
    assert torch.allclose(project_keys(annotations[:1, :, :2].float(), U)[0], want), told

@test_case(points=0.5, hidden=False)
def test_scores(additive_scores):
    """Scores are (B, T, S), with all sizes different."""
    additive_scores = with_own_line(additive_scores)
    import torch

    def tell(got):
        if isinstance(got, torch.Tensor):
            return f'a {got.dtype} tensor of shape {tuple(got.shape)}'
        return None if got is None else f'a {type(got).__name__}'
    rng = torch.Generator().manual_seed(3)
    states, keys, W, v = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((2, 3, 5), (2, 4, 7), (7, 5), (7,)))
    told = ''
    try:
        got = additive_scores(states, keys, W, v)
    except Exception as error:
        told = f'additive_scores stopped at states (2, 3, 5), keys (2, 4, 7) and W (7, 5) with {type(error).__name__}: {error}.'
        if 'shapes cannot be multiplied' in str(error) or 'size mismatch' in str(error):
            told += ' W leads from H = 5 numbers to A = 7; sentences are rows: which way up is it?'
        else:
            told += ' Each of the 3 states meets each of the 4 keys, so the sum in the tanh has the shape (B, T, S, A): which of its dimensions is missing in the states, and which in the keys?'
    assert not told, told
    told = f'additive_scores: want a tensor of shape (B, T, S) = (2, 3, 4), got {tell(got)}.'
    if getattr(got, 'shape', None) == (2, 4, 3):
        told += ' Yours is transposed: a state has a row, and an annotation a column.'
    assert getattr(got, 'shape', None) == (2, 3, 4), told
    told = f'From torch.float64 the scores should be torch.float64, too; got {tell(got)}.'
    assert got.dtype == torch.float64, told
    same = torch.equal(got, additive_scores(-states, keys, W, v))
    assert not same, 'additive_scores: the shape is right, but other states change nothing'

@test_case(points=0.5, hidden=False)
def test_by_hand(additive_scores):
    """The numbers of the question, and the same with another v."""
    additive_scores = with_own_line(additive_scores)
    import torch
    one = torch.eye(2)
    states = torch.tensor([[[0.0, 1.0], [0.0, 0.0]]])
    h = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]])
    want = torch.tensor([[[1.5232, 0.964, -0.7616], [0.7616, 0.7616, -1.5232]]])
    both = states[:, :, None] + h[:, None]
    for v in (torch.ones(2), torch.tensor([2.0, -1.0])):
        if v[0] == 2:
            want = torch.tensor([[[0.7616, -0.964, -1.5232], [1.5232, -0.7616, -0.7616]]])
        got = additive_scores(states, h, one, v)
        assert getattr(got, 'shape', None) == (1, 2, 3), 'wrong shape: see the first test'
        rows = [[round(x, 3) for x in row] for row in got[0].tolist()]
        told = f'For the numbers of the question and v = {v.tolist()} your scores are {rows}.'
        if torch.allclose(got, (both @ v).tanh(), atol=0.001):
            told += ' You take the tanh after the product with v: it belongs inside, to each of the A components. The score itself is not held between -1 and 1.'
        elif torch.allclose(got, both @ v, atol=0.001):
            told += ' The tanh is missing.'
        elif torch.allclose(got, (states.tanh()[:, :, None] + h.tanh()[:, None]) @ v, atol=0.001):
            told += " You take a tanh of each summand. Then the score is a sum of one number for the state and one for the annotation, and the state's cancels in the softmax: every state would look at the same places. Add first."
        elif torch.allclose(got, both.tanh().sum(-1), atol=0.001):
            told += ' You add up the components as they are: each has its weight in v.'
        assert torch.allclose(got, want, atol=0.001), told

