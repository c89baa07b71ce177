# homework: hw06_where_to_look
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
points = 3

@test_case(points=1, hidden=False)
def test_missed(missed):
    """Two sentences by hand."""
    missed = with_own_line(missed)
    links = [[(0, 0), (1, 3), (3, 1)], [(0, 1)]]
    got = missed(links, 1)
    is_pair = isinstance(got, (tuple, list)) and len(got) == 2
    assert is_pair, f'want a pair of shares, got {got!r}'
    told = f'Of 4 links 2 lie further than 1 away, in 1 of 2 sentences: want (0.5, 0.5), got {got}.'
    if abs(got[0] - 0.25) < 1e-06:
        told += ' A link may lie on either side of the window: |j - i|.'
    elif abs(got[0] - 0.75) < 1e-06:
        told += ' A link at distance D is seen.'
    assert abs(got[0] - 0.5) < 1e-06, told
    assert abs(got[1] - 0.5) < 1e-06, told
    got = missed([[(0, 2)], [], [(0, 0)]], 1)
    told = f'One of two links, one of three sentences: want (1/2, 1/3), got {got}'
    assert abs(got[0] - 1 / 2) < 1e-06, told
    assert abs(got[1] - 1 / 3) < 1e-06, told

@test_case(points=1, hidden=False)
def test_written_answer(written_answer):
    """It has a length, and a number."""
    written_answer = with_own_line(written_answer)
    got = written_answer()
    told = f'want a text of 20 to 120 words, got {(got if got is None else type(got))}'
    assert isinstance(got, str), told
    assert 20 <= len(got.split()) <= 120, f'want 20 to 120 words, got {len(got.split())}'
    told = 'name the radius that you found, as a number'
    assert any((letter.isdigit() for letter in got)), told

