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

name = "q3"
points = 3

@test_case(points=1, hidden=False)
def test_equal_lengths(exchange):
    """Five items; the one in the middle stays."""
    exchange = with_own_line(exchange)
    got = exchange([10, 11, 12, 13, 14], (0, 2), (3, 5))
    told = f'(0, 2) and (3, 5) change places: want [13, 14, 12, 10, 11], got {got}.'
    if got == [14, 13, 12, 11, 10]:
        told += ' Within a stretch the order stays.'
    elif got == [13, 14, 12, 13, 14]:
        told += ' You overwrite the first stretch before you have copied it.'
    assert got == [13, 14, 12, 10, 11], told

@test_case(points=0.5, hidden=False)
def test_other_lengths(exchange):
    """A short stretch and a longer one."""
    exchange = with_own_line(exchange)
    got = exchange([0, 1, 2, 3, 4, 5, 6], (1, 2), (3, 6))
    told = f'(1, 2) and (3, 6) change places: want [0, 3, 4, 5, 2, 1, 6], got {got}.'
    if got is not None and len(got) != 7:
        told += ' No item may be lost.'
    assert got == [0, 3, 4, 5, 2, 1, 6], told

