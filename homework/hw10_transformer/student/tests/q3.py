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

name = "q3"
points = 4

@test_case(points=1, hidden=False)
def test_the_rate(rate):
    """Before, at and after the end of the warm-up."""
    rate = with_own_line(rate)
    want = {1: 1.746928e-07, 4000: 0.0006987712, 16000: 0.0003493856}
    for step, number in want.items():
        try:
            got = float(rate(step, 512, 4000))
        except Exception as error:
            told = f'rate(1, 512, 4000) stopped with {type(error).__name__}: {error}'
            raise AssertionError(told) from None
        told = f'rate({step}, 512, 4000): want {number:.3e}, got {got:.3e}.'
        if step == 1 and got > 0.001:
            told += ' At the first step the rise is the smaller one of the two: take min.'
        assert abs(got - number) < 0.001 * number, told

@test_case(points=1, hidden=False)
def test_a_smoothed_label(smoothed_loss):
    """Four words, one position: the number can be checked on paper."""
    smoothed_loss = with_own_line(smoothed_loss)
    import math
    import torch
    logits = torch.tensor([[[0.5, 0.25, 0.125, 0.125]]]).log() + 1
    target, mask = (torch.tensor([[0]]), torch.ones(1, 1, dtype=torch.bool))
    try:
        got = float(smoothed_loss(logits, target, mask, 0.4))
    except Exception as error:
        told = f'smoothed_loss stopped at logits (1, 1, 4) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    bits = math.log(2)
    want = (0.7 * 1 + 0.1 * 2 + 0.1 * 3 + 0.1 * 3) * bits
    told = f'labels (0.7, 0.1, 0.1, 0.1): want {want:.4f}, got {got:.4f}.'
    if abs(got - (0.6 * 1 + 0.4 / 3 * 8) * bits) < 0.001:
        told += ' You give all of e to the other words; each word gets e / V, the true one too.'
    elif abs(got - (want + 0.1 * bits)) < 0.001:
        told += ' The true word gets e / V twice: it has 1 - e + e / V in all.'
    elif abs(got - (want - 1)) < 0.001:
        told += ' Logits are no log-probabilities: take log_softmax over the words.'
    elif abs(got - bits) < 0.001:
        told += ' That is the cross-entropy without smoothing.'
    elif abs(got - (0.6 * 1 + 0.4 * 9) * bits) < 0.001:
        told += ' Spread e over the V words: the mean of their log-probabilities, not the sum.'
    assert abs(got - want) < 0.001, told

@test_case(points=1, hidden=False)
def test_padding_counts_for_nothing(smoothed_loss):
    """Loud padding, with a target that is no word."""
    smoothed_loss = with_own_line(smoothed_loss)
    import math
    import torch
    rng = torch.Generator().manual_seed(6)
    logits = torch.randn(2, 3, 5, generator=rng)
    target = torch.randint(5, (2, 3), generator=rng)
    first, words = (logits[:, 0].log_softmax(dim=-1), target[:, :1])
    want = -(0.9 * first.gather(-1, words)[:, 0] + 0.1 * first.mean(dim=-1)).mean().item()
    alone = torch.tensor([[True, False, False], [True, False, False]])
    loud = logits.clone()
    loud[~alone] = float('inf')
    other = target.clone()
    other[~alone] = 0
    got = float(smoothed_loss(loud.clone(), other.clone(), alone, 0.1))
    told = f'two real positions among loud padding: want {want:.4f}, got {got:.4f}.'
    if not math.isfinite(got):
        told += ' Take the real positions out first: a product with 0 does not hide infinity.'
    elif abs(got - 2 * want) < 0.0001:
        told += ' That is the sum of the two; the mean is wanted.'
    elif abs(got - want / 3) < 0.0001:
        told += ' You divide by all six positions; the mean is over the two real ones.'
    assert abs(got - want) < 0.0001, told
    other[~alone] = -100
    advice = "A padding's target may be no word: take the real positions out first"
    try:
        got = float(smoothed_loss(loud.clone(), other, alone, 0.1))
    except Exception as error:
        told = f'padding with the target -100: stopped with {type(error).__name__}: {error}. '
        raise AssertionError(told + advice) from None
    told = f'padding with the target -100: want {want:.4f}, got {got:.4f}. {advice}'
    assert abs(got - want) < 0.0001, told

