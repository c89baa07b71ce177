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

name = "q1"
points = 4

@test_case(points=0.5, hidden=False)
def test_shapes(partners):
    """Two tensors, one for each sentence."""
    partners = with_own_line(partners)
    import torch
    e, a, b = (torch.zeros(2, 3, 4), torch.ones(2, 3, 5), torch.ones(2, 4, 5))
    masks = (torch.ones(2, 3, dtype=torch.bool), torch.ones(2, 4, dtype=torch.bool))
    try:
        got = partners(e, a, b, *masks)
    except Exception as error:
        told = f'partners stopped at e (2, 3, 4) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    told = f'want two tensors, (beta, alpha), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 2, told
    shapes = [tuple(getattr(g, 'shape', ())) for g in got]
    want = [(2, 3, 5), (2, 4, 5)]
    assert shapes == want, f'want beta and alpha of shapes {want}, got {shapes}'
    other = partners(e, 2 * a, 2 * b, *masks)
    for name, before, after in zip(('beta', 'alpha'), got, other, strict=True):
        told = f'{name}: with words twice as large want other partners, got the same'
        assert not torch.allclose(before, after), told

@test_case(points=1, hidden=False)
def test_the_numbers_of_the_chapter(partners):
    """The two sentences of the chapter's table, without padding."""
    partners = with_own_line(partners)
    import torch
    a = torch.tensor([[[2.0, 0.0], [0.0, 2.0]]])
    b = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
    e = torch.tensor([[[2.0, 0.5], [0.0, 4.0]]])
    real = torch.ones(1, 2, dtype=torch.bool)
    got = partners(e, a, b, real, real)
    assert isinstance(got, (tuple, list)), 'no pair: see the first test'
    assert len(got) == 2, 'no pair: see the first test'
    beta, alpha = got
    want_beta, want_alpha = (e.softmax(2) @ b, e.softmax(1).transpose(1, 2) @ a)

    def row(x):
        return [[round(v, 3) for v in r] for r in x[0].tolist()]
    told = f'beta should be {row(want_beta)}, yours is {row(beta)}.'
    if torch.allclose(beta, e.softmax(1) @ b, atol=0.0001):
        told += " Your softmax runs over the premise (dimension 1). beta_i is an average of the hypothesis' words: its weights sum to one over j, along the row."
    assert torch.allclose(beta, want_beta, atol=0.0001), told
    told = f'alpha should be {row(want_alpha)}, yours is {row(alpha)}.'
    if torch.allclose(alpha, e.softmax(2).transpose(1, 2) @ a, atol=0.0001):
        told += ' You turn the weights of beta round. Those sum to one over j; alpha_j needs weights that sum to one over i, down the column.'
    elif torch.allclose(alpha, e.softmax(1) @ a, atol=0.0001):
        told += " The weights of alpha must be transposed before they meet the premise's words."
    assert torch.allclose(alpha, want_alpha, atol=0.0001), told

@test_case(points=1, hidden=False)
def test_nobody_looks_at_padding(partners):
    """A padded word that is very loud."""
    partners = with_own_line(partners)
    import torch
    rng = torch.Generator().manual_seed(3)
    e = torch.randn(2, 3, 3, generator=rng)
    a, b = (torch.randn(2, 3, 4, generator=rng), torch.randn(2, 3, 4, generator=rng))
    mask_a = torch.tensor([[True, True, False], [True, True, True]])
    mask_b = torch.tensor([[True, True, True], [True, False, False]])
    quiet = partners(e, a, b, mask_a, mask_b)
    assert isinstance(quiet, (tuple, list)), 'no pair: see the first test'
    assert len(quiet) == 2, 'no pair: see the first test'
    e2, a2, b2 = (e.clone(), a.clone(), b.clone())
    a2[~mask_a], b2[~mask_b] = (100.0, -100.0)
    e2[~mask_a] = 9.0
    e2.transpose(1, 2)[~mask_b] = 9.0
    loud = partners(e2, a2, b2, mask_a, mask_b)
    both = zip(quiet, loud, (mask_a, mask_b), ('beta', 'alpha'), ('b', 'a'), strict=True)
    for before, after, mask, name, other in both:
        told = f'{name} of a real word changes when padding of {other} changes. For {name} the mask that counts is that of the sentence that is looked at, mask_{other}, and it belongs before the softmax.'
        assert torch.allclose(before[mask], after[mask], atol=0.0001), told
    moved = partners(e, a + 1, b + 1, mask_a, mask_b)
    both = zip(quiet, moved, (mask_a, mask_b), ('beta', 'alpha'), strict=True)
    for before, after, mask, name in both:
        told = f'{name} stays the same when the real words that are looked at change'
        assert not torch.allclose(before[mask], after[mask]), told

