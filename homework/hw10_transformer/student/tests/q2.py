# homework: hw10_transformer
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
def test_who_is_asked(decoder_layer):
    """Which tensors enter which attention."""
    decoder_layer = with_own_line(decoder_layer)
    import torch
    y, memory = (torch.ones(1, 3, 2), torch.full((1, 4, 2), 5.0))
    real = torch.ones(1, 4, dtype=torch.bool)
    calls = []

    def attend(use, queries_from, keys_from, values_from, mask):
        calls.append((use, queries_from, keys_from, values_from, mask))
        return torch.zeros_like(queries_from)
    try:
        got = decoder_layer(y, memory, real, attend, torch.zeros_like)
    except Exception as error:
        told = f'decoder_layer stopped with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    uses = [call[0] for call in calls]
    told = f"want a call of attend with 'self' and then one with 'cross', got {uses}"
    assert uses == ['self', 'cross'], told
    for use, q, k, v, _ in calls:
        told = f'{use}: queries come from the target (B, T, D), yours are {tuple(q.shape)}'
        assert q.shape == y.shape, told
        wanted = memory if use == 'cross' else y
        place = 'the memory' if use == 'cross' else 'the target'
        for name, found in (('keys', k), ('values', v)):
            told = f'{use}: {name} come from {place}'
            assert found.shape == wanted.shape, told
            assert torch.equal(found, wanted), told
    assert torch.equal(got, y), "where nothing is found, y leaves as it came: add, don't replace"

@test_case(points=1, hidden=False)
def test_the_masks(decoder_layer):
    """Who may be looked at."""
    decoder_layer = with_own_line(decoder_layer)
    import torch
    y, memory = (torch.arange(12.0).view(2, 3, 2), torch.zeros(2, 4, 2))
    real = torch.tensor([[True, True, True, False], [True, False, False, False]])
    masks = {}

    def attend(use, queries_from, keys_from, values_from, mask):
        masks[use] = mask
        return torch.zeros_like(queries_from)
    got = decoder_layer(y, memory, real, attend, torch.zeros_like)
    assert torch.equal(got, y), "where nothing is found, y leaves as it came: add, don't replace"
    for use, shape in (('self', (3, 3)), ('cross', (2, 1, 4))):
        mask = masks.get(use)
        told = f'{use}: want a boolean mask {shape}, got {mask}'
        assert isinstance(mask, torch.Tensor), told
    want = torch.tensor([[1, 0, 0], [1, 1, 0], [1, 1, 1]]).bool()
    own = masks['self']
    told = f'self: want a boolean mask (3, 3), got {own.dtype} {tuple(own.shape)}'
    assert own.shape == (3, 3) and own.dtype == torch.bool, told
    told = f'self: want {want.int().tolist()}, got {own.int().tolist()}.'
    if torch.equal(own, want.T):
        told += ' Your words look at later ones: turn the triangle round.'
    elif torch.equal(own, ~want.T & want):
        told += ' A word may look at itself too.'
    elif torch.equal(own, ~want):
        told += ' True means: may be looked at.'
    assert torch.equal(own, want), told
    cross = masks['cross']
    told = f'cross: want a mask (2, 1, 4), the same for every query, got {tuple(cross.shape)}'
    assert cross.shape == (2, 1, 4), told
    assert torch.equal(cross[:, 0], real), 'cross: real words of the source may be looked at'

@test_case(points=1, hidden=False)
def test_the_sums(decoder_layer):
    """What each part finds is added, and the next part reads the sum."""
    decoder_layer = with_own_line(decoder_layer)
    import torch
    y, memory = (torch.ones(1, 1, 1), torch.zeros(1, 1, 1))
    real = torch.ones(1, 1, dtype=torch.bool)

    def attend(use, queries_from, keys_from, values_from, mask):
        return 10 * queries_from if use == 'self' else torch.full_like(queries_from, 100.0)
    got = decoder_layer(y, memory, real, attend, lambda x: 1000 * x).item()
    want = (1.0 + 10 + 100) * 1001
    told = f'1, plus 10 times, plus 100, plus 1000 times: want {want:.0f}, got {got:.0f}.'
    if abs(got - 1111) < 1:
        told += ' Each part reads the sum so far, not the y at the start.'
    elif abs(got - 11111) < 1:
        told += ' You think before you look at the source: the feed-forward net comes last.'
    elif abs(got - 111000) < 1:
        told += ' The residual sum around the feed-forward net is missing.'
    elif abs(got - 100000.0) < 1:
        told += ' The residual sums are missing.'
    assert abs(got - want) < 1, told

