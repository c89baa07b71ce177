# homework: hw04_bahdanau
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

@test_case(points=0.5, hidden=False)
def test_types(links_of, choose_reading):
    """A list of pairs of whole numbers, and a dictionary with a threshold and a shift."""
    links_of, choose_reading = with_own_line(links_of), with_own_line(choose_reading)
    import torch
    weights = torch.tensor([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.1, 0.3, 0.6]])
    got = links_of(weights, 0.35, 0)
    told = f'links_of: want a list of pairs of whole numbers such as [(0, 0), (1, 1)], got {got!r}'
    assert isinstance(got, (list, tuple)), told
    assert all((isinstance(link, (list, tuple)) and len(link) == 2 for link in got)), told
    assert all((isinstance(place, int) for link in got for place in link)), told
    other = links_of(weights.flip(0), 0.35, 0)
    same = sorted(map(tuple, got)) == sorted(map(tuple, other))
    assert not same, f'links_of: with its rows turned round the map has the same links, {got}'
    gold = [[(0, 0), (1, 1)]]
    got = choose_reading([weights], gold, gold)
    told = f"choose_reading: want a dictionary {{'threshold': ..., 'shift': ...}}, got {got!r}"
    is_whole = isinstance(got, dict) and {'threshold', 'shift'} <= set(got)
    assert is_whole, told
    told = f'want plain Python numbers (no tensors, nothing of numpy): a threshold above 0 and at most 1, a whole shift from -2 to 2; got {got!r}'
    is_right = isinstance(got['shift'], int) and isinstance(got['threshold'], (int, float))
    is_right = is_right and -2 <= got['shift'] <= 2 and (0 < got['threshold'] <= 1)
    assert is_right, told

@test_case(points=1, hidden=False)
def test_links_by_hand(links_of):
    """The map of the question, read in several ways."""
    links_of = with_own_line(links_of)
    import torch
    whole = torch.tensor([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.1, 0.3, 0.6]])
    cases = [(whole, 0.35, 0, {(0, 0), (1, 1)}), (whole, 0.5, 0, {(0, 0)}), (whole, 0.2, 0, {(0, 0), (1, 1)}), (whole, 0.35, 1, {(1, 0)}), (whole, 0.35, -1, {(0, 1), (1, 2)}), (whole[:2], 0.35, -1, {(0, 1)})]
    for weights, threshold, shift, want in cases:
        links = links_of(weights, threshold, shift)
        assert isinstance(links, (list, tuple)), 'no list of pairs: see the first test'
        got, rows = ({tuple(link) for link in links}, range(len(weights)))
        told = f'For the first {len(weights)} rows of the map of the question, threshold {threshold} and shift {shift} the links should be {sorted(want)}, yours are {sorted(got)}.'
        if any((j == 2 for j, t in got)) and (threshold, shift) == (0.35, 0):
            told += ' The last column is the end mark, not a word: it makes no link.'
        elif shift and got == {(j, t + shift) for j, t in [(0, 0), (1, 1)] if t + shift in rows}:
            told += ' You shift the wrong way: word t is read from row t + shift.'
        elif shift == -1 and any((t == 0 for j, t in got)):
            told += ' Word 0 would be read from row -1, which does not exist. Python takes the last row for it and says nothing.'
        elif shift and got == {(t, j) for j, t in want}:
            told += ' Your pairs are (target, source): the source position comes first.'
        elif shift and any((t + shift not in rows for j, t in got)):
            told += ' A word whose row lies outside the map has a link. Does a row come round from the other end (torch.roll)?'
        elif len({t for j, t in got}) < len(got):
            told += ' One row makes one link at most, that of its largest weight.'
        elif threshold == 0.2 and (1, 2) in got:
            told += " In the last row the largest weight is the end mark's. So the word is linked to nothing, and not to the second largest."
        elif threshold == 0.5 and (1, 1) in got:
            told += ' A weight below the threshold makes no link.'
        assert got == want, told

@test_case(points=0.5, hidden=False)
def test_shift_is_found(choose_reading):
    """A decoder that looks one row too late, one that looks too early, one that looks in time."""
    choose_reading = with_own_line(choose_reading)
    import torch
    T = 6
    gold = [[(t, t) for t in range(T)]] * 3
    for want in (0, 1, -1):
        maps = []
        for _ in range(3):
            weights = torch.full((T, T + 1), 0.05)
            for t in range(T):
                if 0 <= t + want < T:
                    weights[t + want, t] = 0.7
            maps.append(weights)
        got = choose_reading(maps, gold, gold)
        assert isinstance(got, dict), 'no dictionary: see the first test'
        told = f"The links of word t stand in row t {want:+d}, so the shift should be {want}; yours is {got['shift']}."
        if want and got['shift'] == -want:
            told += ' It points the other way.'
        elif want and got['shift'] == 0:
            told += ' Does your search look at shifts other than 0?'
        elif abs(got['shift']) == 2:
            told += ' The error rate is best where it is lowest.'
        assert got['shift'] == want, told

