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

name = "q4"
points = 4

@test_case(points=1, hidden=False)
def test_two_tokens(cached_step):
    """Numbers to check on paper: the second token stands at position 1."""
    cached_step = with_own_line(cached_step)
    import torch
    table = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    places = torch.tensor([[10.0, 10.0], [20.0, 40.0], [70.0, 90.0]])
    nothing, eye = (torch.zeros(1, 0, 2), torch.eye(2))
    asks, doubled = (torch.zeros(2, 2), 2 * torch.eye(2))
    parts = (table, places, asks, eye, doubled)
    try:
        got = cached_step(torch.tensor([0]), nothing, nothing, *parts)
    except Exception as error:
        told = f'cached_step stopped at an empty cache with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    told = f'want three tensors (context, keys, values), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 3, 'want three tensors (context, keys, values)'
    shapes = [tuple(getattr(g, 'shape', ())) for g in got]
    want = [(1, 2), (1, 1, 2), (1, 1, 2)]
    assert shapes == want, f'the first token: want shapes {want}, got {shapes}'
    context, keys, values = got
    told = f'the first token, (1, 0) + (10, 10): want the key (11, 10), got {keys[0, 0].tolist()}.'
    if keys[0, 0].tolist() == [21.0, 40.0]:
        told += ' Your position is one too far: the first token stands at position 0.'
    elif keys[0, 0].tolist() == [1.0, 0.0]:
        told += ' The row of its position in `places` is missing.'
    assert keys[0, 0].tolist() == [11.0, 10.0], told
    told = f'the first token looks at itself alone: want its value (22, 20), got {context[0].tolist()}'
    assert context[0].tolist() == [22.0, 20.0], told
    context, keys, values = cached_step(torch.tensor([1]), keys, values, *parts)
    told = f'the second token: want keys of shape (1, 2, 2), got {tuple(keys.shape)}'
    assert keys.shape == values.shape == (1, 2, 2), told
    told = f'the second key: want (0, 1) + (20, 40) = (20, 41), got {keys[0, 1].tolist()}.'
    if keys[0, 1].tolist() == [10.0, 11.0]:
        told += ' Each token stands at position 0; the cache says how many were read before it.'
    elif keys[0, 0].tolist() == [20.0, 41.0]:
        told += ' The newest comes last.'
    assert keys[0].tolist() == [[11.0, 10.0], [20.0, 41.0]], told
    told = f'equal weights on (22, 20) and (40, 82): want (31, 51), got {context[0].tolist()}.'
    if context[0].tolist() == [22.0, 20.0]:
        told += ' It looks at itself too: first add its key and value, then look.'
    elif context[0].tolist() == [40.0, 82.0]:
        told += ' W_q is zero here, so all scores are alike. The query is x @ W_q.T.'
    assert torch.allclose(context[0], torch.tensor([31.0, 51.0])), told

@test_case(points=0.5, hidden=False)
def test_the_weights(cached_step):
    """Queries, scale and softmax."""
    cached_step = with_own_line(cached_step)
    import torch
    table, places = (torch.tensor([[0.0, 2.0], [1.0, 1.0]]), torch.zeros(4, 2))
    past = torch.tensor([[[4.0, 0.0]]])
    W_q, W_k = (torch.tensor([[0.0, 1.0], [0.0, 0.0]]), torch.tensor([[1.0, 0.0], [5.0, 1.0]]))
    W_v = torch.tensor([[1.0, 0.0], [3.0, 1.0]])
    step = cached_step(torch.tensor([0]), past, past, table, places, W_q, W_k, W_v)
    assert isinstance(step, (tuple, list)), f'no tensors but {type(step).__name__}: see above'
    for name, matrix, part, turned in (('key', 'W_k', step[1], 10.0), ('value', 'W_v', step[2], 6.0)):
        rows = part[0].tolist()
        told = f'the {name} of x = (0, 2): want x @ {matrix}.T = (0, 2) behind (4, 0), got {rows}.'
        if [turned, 2.0] in rows:
            told += f' That is x @ {matrix}: the .T is missing.'
        assert [0.0, 2.0] in rows, told
    got = step[0][0]
    share = torch.tensor([8 / 2 ** 0.5, 0.0]).softmax(0)
    want = torch.stack([4 * share[0], 2 * share[1]])
    row = [round(x, 3) for x in got.tolist()]
    told = f'scores 8 and 0 over the root of 2: want {[round(x, 3) for x in want.tolist()]}, '
    told += f'got {row}.'
    plain = torch.tensor([8.0, 0.0]).softmax(0)
    if torch.allclose(got, torch.stack([4 * plain[0], 2 * plain[1]]), atol=0.0001):
        told += ' The scale, the root of D, is missing.'
    elif torch.allclose(got, torch.tensor([2.0, 1.0]), atol=0.0001):
        told += ' Your query is x @ W_q: the .T is missing.'
    elif got[1] > 1:
        told += ' The query is x @ W_q.T, and the softmax is over the tokens that were read.'
    assert torch.allclose(got, want, atol=0.0001), told

@test_case(points=0.5, hidden=False)
def test_rows_follow_the_beams(follow):
    """Two sentences of three beams."""
    follow = with_own_line(follow)
    import torch
    cache, parent = (torch.arange(10.0, 16.0).view(6, 1, 1), torch.tensor([[2, 0, 0], [1, 1, 2]]))
    got = follow(cache, parent)
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    assert got.shape == (6, 1, 1), f'want shape (6, 1, 1), got {tuple(got.shape)}'
    got, want = (got.flatten().int().tolist(), [12, 10, 10, 14, 14, 15])
    told = f'rows 10, 11, 12 and 13, 14, 15, parents (2, 0, 0) and (1, 1, 2): want {want}, '
    told += f'got {got}.'
    if got == list(range(10, 16)):
        told += ' Your rows stay where they were, but the beams do not.'
    elif got == [12, 10, 10, 11, 11, 12]:
        told += " The second sentence gets the first one's rows: its own begin behind K rows."
    elif got == [12, 10, 10, 13, 13, 14]:
        told += ' Sentence n begins at row n times K, not at n times the number of sentences.'
    assert got == want, told

