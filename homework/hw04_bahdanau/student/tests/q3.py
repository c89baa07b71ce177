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

name = "q3"
points = 4

@test_case(points=0.5, hidden=False)
def test_two_gradients(score_gradients, state_gradients):
    """A gradient has the shape of the thing that it is the gradient of."""
    score_gradients, state_gradients = with_own_line(score_gradients), with_own_line(state_gradients)
    import torch

    def tell(got):
        if isinstance(got, torch.Tensor):
            return f'a {got.dtype} tensor of shape {tuple(got.shape)}'
        return None if got is None else f'a {type(got).__name__}'
    sizes = ((2, 3, 4), (2, 4, 6), (2, 3, 6), (2, 3, 5), (2, 4, 7), (7, 5), (7,))
    rng = torch.Generator().manual_seed(6)
    weights, h, g, *rest = (torch.randn(size, generator=rng, dtype=torch.float64) for size in sizes)
    got = score_gradients(weights, h, g)
    told = f'score_gradients: want a tensor of shape (B, T, S) = (2, 3, 4), got {tell(got)}'
    assert getattr(got, 'shape', None) == (2, 3, 4), told
    dtype = 'want a torch.float64 tensor, as what comes in; got'
    assert got.dtype == torch.float64, f'score_gradients: {dtype} {got.dtype}'
    nothing = 'the shape is right, but other gradients that arrive change nothing'
    assert not torch.equal(got, score_gradients(weights, h, -g)), f'score_gradients: {nothing}'
    told = ''
    try:
        got = state_gradients(weights, *rest)
    except Exception as error:
        told = f'state_gradients stopped at W (7, 5) with {type(error).__name__}: {error}.'
        if 'shapes cannot be multiplied' in str(error):
            told += ' Forwards W leads from H to A numbers; backwards its transpose leads from A to H.'
    assert not told, told
    told = f'state_gradients: want a tensor of shape (B, T, H) = (2, 3, 5), got {tell(got)}'
    assert getattr(got, 'shape', None) == (2, 3, 5), told
    assert got.dtype == torch.float64, f'state_gradients: {dtype} {got.dtype}'
    assert not torch.equal(got, state_gradients(-weights, *rest)), f'state_gradients: {nothing}'

@test_case(points=1, hidden=False)
def test_scores_by_hand(score_gradients):
    """The numbers of the question, whatever stands in the padding."""
    score_gradients = with_own_line(score_gradients)
    import torch
    alpha = torch.tensor([[[0.6362, 0.3638, 0.0]]])
    g = torch.tensor([[[1.0, 0.0]]])
    want = torch.tensor([[[0.2315, -0.2315, 0.0]]])
    for padding in ([2.0, 2.0], [-1.0, -1.0]):
        h = torch.tensor([[[1.0, 0.0], [0.0, 1.0], padding]])
        got = score_gradients(alpha, h, g)
        assert getattr(got, 'shape', None) == (1, 1, 3), 'wrong shape: see the first test'
        gain = g @ h.transpose(1, 2)
        told = f'For the weights and the g of the question and annotations {h[0].tolist()}, the last one padding, want [0.231, -0.231, 0], got {[round(x, 3) for x in got[0, 0].tolist()]}.'
        slips = {' The context is missing: a score is judged by how much its annotation differs from c, what is read now. Over a row the gradients should sum to zero: what one word gains, the others lose.': alpha * gain, ' The weight in front is missing: a position that has no weight, such as padding, can gain none by a small change of its score.': gain - (alpha * gain).sum(-1), ' The sign is turned round: asked is the gradient of the loss, and an update goes against it.': -want, ' You subtract the plain mean of the annotations; c is their weighted average.': alpha * (gain - gain.mean(-1))}
        for name, slip in slips.items():
            if torch.allclose(got, slip, atol=0.001):
                told += name
                break
        assert torch.allclose(got, want, atol=0.001), told

@test_case(points=0.5, hidden=False)
def test_state_by_hand(state_gradients):
    """The numbers of the question."""
    state_gradients = with_own_line(state_gradients)
    import torch
    one, v = (torch.eye(2), torch.ones(2))
    h = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]])
    s = torch.tensor([[[0.0, 1.0]]])
    e = torch.tensor([[[0.2315, -0.2315, 0.0]]])
    got = state_gradients(e, s, h, one, v)
    assert getattr(got, 'shape', None) == (1, 1, 2), 'wrong shape: see the first test'
    inner = (s[:, :, None] + h[:, None]).tanh()
    told = f'For the numbers of the question want [-0.134, 0.081], got {[round(x, 3) for x in got[0, 0].tolist()]}.'

    def is_like(slopes):
        return torch.allclose(got, (e[..., None] * slopes).sum(2), atol=0.001)
    if is_like(torch.ones(1, 1, 3, 2)):
        told += ' The derivative of the tanh is missing.'
    elif is_like(inner):
        told += ' You multiply with tanh(a) itself: what is its derivative?'
    elif is_like(1 - inner):
        told += ' The derivative of tanh(a) is not 1 - tanh(a).'
    elif torch.allclose(got, (e[..., None] * (1 - inner ** 2)).mean(2), atol=0.001):
        told += ' The state has a part in every score of its row: the parts add up, no mean.'
    assert torch.allclose(got, torch.tensor([[[-0.1343, 0.0808]]]), atol=0.001), told

