# homework: hw03_alignment
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
def test_q2_shape(expected_counts, m_step):
    expected_counts, m_step = with_own_line(expected_counts), with_own_line(m_step)
    import torch
    alpha = torch.full((2, 4, 3), 1 / 3, dtype=torch.float64)
    x, y = (torch.tensor([[1, 2], [3, 1]]), torch.tensor([[0, 1, 2, 3], [4, 5, 6, 0]]))
    n = torch.ones(4, 7, dtype=torch.float64)
    for name, out, other in (('expected_counts', expected_counts(alpha, x, y, (4, 7)), expected_counts(alpha / 2, x, y, (4, 7))), ('m_step', m_step(n), m_step(n.cumsum(0) + n.cumsum(1) ** 2))):
        got = tuple(out.shape) if isinstance(out, torch.Tensor) else out
        assert got == (4, 7), f'{name}: want a tensor of shape (E, F) = (4, 7), got {got}'
        assert out.dtype == torch.float64, f'{name}: want torch.float64, got {out.dtype}'
        says = f'{name}: the shape is right, but another first argument changes nothing'
        assert not torch.equal(out, other), says

@test_case(points=1.5, hidden=False)
def test_q2_example(expected_counts, m_step):
    expected_counts, m_step = with_own_line(expected_counts), with_own_line(m_step)
    import torch
    x = torch.tensor([[1, 2, 0], [3, 2, 0], [4, 1, 5]])
    y = torch.tensor([[0, 1, 0], [2, 1, 0], [3, 4, 0]])
    alpha = torch.zeros(3, 3, 4, dtype=torch.float64)
    alpha[:2, :2, 1:3] = 1 / 2
    alpha[2, :, 1:] = 1 / 3
    h, d = (1 / 2, 1 / 3)
    want = torch.tensor([[0, 0, 0, 0, 0], [h + d, h, 0, d, d], [h, 1, h, 0, 0], [0, h, h, 0, 0], [d, 0, 0, d, d], [d, 0, 0, d, d]], dtype=torch.float64)
    n = expected_counts(alpha, x, y, (6, 5))
    total = float(n.sum())
    assert total > 7 - 1e-06 or float(n.max()) > 0.9, f'example: all counts together make {total:.3f} and should make 7. Where a place stands in your index several times, does the sum take each of them, or the last one only?'
    assert abs(total - 7) < 1e-06, f'example: all counts together make {total:.3f} and should make 7, the number of German words: each is handed out once'
    last = torch.tensor([[h + d, 1, h, d, d], [d, 0, 0, d, d], [h, 1, h, 0, 0], [0] * 5, [0] * 5, [d, 0, 0, d, d]], dtype=torch.float64)
    says = "column 0 of alpha is NULL's; you give it to the first source word, and the last to NULL"
    assert not torch.allclose(n, last), says
    shifted = any((torch.allclose(n, want.roll(k, 0)) for k in (1, -1)))
    assert not shifted, 'the rows are shifted by one: which row of n belongs to column 0 of alpha?'
    assert torch.allclose(n, want), f"example: want the chapter's table of counts, got {n.tolist()}"
    t = m_step(want)
    assert not bool(t.isnan().any()), 'm_step gives NaN for a word that wrote nothing; such a word keeps a row of zeros'
    over_e = want / want.sum(0)
    assert not torch.allclose(t, over_e), 't(f | e) should sum to one over f, for each e; yours sums to one over the source words e: which word does n(e) belong to, and what is summed?'
    assert not torch.allclose(t, want / 7), 'you divide all counts by one number; each source word e has an n(e) of its own'
    rows = t.sum(1).tolist()
    assert rows[0] == 0.0, 'm_step: a word that wrote nothing should keep a row of zeros'
    assert all((abs(r - 1) < 1e-06 for r in rows[1:])), f'the rows of t should sum to one, got {rows[1:]}'
    assert abs(float(t[1, 0]) - 5 / 12) < 1e-09, f't(er | he): want 5/12, got {float(t[1, 0])}'

