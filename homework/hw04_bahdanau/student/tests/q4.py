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

name = "q4"
points = 4

@test_case(points=0.5, hidden=False)
def test_three_tensors(decode):
    """A dictionary with three tensors, one row for each target word."""
    decode = with_own_line(decode)
    import torch
    B, T, S, E = (2, 3, 5, 4)
    H = D = A = 7
    p = {'W': torch.ones(A, H), 'U': torch.ones(A, D), 'v': torch.ones(A)}
    p |= {'weight_ih': torch.ones(3 * H, E + D), 'weight_hh': torch.eye(3 * H, H)}
    p |= {'bias_ih': torch.zeros(3 * H), 'bias_hh': torch.zeros(3 * H)}
    mask = torch.ones(B, S, dtype=torch.bool)
    got = decode(torch.ones(B, T, E), torch.zeros(B, H), torch.ones(B, S, D), mask, p)
    came = None if got is None else f'a {type(got).__name__}'
    came = sorted(got) if isinstance(got, dict) else came
    told = f"want a dictionary with 'contexts', 'states' and 'weights', got {came}"
    is_whole = isinstance(got, dict) and {'states', 'contexts', 'weights'} <= set(got)
    assert is_whole, told
    for name, want in (('states', (B, T, H)), ('contexts', (B, T, D)), ('weights', (B, T, S))):
        part = got[name]
        is_tensor = isinstance(part, torch.Tensor)
        came = f'a {type(part).__name__}'
        came = f'a tensor of shape {tuple(part.shape)}' if is_tensor else came
        told = f'want a tensor of shape {want} as {name!r}, got {came}'
        is_right = is_tensor and part.shape == want
        assert is_right, told
    words = -torch.ones(B, T, E)
    other = decode(words, torch.zeros(B, H), torch.ones(B, S, D), mask, p)
    same = torch.equal(got['states'], other['states'])
    assert not same, 'the shapes are right, but other words leave the states as they were'

@test_case(points=1, hidden=False)
def test_who_asks(decode):
    """The numbers of the question: the GRU halves its state."""
    decode = with_own_line(decode)
    import torch
    from course_lib.attention.attend import attend
    from course_lib.attention.scores import AdditiveScore
    h = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]])
    first = torch.tensor([[0.0, 1.0]])
    p = {'W': torch.eye(2), 'U': torch.eye(2), 'v': torch.ones(2)}
    p |= {'weight_ih': torch.zeros(6, 3), 'weight_hh': torch.zeros(6, 2)}
    p |= {'bias_ih': torch.zeros(6), 'bias_hh': torch.zeros(6)}
    score = AdditiveScore(2, 2, 2)
    with torch.no_grad():
        for layer, name in ((score.queries, 'W'), (score.keys, 'U'), (score.energy, 'v')):
            layer.weight.copy_(p[name].reshape(layer.weight.shape))

    def asked_by(states):
        with torch.no_grad():
            return attend(states, h, h, score=score).weights
    everything = torch.ones(1, 3, dtype=torch.bool)
    got = decode(torch.zeros(1, 2, 1), first, h, everything, p)
    assert isinstance(got, dict), 'no dictionary: see the first test'
    states, weights = (got['states'], got['weights'])
    rows = [[round(x, 3) for x in row] for row in states[0].tolist()]
    told = f'The states should be s_1 = (0, 0.5) and s_2 = (0, 0.25), yours are {rows}.'
    if torch.allclose(states[:, 0], first):
        told += ' They begin with s_0: keep the state after the step, not before it.'
    elif torch.allclose(states, torch.zeros(1, 2, 2)):
        told += ' Your decoder starts from zeros: s_0 is given as `first`.'
    elif torch.allclose(states[:, 1], states[:, 0]):
        told += ' Both steps start from s_0: which state does the second one go on from?'
    assert torch.allclose(states, torch.tensor([[[0.0, 0.5], [0.0, 0.25]]]), atol=0.0001), told
    rows = [[round(x, 3) for x in row] for row in weights[0].tolist()]
    told = f'The rows of weights should be [0.598, 0.342, 0.061] and [0.551, 0.401, 0.048], yours are {rows}.'
    before = torch.stack([first, states[:, 0]], dim=1)
    if torch.allclose(weights, asked_by(states), atol=0.0001):
        told += ' In yours s_i asks, the state that the step ends with. But s_i has read c_i, so the weights must be there before it: which state is known by then?'
    elif torch.allclose(weights, asked_by(first[:, None]), atol=0.0001):
        told += ' In yours s_0 asks at every step: the question must move on with the decoder.'
    elif torch.allclose(weights, asked_by(torch.zeros(1, 1, 2)), atol=0.0001):
        told += ' In yours a state of zeros asks.'
    assert torch.allclose(weights, asked_by(before), atol=0.0001), told
    told = 'The context of a step should be its row of weights times the annotations.'
    assert torch.allclose(got['contexts'], weights @ h, atol=0.0001), told

@test_case(points=0.5, hidden=False)
def test_padding(decode):
    """Padding of the source gets no weight, at any step."""
    decode = with_own_line(decode)
    import torch
    rng = torch.Generator().manual_seed(31)
    B, T, S, E = (2, 3, 5, 4)
    H = D = A = 7
    sizes = {'W': (A, H), 'U': (A, D), 'v': (A,), 'weight_ih': (3 * H, E + D)}
    sizes |= {'weight_hh': (3 * H, H), 'bias_ih': (3 * H,), 'bias_hh': (3 * H,)}
    p = {name: torch.randn(size, generator=rng) / 2 for name, size in sizes.items()}
    p |= {name: p[name] + p[name].T for name in 'WU'}
    words, first, h = (torch.randn(n, generator=rng) for n in ((B, T, E), (B, H), (B, S, D)))
    mask = torch.arange(S) < torch.tensor([5, 3])[:, None]
    got = decode(words, first, h, mask, p)
    assert isinstance(got, dict), 'no dictionary: see the first test'
    lost = (got['weights'] * ~mask[:, None]).sum(-1)[1]
    told = f"The second sentence has 3 words and 2 positions of padding. At its steps your decoder gives the padding the weights {[round(x, 3) for x in lost.tolist()]}; want none. Is the mask used at every step? And is it each sentence's own? Scores (B, 1, S) and a mask (B, S) go together without an error, but then the B of the mask stands beside the 1."
    assert torch.equal(lost, torch.zeros(T)), told
    told = 'Over the real positions the weights of a step should sum to one.'
    assert torch.allclose(got['weights'].sum(-1), torch.ones(B, T), atol=1e-05), told

