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

name = "q2"
points = 4

@test_case(points=1, hidden=False)
def test_one_matrix(as_one):
    """Words of two numbers, queries of four."""
    as_one = with_own_line(as_one)
    import torch
    W_Q = torch.tensor([[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    W_K = torch.tensor([[1.0, 0.0, 0.0, 5.0], [3.0, 4.0, 0.0, 0.0]])
    try:
        got = as_one(W_Q, W_K)
    except Exception as error:
        told = f'as_one stopped at two matrices (2, 4) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    told = f'want M of shape (d, d) = (2, 2), got {tuple(got.shape)}.'
    if got.shape == (4, 4):
        told += ' Turn over the second matrix, not the first.'
    assert got.shape == (2, 2), told
    want = torch.tensor([[1.0, 3.0], [0.0, 0.0]])
    told = f'want {want.tolist()}, got {[[round(m, 3) for m in row] for row in got.tolist()]}.'
    slips = [(want.T, 'Queries and keys are exchanged: the row of M is the word that asks.'), (2 * want, 'The scale is missing: divide by the root of d_k.'), (want / 2, 'You divide by d_k; divide by its root.'), (2 ** 0.5 * want, 'You divide by the root of d; a query is d_k wide.')]
    for slip, hint in slips:
        if torch.allclose(got, slip, atol=0.0001):
            told += f' {hint}'
    assert torch.allclose(got, want, atol=0.0001), told

@test_case(points=1, hidden=False)
def test_who_asks_whom(three_maps):
    """heute rollt _ Ball, "today the ball rolls": a word, a verb, a blank, a noun."""
    three_maps = with_own_line(three_maps)
    import torch
    from course_lib.attention.attend import attend
    got = three_maps()
    told = f'want three matrices (W_Q, W_K, W_V), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 3, f'want three matrices (W_Q, W_K, W_V), got {len(got)}'
    shapes = [tuple(getattr(each, 'shape', ())) for each in got]
    told = f'want W_Q and W_K of one shape (4, d_k), got {shapes[:2]}'
    assert len(shapes[0]) == 2, told
    assert shapes[0] == shapes[1], told
    assert shapes[0][0] == 4, told
    W_Q, W_K = (each.detach().double() for each in got[:2])
    X = torch.eye(4, dtype=torch.float64)[[3, 2, 0, 1]]
    X[:, 3] = 0.0
    weights = attend(X @ W_Q, X @ W_K, X).weights
    verb, blank, noun = (1, 2, 3)
    M = W_Q @ W_K.T
    same = ' Your scores are symmetric: whoever asks is asked, just as loudly.'
    same = same if M.any() and torch.allclose(M, M.T) else ''
    told = f'the blank should give the noun 0.99 or more, yours gives {weights[blank, noun]:.3f}.'
    told += same
    if weights[noun, blank] > 0.5 and weights[verb, noun] > 0.5:
        told += ' Yours is asked by the noun: queries and keys are exchanged.'
    elif weights[blank].argmax() == noun:
        told += ' The right word, too faintly: make the queries or the keys larger.'
    assert weights[blank, noun] >= 0.99, told
    told = f'the noun should give the verb 0.99 or more, yours gives {weights[noun, verb]:.3f}.'
    told += same
    if weights[noun].argmax() == verb:
        told += ' The right word, too faintly: make the queries or the keys larger.'
    assert weights[noun, verb] >= 0.99, told
    found = [round(weight, 3) for weight in weights[verb].tolist()]
    told = f'the verb should give each of four words 0.25, yours gives {found}.'
    if weights[verb, noun] > 0.5:
        told += ' It asks back. Give the verb a query of zeros.'
    assert torch.allclose(weights[verb], torch.full_like(weights[verb], 0.25)), told

@test_case(points=0.5, hidden=False)
def test_what_is_said(three_maps):
    """Each word says its fourth number."""
    three_maps = with_own_line(three_maps)
    import torch
    got = three_maps()
    told = f'want three matrices (W_Q, W_K, W_V), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    shape = tuple(getattr(got[-1], 'shape', ()))
    told = f'a value is one number, the message: want W_V of shape (4, 1), got {shape}'
    assert shape == (4, 1), told
    X = torch.tensor([[1.0, 0.0, 0.0, 7.0], [0.0, 1.0, 0.0, -3.0], [0.0, 0.0, 0.0, 2.0]])
    said = (X @ got[-1].detach().float())[:, 0].tolist()
    told = f'words with the messages 7, -3 and 2 should say them, yours say {said}.'
    if said[1:] == [-2.0, 2.0]:
        told += ' Nothing of what a word is found by should be in what it says.'
    assert said == [7.0, -3.0, 2.0], told

