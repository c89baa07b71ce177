# homework: hw12_at_scale
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

name = "q4"
points = 6

@test_case(points=1, hidden=False)
def test_under_the_roof(seconds):
    """Work that waits for arithmetic, and work that waits for memory."""
    seconds = with_own_line(seconds)
    try:
        got = seconds(100, 10, 50.0, 10.0)
    except Exception as error:
        told = f'seconds(100, 10, 50, 10) stopped with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, float), f'seconds should return a float, got {type(got).__name__}'
    told = f'100 operations at 50 a second, 10 bytes at 10: want 2.0, got {got}.'
    if got == 3.0:
        told += ' Both happen at the same time: the longer one counts, not the sum.'
    elif got == 1.0:
        told += ' The longer one counts: work is done when both are.'
    elif got == 0.5:
        told += ' Seconds are operations over operations a second.'
    assert got == 2.0, told
    got = seconds(100, 50, 50.0, 10.0)
    assert got == 5.0, f'with 50 bytes it waits for memory: want 5.0, got {got}'

@test_case(points=1.5, hidden=False)
def test_two_layers(gru_seconds, attention_seconds):
    """Three words of width 2, one text and four, on machines of either kind."""
    gru_seconds, attention_seconds = with_own_line(gru_seconds), with_own_line(attention_seconds)
    thinks, moves = ((1.0, 1000000000.0), (1000000000.0, 1.0))
    for batch, work, bytes_moved in [(1, 144.0, 360.0), (4, 576.0, 576.0)]:
        got = gru_seconds(3, 2, batch, *thinks)
        told = f'a GRU, 3 words of width 2, batch {batch}: want {work:.0f} operations, got {got:.0f}.'
        if batch == 4 and got == 144:
            told += ' Each text of the batch has its own products.'
        assert abs(got - work) < 1e-06, told
        got = gru_seconds(3, 2, batch, *moves)
        told = f'a GRU, batch {batch}: want {bytes_moved:.0f} bytes moved, got {got:.0f}.'
        if abs(got - bytes_moved / 4) < 1e-06:
            told += ' A number has four bytes.'
        elif got > bytes_moved and batch == 4:
            told += ' The texts share the weights: each step moves them once.'
        elif got < bytes_moved:
            told += ' Every step moves the weights again.'
        assert abs(got - bytes_moved) < 1e-06, told
    for batch, work, bytes_moved in [(1, 144.0, 384.0), (4, 576.0, 1392.0)]:
        got = attention_seconds(3, 2, batch, *thinks)
        told = f'attention, batch {batch}: want {work:.0f} operations, got {got:.0f}'
        assert abs(got - work) < 1e-06, told
        got = attention_seconds(3, 2, batch, *moves)
        told = f'attention, batch {batch}: want {bytes_moved:.0f} bytes moved, got {got:.0f}'
        assert abs(got - bytes_moved) < 1e-06, told

