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

name = "q1"
points = 4

@test_case(points=1.5, hidden=False)
def test_six_words(attention_cost):
    """The example of chapter 12, then with heads and an output matrix."""
    attention_cost = with_own_line(attention_cost)
    try:
        got = attention_cost(6, 4, 1, False)
    except Exception as error:
        told = f'attention_cost(6, 4, 1, False) stopped with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    told = f'want a pair of whole numbers, got {got!r}'
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 2, told
    assert all((isinstance(part, int) for part in got)), told
    told = f'6 words of width 4, one head, no W_O: want 1152 operations, got {got[0]}.'
    if got[0] == 576:
        told += ' A multiplication comes with an addition: both count.'
    elif got[0] == 864:
        told += ' There are two products of words with words: scores, and weights times values.'
    elif got[0] == 1344:
        told += ' No W_O is asked for here.'
    assert got[0] == 1152, told
    assert got[1] == 36, f'one table of 6 by 6 has 36 numbers, you say {got[1]}'
    got = attention_cost(6, 4, 2, True)
    told = f'two heads and W_O: want 1344 operations, got {got[0]}.'
    if got[0] == 1920:
        told += ' Each head is only d / heads wide: all heads together cost what one wide head does.'
    elif got[0] == 1152:
        told += ' The product with W_O is missing.'
    assert got[0] == 1344, told
    told = f'two heads have two tables of 36 numbers, want 72, got {got[1]}'
    assert got[1] == 72, told

@test_case(points=1, hidden=False)
def test_where_the_lines_cross(crossing):
    """A GRU and an LSTM."""
    crossing = with_own_line(crossing)
    got = crossing(256, 6, False)
    assert isinstance(got, float), f'crossing should return a float, got {type(got).__name__}'
    told = f'a GRU has 6 products: want 1.5 widths, 384.0, got {got}.'
    if got == 256.0:
        told += ' That is with an output matrix, or without constants.'
    elif got == 768.0:
        told += ' Scores and averages are 4 n² d operations: two products, two operations each.'
    assert got == 384.0, told
    got = crossing(256, 6, True)
    assert got == 256.0, f'with W_O the lines cross at one width, 256.0, got {got}'

