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

name = "q1"
points = 5

@test_case(points=0.5, hidden=False)
def test_shape(masked_weights):
    """The weights have the shape and the type of the scores."""
    masked_weights = with_own_line(masked_weights)
    import torch
    scores, mask = (torch.zeros(2, 3, 4), torch.ones(2, 1, 4, dtype=torch.bool))
    told = ''
    try:
        got = masked_weights(scores, mask)
    except Exception as error:
        told = f'masked_weights stopped at scores (2, 3, 4) and a mask (2, 1, 4) with {type(error).__name__}: {error}.'
        if 'size of tensor' in str(error):
            told += ' A sum or a maximum over a dimension takes that dimension away, unless it is told to keep it.'
        elif isinstance(error, IndexError):
            told += ' As an index a mask must have the shape of the scores: it broadcasts in torch.where and in masked_fill, not in [ ].'
    assert not told, told
    is_tensor = isinstance(got, torch.Tensor)
    came = None if got is None else f'a {type(got).__name__}'
    came = f'a {got.dtype} tensor of shape {tuple(got.shape)}' if is_tensor else came
    told = f'want a torch.float32 tensor of shape (2, 3, 4), got {came}'
    is_right = is_tensor and got.shape == (2, 3, 4) and (got.dtype == torch.float32)
    assert is_right, told
    other = masked_weights(torch.arange(24.0).reshape(2, 3, 4) ** 2 / 100, mask)
    assert not torch.equal(got, other), 'the shape is right, but other scores change nothing'

@test_case(points=0.5, hidden=False)
def test_each_row_sums_to_one(masked_weights):
    """The source positions of one sentence share a weight of one among them."""
    masked_weights = with_own_line(masked_weights)
    import torch
    rng = torch.Generator().manual_seed(4)
    for size in [(3, 4), (2, 3, 4)]:
        scores = torch.randn(size, generator=rng)
        got = masked_weights(scores, torch.ones(size, dtype=torch.bool))
        assert getattr(got, 'shape', None) == size, 'wrong shape: see the first test'
        totals = [got.sum(d) for d in range(len(size))]
        ones = [d for d, t in enumerate(totals) if torch.allclose(t, torch.ones(()), atol=0.0001)]
        first = [round(x, 2) for x in got.flatten(0, -2)[0].tolist()]
        told = f'Each row of weights should sum to one over the source positions (the last dimension). For scores of shape {size} your first row is {first}, which sums to {sum(first):.2f}.'
        ask = ' Over which dimension do you add up the exponentials?'
        if bool(got.isnan().all()) or not bool(got.any()):
            told += ' The mask is True everywhere, that is, all positions are real. What did it hide?'
        elif ones and ones[0] == 0:
            told += f' Yours sums to one over the batch (dimension 0): at each source position the {size[0]} sentences share a weight of one among them, so that the weights of a sentence change with its neighbours.' + ask
        elif ones and ones[0] == 1:
            told += ' Yours sums to one over the target positions (dimension 1): the target words compete for a source word, and not the source words for a target word. Where the scores are (B, S), dimension 1 is the last one; where they are (B, T, S), it is not.' + ask
        elif torch.allclose(got.sum(), torch.ones(()), atol=0.0001):
            told += ' Yours sums to one over everything: all sentences of the batch share a single weight of one.' + ask
        assert len(size) - 1 in ones, told
        told = f'Your rows sum to one, but the weights are not in proportion to exp(e). For scores {[round(x, 2) for x in scores.flatten(0, -2)[0].tolist()]} your weights are {first}.'
        assert torch.allclose(got, scores.softmax(dim=-1), atol=1e-05), told

@test_case(points=1, hidden=False)
def test_mask(masked_weights):
    """Hidden positions get no weight, and the real ones share all of it."""
    masked_weights = with_own_line(masked_weights)
    import torch
    from course_lib.attention.softmax import masked_softmax
    scores = torch.tensor([[2.0, 1.0, 3.0], [0.5, -1.0, 0.25]])
    mask = torch.tensor([[True, True, False], [True, False, False]])
    got = masked_weights(scores.clone(), mask)
    assert getattr(got, 'shape', None) == (2, 3), 'wrong shape: see the first test'
    want = masked_softmax(scores, mask)

    def is_like(slip):
        return torch.allclose(got, slip, atol=0.0001)
    row = [round(x, 3) for x in got[0].tolist()]
    told = f'For scores {scores[0].tolist()} and mask {mask[0].tolist()} the weights should be {[round(x, 3) for x in want[0].tolist()]}, yours are {row}.'
    if is_like(scores.softmax(-1)):
        told += ' You do not use the mask.'
    elif is_like(masked_softmax(scores, ~mask)):
        told += ' You hide the real positions: True means that a position may be attended to.'
    elif is_like(scores.softmax(-1) * mask):
        told += f' You clear the hidden positions after the softmax. What they had is lost, and the row sums to {sum(row):.2f}: the sum must not count them in the first place.'
    elif is_like((scores * mask).softmax(-1)):
        told += ' You set hidden scores to 0. But 0 is a score like any other, and exp 0 is 1: which score has the exponential 0?'
    assert is_like(want), told
    given = scores.clone()
    masked_weights(given, mask)
    told = f'After the call the scores that you were given are {given[0].tolist()}: your function writes into them. Whoever called it may need them once more'
    assert torch.equal(given, scores), told

@test_case(points=0.5, hidden=False)
def test_large_scores(masked_weights):
    """One row of scores around ten thousand."""
    masked_weights = with_own_line(masked_weights)
    import torch
    for scores in [torch.tensor([[10000.0, 10000.0 - 1, 0.0]]), torch.tensor([[-10000.0, -10000.0 - 1, -11000.0]])]:
        got = masked_weights(scores, torch.ones(1, 3, dtype=torch.bool))
        assert getattr(got, 'shape', None) == (1, 3), 'wrong shape: see the first test'
        told = f'For scores {scores[0].tolist()} the weights should be [0.731, 0.269, 0.0], yours are {[round(x, 3) for x in got[0].tolist()]}. A float32 ends at exp(88), and exp(-104) is 0 in it: which number can you take from every score of a row, so that the largest exponential is 1?'
        assert torch.allclose(got, torch.tensor([[0.7310586, 0.2689414, 0.0]]), atol=0.001), told

