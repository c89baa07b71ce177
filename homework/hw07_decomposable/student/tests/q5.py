# homework: hw07_decomposable
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
def test_what_is_counted(share_moved):
    """A model that looks at the first word, and one that counts words."""

    share_moved = with_own_line(share_moved)
    def first(premise, hypothesis):
        return [float(hypothesis[0]), 0.0, 0.0]

    def bag(premise, hypothesis):
        return [float(sum(hypothesis)), 0.0, 0.0]
    pairs = [([1], [1, 2]), ([1], [3, 4]), ([2], [5, 6])]
    got = share_moved(bag, pairs, 0)
    assert isinstance(got, float), f'want a share as a float, got {type(got).__name__}'
    told = f'a model that adds up ids sees no order: want 0.0, got {got}'
    assert got == 0.0, told
    got = share_moved(first, pairs, 0)
    told = f'two words have one other order, so the first word changes: want 1.0, got {got}.'
    if got == 0:
        told += ' Do you shuffle the hypothesis, and give the shuffled one to the model?'
    elif got < 1:
        told += ' A shuffle that changes nothing is no shuffle: draw again until it does.'
    assert got == 1.0, told

@test_case(points=1, hidden=False)
def test_what_cannot_be_shuffled(share_moved):
    """Pairs that have only one order are left out of the share."""

    share_moved = with_own_line(share_moved)
    def first(premise, hypothesis):
        return [float(hypothesis[0]), 0.0, 0.0]
    pairs = [([1], [1, 2]), ([1], [3]), ([2], [5, 5])]
    try:
        got = share_moved(first, pairs, 0)
    except Exception as error:
        told = f'share_moved stopped with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    told = f'of three pairs one can be shuffled, and it moves: want 1.0, got {got:.2f}. Hypotheses of one word, or of one word again and again, are left out of the share'
    assert got == 1.0, told
    kept = [([1], [1, 2])]
    share_moved(first, kept, 0)
    assert kept == [([1], [1, 2])], 'your function shuffles the list that it was given: copy it'

