# homework: hw08_self_attention
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
points = 4

@test_case(points=1, hidden=False)
def test_two_places(turned):
    """One word of four numbers at the places 0 and 1."""
    turned = with_own_line(turned)
    import torch
    x = torch.tensor([[3.0, 1.0, 0.5, 2.0]] * 2)
    t, given = (torch.tensor([0, 1]), x.clone())
    try:
        got = turned(x, t)
    except Exception as error:
        told = f'turned stopped at x (2, 4), t (2,) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    assert got.shape == (2, 4), f'want the shape (2, 4) of x, got {tuple(got.shape)}'
    assert torch.equal(x, given), 'your function writes into x: make a new tensor'

    def shown(numbers):
        return [round(number, 3) for number in numbers.tolist()]
    told = f'at place 0 nothing turns: want {shown(x[0])}, got {shown(got[0])}.'
    if torch.allclose(got[0], torch.tensor([3.0, 0.5, 1.0, 2.0])):
        told += ' Your pairs come back side by side; their numbers stay in the two halves.'
    elif torch.allclose(got[0], torch.tensor([3.0, 1.0, -0.5, -2.0])):
        told += ' A sign is wrong: the second number of a pair is a sin + b cos.'
    assert torch.allclose(got[0], x[0], atol=0.0001), told

    def by(first, second, halves=True, sign=1):
        """The word at place 1, if its two pairs turn by these angles."""
        angle = sign * torch.tensor([first, second])
        a, b = (x[1, :2], x[1, 2:]) if halves else (x[1, 0::2], x[1, 1::2])
        pairs = (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos())
        return torch.cat(pairs) if halves else torch.stack(pairs, dim=-1).flatten()
    want = by(1.0, 0.01)
    told = f'at place 1: want {shown(want)}, got {shown(got[1])}.'
    slips = [(by(1.0, 0.01, sign=-1), 'Your pairs turn the other way round: look at the signs.'), (by(1.0, 0.01, halves=False), 'Your pairs are neighbours, as in the chapter; here a number goes with the one d / 2 further on.'), (by(1.0, 0.1), 'Your second pair turns by 0.1: the exponent is -2i / d, not -i / d.'), (by(1.0, 100.0), 'Your second pair turns faster than the first: the exponent is negative.'), (x[1], 'Nothing has turned.')]
    for slip, hint in slips:
        if torch.allclose(got[1], slip, atol=0.0001):
            told += f' {hint}'
    assert torch.allclose(got[1], want, atol=0.0001), told

@test_case(points=0.5, hidden=False)
def test_places_are_added(with_places):
    """A table of places, and matrices that show where it came in."""
    with_places = with_own_line(with_places)
    import torch
    X = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    maps = [torch.tensor([[2.0, 1.0], [0.0, k]]) for k in (3.0, 4.0, 5.0)]
    added, given = (torch.tensor([[10.0, 20.0], [30.0, 40.0]]), X.clone())
    try:
        got = with_places(X, *maps, added, None)
    except Exception as error:
        told = f'with_places stopped at X (1, 2, 2) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    told = f'want three tensors (Q, K, V), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 3, f'want three tensors (Q, K, V), got {len(got)}'
    assert torch.equal(X, given), 'your function writes into X: make a new sum, X + added'
    for name, W, found in zip(('queries', 'keys', 'values'), maps, got, strict=True):
        want = (X + added) @ W
        shape = tuple(getattr(found, 'shape', ()))
        assert shape == (1, 2, 2), f'want {name} of shape (1, 2, 2), got {shape}'
        told = f'{name}: want {want[0].tolist()}, got {found[0].tolist()}.'
        if torch.allclose(found, X @ W + added):
            told += ' You add the places after the projection; they belong to the words.'
        elif torch.allclose(found, X @ W):
            told += ' They know no places: all three are made of words and places together.'
        assert torch.allclose(found, want), told

@test_case(points=0.5, hidden=False)
def test_queries_and_keys_turn(with_places):
    """A turn that can be recognised: ten times, plus one."""
    with_places = with_own_line(with_places)
    import torch
    X = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    maps = [torch.tensor([[2.0, 1.0], [0.0, k]]) for k in (3.0, 4.0, 5.0)]

    def turn(x):
        return 10 * x + 1
    got = with_places(X, *maps, None, turn)
    told = f'want three tensors (Q, K, V), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    for name, W, found in zip(('queries', 'keys', 'values'), maps, got, strict=True):
        want = X @ W if name == 'values' else turn(X @ W)
        told = f'{name}: want {want[0].tolist()}, got {found[0].tolist()}.'
        if torch.allclose(found, turn(X) @ W):
            told += ' You turn the words; turn what their matrix has made of them.'
        elif torch.allclose(found, turn(X @ W)):
            told += ' Values do not turn: what a word says is the same wherever it stands.'
        elif torch.allclose(found, X @ W):
            told += ' They have not turned: queries and keys both do.'
        assert torch.allclose(found, want), told

