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

name = "q1"
points = 4

@test_case(points=1, hidden=False)
def test_windows_of_seven(windows):
    """Seven tokens in windows of three."""
    windows = with_own_line(windows)
    try:
        got = windows([5, 6, 7, 8, 9, 10, 11], 3)
    except Exception as error:
        told = f'windows stopped at seven ids with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    told = f'want two tensors (read, answers), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 2, 'want two tensors (read, answers)'
    read, answers = (part.tolist() for part in got)
    told = f'seven ids in windows of 3: want to read [[5, 6, 7], [8, 9, 10]], got {read}.'
    if read == [[5, 6, 7], [6, 7, 8], [7, 8, 9], [8, 9, 10]]:
        told += ' Your windows overlap: the next one begins where the last one ended.'
    assert read == [[5, 6, 7], [8, 9, 10]], told
    told = f'want the answers [[6, 7, 8], [9, 10, 11]], got {answers}.'
    if answers == read:
        told += ' The answer to a token is the one after it: shift by one.'
    elif answers == [[6, 7, 8], [9, 10, 8]] or answers == [[6, 7, 5], [9, 10, 8]]:
        told += ' The last answer of a window is the first token of the next one.'
    assert answers == [[6, 7, 8], [9, 10, 11]], told
    read, answers = windows([5, 6, 7, 8, 9, 10], 3)
    told = f'six ids hold one window of 3 with its answers, yours are {read.tolist()}: the last '
    told += 'window has no answer to its last token'
    assert read.tolist() == [[5, 6, 7]], told
    assert answers.tolist() == [[6, 7, 8]], 'six ids: want the answers [[6, 7, 8]]'

@test_case(points=1, hidden=False)
def test_loss_by_hand(text_loss):
    """Probabilities 1/2 and 1/8, and an answer that does not count."""
    text_loss = with_own_line(text_loss)
    import torch
    p = torch.tensor([[[0.5, 0.25, 0.25], [0.125, 0.375, 0.5], [0.2, 0.2, 0.6]]])
    got = text_loss(p.log() + 3, torch.tensor([[0, 0, -1]]))
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    assert got.shape == (), f'want a tensor without dimensions, got shape {tuple(got.shape)}'
    ln2, got = (0.6931, got.item())
    told = f'answers of probability 1/2 and 1/8: want (ln 2 + ln 8) / 2 = {2 * ln2:.3f}, '
    told += f'got {got:.3f}.'
    if abs(got - 4 * ln2 / 3) < 0.001:
        told += ' You divide by 3: an answer of -1 is not counted.'
    elif abs(got - 4 * ln2) < 0.001:
        told += ' That is the sum; the mean is wanted.'
    elif abs(got - (4 * ln2 - torch.tensor(0.6).log().item()) / 3) < 0.001:
        told += ' Your -1 picks the last word of the vocabulary.'
    elif abs(got - 2) < 0.001:
        told += ' Those are bits: take the natural logarithm.'
    elif abs(got - 2 * ln2 + 3) < 0.001:
        told += ' Logits are no log-probabilities: take log_softmax over the V words.'
    assert abs(got - 2 * ln2) < 0.001, told

