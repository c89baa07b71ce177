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

name = "q1"
points = 4

@test_case(points=1, hidden=False)
def test_by_hand(log_likelihood):
    """Two words of a vocabulary of two, with odds of 3 to 1."""
    log_likelihood = with_own_line(log_likelihood)
    import math
    import torch
    three = math.log(3.0)
    logits = torch.tensor([[[three, 0.0], [0.0, three]], [[three, 0.0], [three, 0.0]]])
    target, mask = (torch.tensor([[0, 0], [0, 0]]), torch.ones(2, 2, dtype=torch.bool))
    got = log_likelihood(logits.clone(), target.clone(), mask.clone())
    assert isinstance(got, torch.Tensor), f'want a tensor, got {got}'
    assert got.shape == (2,), f'want one number for each sentence, (2,), got {tuple(got.shape)}'
    want = torch.tensor([math.log(0.75 * 0.25), math.log(0.75 * 0.75)])
    row = [round(number, 3) for number in got.tolist()]
    told = f'3/4 times 1/4 and 3/4 times 3/4: want [-1.674, -0.575], got {row}.'
    if torch.allclose(got, want / 2, atol=0.001):
        told += ' That is the mean over the words; the sum is wanted.'
    elif torch.allclose(got, -want, atol=0.001):
        told += ' A log-probability is at most 0: turn the sign.'
    elif torch.allclose(got, torch.tensor([three, 2 * three]), atol=0.001):
        told += ' Logits are no log-probabilities.'
    elif torch.allclose(got, torch.tensor([1.0, 1.5]), atol=0.001):
        told += ' You add probabilities; add their logarithms.'
    assert torch.allclose(got, want, atol=0.001), told

@test_case(points=1, hidden=False)
def test_padding(log_likelihood):
    """Behind a sentence of one word stands padding, with zeros and then with infinity."""
    log_likelihood = with_own_line(log_likelihood)
    import torch
    logits, target = (torch.zeros(1, 3, 4), torch.tensor([[2, 0, 3]]))
    mask = torch.tensor([[True, False, False]])
    for filled in (0.0, -torch.inf):
        logits[:, 1:] = filled
        got = log_likelihood(logits.clone(), target.clone(), mask.clone())
        told = f'one word of four equally probable ones: want -1.386, got {got[0].item():.3f}.'
        if filled and (not got.isfinite().all()):
            told += ' A product with 0 does not hide infinity: fill in zeros where the mask is False.'
        elif abs(got[0].item() + 3 * 1.3863) < 0.001:
            told += ' You count the padding.'
        assert abs(got[0].item() + 1.3863) < 0.001, told

