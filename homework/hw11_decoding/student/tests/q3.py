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

name = "q3"
points = 4

@test_case(points=0.5, hidden=False)
def test_the_temperature(dials):
    """Probabilities 1/2, 1/4, 1/4 at temperature 1/2."""
    dials = with_own_line(dials)
    import torch
    p = torch.tensor([[0.5, 0.25, 0.25], [0.6, 0.2, 0.2]])
    try:
        got = dials(p.log(), 0.5, 3, 1.0)
    except Exception as error:
        told = f'dials stopped at logits (2, 3) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    assert got.shape == (2, 3), f'want shape (2, 3), got {tuple(got.shape)}'
    want = p ** 2 / (p ** 2).sum(-1, keepdim=True)
    row = [round(x, 3) for x in got[0].tolist()]
    told = f'τ = 1/2 squares (1/2, 1/4, 1/4): want [0.667, 0.167, 0.167], got {row}.'
    root = p ** 0.5 / (p ** 0.5).sum(-1, keepdim=True)
    if torch.allclose(got, root, atol=0.001):
        told += ' Your probabilities get more alike: divide the logits by τ, do not multiply.'
    elif torch.allclose(got, p, atol=0.001):
        told += ' The temperature changes nothing: divide before the softmax, not after it.'
    elif torch.allclose(got.sum(0), torch.ones(3), atol=0.001):
        told += ' Your softmax is over the batch; each row should sum to one.'
    assert torch.allclose(got, want, atol=0.001), told

@test_case(points=0.5, hidden=False)
def test_top_k(dials):
    """Two of four words, and a tie at the border."""
    dials = with_own_line(dials)
    import torch
    p = torch.tensor([[0.1, 0.25, 0.4, 0.25]])
    got = dials(p.log(), 1.0, 2, 1.0)
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    want = torch.tensor([[0.0, 0.25 / 0.65, 0.4 / 0.65, 0.0]])
    row = [round(x, 3) for x in got[0].tolist()]
    told = f'k = 2 of [0.1, 0.25, 0.4, 0.25]: want [0, 0.385, 0.615, 0], got {row}.'
    if (got > 0).sum() == 3:
        told += ' Three words stay: of the two at 0.25 only the one with the smaller number does.'
    elif torch.allclose(got, want * 0.65, atol=0.001):
        told += ' What stays should sum to one again.'
    elif torch.allclose(got, want[:, [0, 3, 2, 1]], atol=0.001):
        told += ' Of equal words the one with the smaller number stays: is your sort stable?'
    elif torch.allclose(got, want[:, [2, 1, 0, 3]], atol=0.001):
        told += ' Words keep their places: scatter the sorted numbers back.'
    assert torch.allclose(got, want, atol=0.001), told
    stays = dials(torch.zeros(1, 20), 1.0, 3, 1.0)[0].nonzero()[:, 0].tolist()
    told = f'k = 3 of 20 equal words: want words [0, 1, 2] to stay, got {stays}. Of equal words '
    told += 'those with the smaller numbers stay: sort with stable=True'
    assert stays == [0, 1, 2], told

@test_case(points=0.5, hidden=False)
def test_top_p(dials):
    """The nucleus holds the word that reaches p."""
    dials = with_own_line(dials)
    import torch
    p = torch.tensor([[0.1, 0.3, 0.5, 0.06, 0.04]])
    for mass, kept in ((0.7, [1, 2]), (0.4, [2]), (0.85, [0, 1, 2])):
        got = dials(p.log(), 1.0, 5, mass)
        assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
        stays = got[0].nonzero()[:, 0].tolist()
        told = f'p = {mass} of [0.1, 0.3, 0.5, 0.06, 0.04]: want words {kept} to stay, got {stays}.'
        if len(stays) < len(kept):
            told += ' You leave out the word that crosses p. Without it the sum is below p.'
        elif len(stays) > len(kept):
            told += ' These sum to p without the last one: the fewest words are wanted.'
        else:
            told += ' Words keep their places: scatter the sorted numbers back.'
        assert stays == kept, told
        want = p[0, kept] / p[0, kept].sum()
        told = f'p = {mass}: what stays should sum to one, yours is {got[0, kept].tolist()}'
        assert torch.allclose(got[0, kept], want, atol=0.001), told
    stays = dials(torch.zeros(1, 2), 1.0, 2, 0.5)[0].nonzero()[:, 0].tolist()
    told = f'p = 0.5 of [0.5, 0.5]: want words [0] to stay, got {stays}. The first word reaches p, '
    told += 'and p or more is enough: another one stays only where the sum before it is below p'
    assert stays == [0], told
    peaked = 6 * torch.randn(200, 5, generator=torch.Generator().manual_seed(1))
    lost = (dials(peaked, 1.0, 5, 1.0) == 0).any(-1).sum().item()
    told = f'k = V and p = 1: every word stays, but {lost} of 200 rows lose one. Sums in a computer '
    told += 'are rounded and reach 1 too early: at p = 1 cut nothing'
    assert lost == 0, told

@test_case(points=0.5, hidden=False)
def test_a_draw(drawn):
    """Four points on four rows."""
    drawn = with_own_line(drawn)
    import torch
    share = torch.tensor([[0.2, 0.5, 0.3]]).repeat(4, 1)
    got = drawn(share, torch.tensor([0.1, 0.65, 0.75, 0.25]))
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    assert got.shape == (4,), f'want shape (4,), got {tuple(got.shape)}'
    told = '0.2, 0.5, 0.3 reach to 0.2, 0.7 and 1; the points 0.1, 0.65, 0.75, 0.25: want words '
    told += f'[0, 1, 2, 1], got {got.tolist()}'
    assert got.tolist() == [0, 1, 2, 1], told

