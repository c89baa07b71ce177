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

name = "q5"
points = 4

@test_case(points=1, hidden=False)
def test_counts_by_hand(counted_loss):
    """A text of two characters."""
    counted_loss = with_own_line(counted_loss)
    from math import log
    train = 'abababaab'
    try:
        got = counted_loss(train, 'ab', 1, 1)
    except Exception as error:
        told = f'counted_loss stopped at n = 1 with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, float), f'want a float, got {type(got).__name__}'
    want = -log(5 / 7)
    told = f'abababaab: b follows a 4 times of 5, so p = (4 + 1) / (5 + 2): want {want:.4f}, '
    told += f'got {got:.4f}.'
    if abs(got + log(4 / 5)) < 0.0001:
        told += ' The 1 and the V are missing: what never came must have a probability, too.'
    elif abs(got + log(5 / 6)) < 0.0001:
        told += ' Divide by N + V, not by N + 1.'
    assert abs(got - want) < 0.0001, told
    got, want = (counted_loss(train, 'ab', 0, 0), -(log(6 / 11) + log(5 / 11)) / 2)
    told = f'n = 0 counts characters, 5 a and 4 b of 9: want {want:.4f}, got {got:.4f}.'
    if abs(got - 2 * want) < 0.0001:
        told += ' That is the sum; the mean is wanted.'
    assert abs(got - want) < 0.0001, told

@test_case(points=1, hidden=False)
def test_the_same_characters_count(counted_loss):
    """Whatever n is, the loss is of the characters from `first` on."""
    counted_loss = with_own_line(counted_loss)
    from math import log
    train = 'aab' * 4
    want = -(log(9 / 14) + log(5 / 14)) / 2
    got = counted_loss(train, 'bbbbab', 0, 4)
    told = f'the last two of bbbbab with n = 0: want {want:.4f}, got {got:.4f}.'
    whole = -(log(9 / 14) + 5 * log(5 / 14)) / 6
    if isinstance(got, float) and abs(got - whole) < 0.0001:
        told += ' You count every character of the test; begin at `first`.'
    assert isinstance(got, float), f'want a float, got {type(got).__name__}'
    assert abs(got - want) < 0.0001, told
    got = counted_loss(train, 'bbbb', 3, 3)
    told = f'bbb never came in training: want ln 2 = 0.6931, got {got:.4f}'
    assert abs(got - log(2)) < 0.0001, told

