# homework: hw09_multi_head
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
def test_the_lowest(most_missed):
    """Three heads, of which the middle one carries the answer."""

    most_missed = with_own_line(most_missed)
    def share(off):
        return 0.9 - 0.1 * (0 in off) - 0.5 * (1 in off) - 0.2 * (2 in off)
    got = most_missed(share, 3)
    assert isinstance(got, (tuple, list)), f'want a pair (head, fall), got {type(got).__name__}'
    assert len(got) == 2, 'want a pair (head, fall)'
    told = f'head 1 is missed most, by 0.5; you say {got[0]} and {got[1]:.2f}.'
    if got[0] == 0:
        told += ' That is the head that is missed least'
    assert got[0] == 1, told
    assert abs(got[1] - 0.5) < 1e-06, told + ' The fall is the whole share minus what is left'

@test_case(points=1, hidden=False)
def test_each_by_itself(most_missed):
    """Two heads that know the same: either can go, both can not."""
    most_missed = with_own_line(most_missed)
    asked = []

    def share(off):
        asked.append(sorted(off))
        return 0.9 - 0.8 * ({0, 1} <= set(off)) - 0.1 * (2 in off)
    got = most_missed(share, 3)
    told = f'each head is silenced by itself, the others speak; you asked for {asked}'
    assert all((len(off) < 2 for off in asked)), told
    told = f'heads 0 and 1 stand in for each other, so 2 is missed most; you say {got[0]}'
    assert got[0] == 2, told

