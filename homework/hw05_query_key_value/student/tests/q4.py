# homework: hw05_query_key_value
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
points = 3

@test_case(points=0.5, hidden=False)
def test_types(product_moments, right_scale):
    """Three plain numbers, and one."""
    product_moments, right_scale = with_own_line(product_moments), with_own_line(right_scale)
    got = product_moments(64, 0.5, 1.0, 0.5, 1.0)
    told = f'product_moments: want three plain numbers such as (16.0, 96.0, 80.0), got {got!r}'
    is_three = isinstance(got, (tuple, list)) and len(got) == 3
    is_right = is_three and all((isinstance(x, (int, float)) for x in got))
    assert is_right, told
    got = right_scale(64, 0.0, 1.0, 0.0, 1.0)
    told = f'right_scale: want a plain number such as 0.125, got {got!r}'
    assert isinstance(got, (int, float)), told
    for name, function in (('product_moments', product_moments), ('right_scale', right_scale)):
        wide, narrow = (function(d, 0.5, 1.0, 0.5, 1.0) for d in (64, 16))
        told = f'{name}: d = 64 and d = 16 have different answers, yours are both {wide!r}'
        assert wide != narrow, told

@test_case(points=1, hidden=False)
def test_the_two_cases(product_moments, right_scale):
    """The two cases of the question."""
    product_moments, right_scale = with_own_line(product_moments), with_own_line(right_scale)
    cases = [((64, 0.0, 1.0, 0.0, 1.0), (0, 64, 64)), ((64, 0.5, 1.0, 0.5, 1.0), (16, 96, 80))]
    for case, want in cases:
        got = product_moments(*case)
        told = f'product_moments{case}: want {want}, got {tuple((round(x, 3) for x in got))}.'
        if abs(got[0] - want[0]) < 1e-06 and abs(got[1] - 64) < 1e-06 and (want[1] == 96):
            told += ' A mean that is not zero adds to the variance: E[q²] is q_var + q_mean².'
        elif want[1] == 96 and abs(got[1] - 100) < 1e-06:
            told += ' E[(qk)²] is not yet the variance: the square of the mean goes off.'
        elif want[1] == 96 and abs(got[2] - got[1]) < 1e-06:
            told += ' What all keys of a query share, q times the mean of the keys, is not among them.'
        assert all((abs(g - w) < 1e-06 for g, w in zip(got, want, strict=True))), told
    got = right_scale(64, 0.0, 1.0, 0.0, 1.0)
    told = f'right_scale: for means 0, variances 1 and d = 64 want 1/8 = 0.125, got {got:.4f}.'
    if abs(got - 1 / 64) < 1e-06:
        told += ' Multiplied by s, scores have s² times their variance.'
    elif abs(got - 8) < 1e-06:
        told += ' You would divide by it; the question asks what to multiply by.'
    assert abs(got - 0.125) < 1e-06, told

