# homework: hw11_decoding
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

name = "q2"
points = 4

@test_case(points=0.5, hidden=False)
def test_one_score(score):
    """Nine tokens, END among them."""
    score = with_own_line(score)
    lp = (14 / 6) ** 0.6
    try:
        got = score(-3.6, 9, 0.6)
    except Exception as error:
        told = f'score(-3.6, 9, 0.6) stopped with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, float), f'score should return a float, got {type(got).__name__}'
    told = f'score(-3.6, 9, 0.6): want -3.6 / {lp:.3f} = {-3.6 / lp:.3f}, got {got:.3f}.'
    if abs(got + 3.6 * lp) < 0.001:
        told += ' You multiply. A log-probability is negative: to make up for length, divide.'
    elif abs(got + 3.6 / 9 ** 0.6) < 0.001:
        told += " That is the length itself to the power of α; GNMT's penalty adds 5, over 6."
    elif abs(got + 3.6 / 14 ** 0.6) < 0.001:
        told += ' The denominator of the penalty, (5 + 1) to the power of α, is missing.'
    elif min((abs(got + 3.6 / (n / 6) ** 0.6) for n in (13, 15))) < 0.001:
        told += ' Your length is off by one: 9 is |Y| already, END counted.'
    assert abs(got + 3.6 / lp) < 0.001, told
    got = score(-3.6, 9, 0.0)
    assert abs(got + 3.6) < 1e-06, f'with α = 0 nothing changes: want -3.6, got {got:.3f}'

@test_case(points=0.5, hidden=False)
def test_when_there_is_hope(hopeless):
    """Two live hypotheses, sentences of 19 tokens at most: the penalty goes up to 4."""
    hopeless = with_own_line(hopeless)
    got = hopeless([-3.0, -2.0], -1.6, 19, 1.0)
    told = f'-2 / 4 = -0.5 can still be reached, and -1.6 is less: want False, got {got}.'
    told += ' A hypothesis that loses now may win when it is longer: take the penalty of longest'
    assert not got, told
    assert got is not None, 'want True or False, got None'
    got = hopeless([-3.0, -2.0], -0.4, 19, 1.0)
    told = f'-2 / 4 = -0.5 is the best that can be reached, -0.4 is more: want True, got {got}'
    assert got, told
    assert hopeless([], -9.0, 19, 1.0), 'where none is live there is no hope: want True'
    told = '-3 / 4 is no hope against -0.6, but -2 / 4 is: ask for the best that is live'
    assert not hopeless([-2.0, -3.0], -0.6, 19, 1.0), told
    told = '-2 / 4 = -0.5 can still be reached, and -0.51 is less: want False, got True.'
    told += ' Take the penalty of longest itself, not of one token less'
    assert not hopeless([-2.0], -0.51, 19, 1.0), told
    told = '-2 / 4 = -0.5 is the best that can be reached, -0.49 is more: want True, got False.'
    told += ' Take the penalty of longest itself, not of one token more'
    assert hopeless([-2.0], -0.49, 19, 1.0), told
    told = '-2 / 4 = -0.5 is the best that can be reached, against -0.5: want True, got False.'
    told += ' An equal score is no hope'
    assert hopeless([-2.0], -0.5, 19, 1.0), told

@test_case(points=1, hidden=False)
def test_greedy_and_two_beams(search):
    """A tree in which greedy search misses the best sentence; α = 0."""
    search = with_own_line(search)
    import math
    import torch
    tree = {(): [0.02, 0.58, 0.4], (1,): [0.35, 0.33, 0.32], (2,): [0.9, 0.06, 0.04]}

    def after(ids):
        told = f'you ask what follows {list(ids)}; that sentence has ended and does not go on'
        assert 0 not in ids, told
        return torch.tensor(tree.get(tuple(ids), [0.9, 0.06, 0.04])).log()

    def worth(log_p, length):
        return log_p

    def stop(live, best):
        return all((log_p <= best for log_p in live))
    for beams, want, p in ((1, [1], 0.203), (2, [2], 0.36)):
        got = search(after, beams, worth, stop, 5, 0)
        told = f'want a pair (ids, score), got {type(got).__name__}'
        assert isinstance(got, (tuple, list)), told
        assert len(got) == 2, 'want a pair (ids, score)'
        told = 'want a pair (ids, score), got the list last: ids come first, then the score'
        assert not isinstance(got[1], (list, tuple)), told
        ids, value = (list(got[0]), float(got[1]))
        told = f'{beams} beam(s): want {want}, of probability {p}, got {ids}, {math.exp(value):.3f}.'
        if ids and ids[-1] == 0:
            told += ' The list is without END.'
        elif beams == 2 and ids == [1]:
            told += ' With two beams [2] is kept, and its END makes it 0.36.'
        elif not ids and value == -math.inf:
            told += ' A hypothesis that takes END is a finished sentence: keep it, with its score.'
        elif len(ids) > 1:
            told += ' That one is less probable. Did a sentence that had ended get lost?'
        assert ids == want, told
        told += " Is END's probability in the sum?"
        assert abs(math.exp(value) - p) < 0.001, told

@test_case(points=0.5, hidden=False)
def test_a_score_is_taken_once(search):
    """One way, three tokens, α = 1: the penalty is 8 / 6."""
    search = with_own_line(search)
    import math
    import torch

    def after(ids):
        told = f'you ask what follows {list(ids)}; that sentence has ended and does not go on'
        assert 0 not in ids, told
        p = ([0.1, 0.5, 0.4], [0.1, 0.8, 0.1], [0.9, 0.05, 0.05])
        return torch.tensor(p[min(len(ids), 2)]).log()

    def worth(log_p, length):
        return log_p / ((5 + length) / 6)

    def stop(live, best):
        return all((worth(log_p, 6) <= best for log_p in live))
    found = search(after, 1, worth, stop, 6, 0)
    assert isinstance(found, (tuple, list)), f'no pair but {type(found).__name__}: see above'
    ids, got = found
    assert not isinstance(got, (list, tuple)), 'ids come first, then the score: see above'
    log_p = math.log(0.5 * 0.8 * 0.9)
    want = log_p / (8 / 6)
    told = f'[1, 1] and END: want {log_p:.3f} / (8 / 6) = {want:.3f}, got {got:.3f} for {ids}.'
    carried = ((math.log(0.5) + math.log(0.8)) / (7 / 6) + math.log(0.9)) / (8 / 6)
    if abs(got - carried) < 0.001:
        told += ' You normalise twice: carry log-probabilities, and divide once, at the end.'
    elif abs(got - want / (8 / 6)) < 0.001:
        told += ' You normalise twice: one division by the penalty is enough.'
    elif abs(got - log_p / (7 / 6)) < 0.001:
        told += ' |Y| counts END: the sentence has three tokens.'
    elif abs(got - log_p) < 0.001:
        told += ' That is the log-probability: finished sentences are compared by their scores.'
    assert abs(got - want) < 0.001, told
    assert list(ids) == [1, 1], told

