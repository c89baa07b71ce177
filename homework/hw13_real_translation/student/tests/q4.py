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

name = "q4"
points = 5

@test_case(points=1, hidden=False)
def test_a_share(prefers):
    """Four cases, of which three are right."""
    prefers = with_own_line(prefers)
    scores = {'good': -1.0, 'bad': -2.0, 'worse': -3.0}

    def score(german, english):
        return scores[english]
    cases = [('a', 'good', 'bad'), ('b', 'bad', 'worse'), ('c', 'bad', 'good')]
    cases.append(('d', 'good', 'worse'))
    got = prefers(score, cases)
    told = f'three of four are right: want 0.75, got {got}.'
    if got == 0.25:
        told += ' The higher score is the better one: -1 is more probable than -2.'
    elif got == 3:
        told += ' The share is wanted, not the number.'
    assert got == 0.75, told

