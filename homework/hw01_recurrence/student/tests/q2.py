# homework: hw01_recurrence
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
points = 6

@test_case(points=0.5, hidden=False)
def test_gradient_shapes(state_gradients, weight_gradients):
    """A tensor, and a dict of three tensors; what comes in is left as it is."""
    state_gradients, weight_gradients = with_own_line(state_gradients), with_own_line(weight_gradients)
    import torch
    draw = torch.Generator().manual_seed(0)
    inputs, W_hh, d = (torch.randn(*n, generator=draw, dtype=torch.float64) for n in ((2, 4, 3), (5, 5), (2, 4, 5)))
    lengths, states = (torch.tensor([4, 4]), torch.tanh(d))
    given = {'inputs': inputs, 'states': states, 'W_hh': W_hh, 'd': d, 'g': 2 * d}
    before = {name: tensor.clone() for name, tensor in given.items()}

    def tell(thing):
        if isinstance(thing, torch.Tensor):
            return f'a {thing.dtype} tensor of shape {tuple(thing.shape)}'
        return None if thing is None else f'a {type(thing).__name__}'

    def want(shape):
        return f'a torch.float64 tensor of shape {shape}'
    ours = 'for states of torch.float64 (torch.zeros makes float32 if nothing else is said)'
    g = state_gradients(states, lengths, W_hh, d)
    came = tell(g)
    assert came == want((2, 4, 5)), f'state_gradients: want {want((2, 4, 5))} {ours}; got {came}'
    out = weight_gradients(inputs, states, lengths, given['g'])
    assert isinstance(out, dict), f'want a dict from weight_gradients; got {tell(out)}'
    for name, shape in (('W_ih', (5, 3)), ('W_hh', (5, 5)), ('b', (5,))):
        assert name in out, f'want a gradient for {name!r} in the dict; got {sorted(out)}'
        came = tell(out[name])
        assert came == want(shape), f'the gradient of {name}: want {want(shape)} {ours}; got {came}'
    for name, tensor in given.items():
        assert torch.equal(tensor, before[name]), f'after the call {name} is another: your function writes into the tensor that it was given. Write into a copy (clone)'
    same = torch.equal(g, state_gradients(states, lengths, W_hh, -d))
    assert not same, 'state_gradients: the shape is right, but another d changes nothing'
    other = weight_gradients(inputs, states, lengths, -2 * d)
    same = torch.equal(out['W_hh'], other['W_hh'])
    assert not same, 'weight_gradients: the shapes are right, but another g changes nothing'

@test_case(points=0.5, hidden=False)
def test_gradient_example(state_gradients):
    """The example, in one dimension: what comes back."""
    state_gradients = with_own_line(state_gradients)
    import torch
    h1 = torch.tensor(1.0).tanh()
    states = torch.stack([h1, torch.tanh(0.5 * h1)]).reshape(1, 2, 1)
    d = torch.tensor([0.0, 1.0]).reshape(1, 2, 1)
    g = state_gradients(states, torch.tensor([2]), torch.tensor([[0.5]]), d)
    assert g is not None, 'state_gradients returns nothing: got None'
    g = g.flatten().tolist()
    assert abs(g[1] - 1) < 0.001, f'want g_2 = 1, for nothing comes after; got {g[1]:.3f}'
    assert abs(g[0]) > 0.001, 'want g_1 = 0.434; got 0: nothing came back from position 2'
    assert abs(g[0] - 0.5) > 0.001, 'want g_1 = 0.434; got 0.5: on its way back g has to go through tanh as well as the matrix'
    assert abs(g[0] - 0.21) > 0.001, 'want g_1 = 0.434; got 0.210: the slope of the state h_1 was taken. Which step does the gradient go through on its way from h_2 to h_1, and which state comes out of it?'
    assert abs(g[0] - 0.434) < 0.001, f'want g_1 = 0.434; got {g[0]:.3f}'

@test_case(points=0.5, hidden=False)
def test_weights_example(weight_gradients):
    """The example, in one dimension: the weights, from the g of its table."""
    weight_gradients = with_own_line(weight_gradients)
    import torch
    h1 = torch.tensor(1.0).tanh()
    states = torch.stack([h1, torch.tanh(0.5 * h1)]).reshape(1, 2, 1)
    inputs, g = (torch.tensor(x).reshape(1, 2, 1) for x in ([1.0, 0.0], [0.434, 1.0]))
    out = weight_gradients(inputs, states, torch.tensor([2]), g)
    assert out is not None, 'weight_gradients returns nothing: got None'
    got = {name: out[name].item() for name in ('W_ih', 'W_hh', 'b')}
    assert abs(got['b'] - 1.434) > 0.001, 'want 1.050 for b; got 1.434: that is g_1 + g_2. The bias stands inside the tanh'
    assert abs(got['b'] - 1.05) < 0.001, f"want 1.050 for b; got {got['b']:.3f}"
    assert abs(got['W_hh'] - 0.454) > 0.001, 'want 0.661 for W_hh; got 0.454: each step was multiplied by the state that it makes. Which state does W_hh act on in step j?'
    assert abs(got['W_hh'] - 0.728) > 0.001, 'want 0.661 for W_hh; got 0.728: the last state was taken for the one before the first. What is h_0? (torch.roll brings the end round to the front.)'
    for name, want in (('W_hh', 0.661), ('W_ih', 0.182)):
        assert abs(got[name] - want) < 0.001, f'want {want} for {name}; got {got[name]:.3f}'

@test_case(points=1, hidden=False)
def test_state_gradients_autograd(state_gradients):
    """The gradient at each state beside autograd, with a loss at every word."""
    state_gradients = with_own_line(state_gradients)
    import torch
    from course_lib.recurrent.cells import RNNCell
    draw = torch.Generator().manual_seed(1)
    cell = RNNCell(3, 4, generator=draw).double()
    inputs, d = (torch.randn(2, 5, n, generator=draw, dtype=torch.float64) for n in (3, 4))
    h, chain = (torch.zeros(2, 4, dtype=torch.float64), [])
    for x in inputs.unbind(1):
        h = cell(x, h)
        chain.append(h)
    states = torch.stack(chain, dim=1)
    want = torch.stack(torch.autograd.grad((states * d).sum(), chain), dim=1)
    states, W_hh = (states.detach(), cell.weight_hh.detach())
    got = state_gradients(states, torch.tensor([5, 5]), W_hh, d.clone())
    assert got is not None, 'state_gradients returns nothing: got None'

    def along(matrix, own):
        """The recursion with another matrix, or another d."""
        g = [own[:, 4]]
        for j in range(4, 0, -1):
            g.append(own[:, j - 1] + (1 - states[:, j] ** 2) * g[-1] @ matrix)
        return torch.stack(g[::-1], dim=1)
    only_last = d.clone()
    only_last[:, :4] = 0
    assert not torch.allclose(got, along(W_hh.T, d)), 'this comes out if the gradient goes back through W_hh and not through its transpose; sentences are rows here, so on which side does the matrix stand, and which way up?'
    assert not torch.allclose(got, along(W_hh, only_last)), 'this is the gradient of the loss at the last word alone: every word has a loss, d_j'
    assert not torch.allclose(got, d), 'this is d: what comes back from later words is not in it'
    far = [j + 1 for j in range(5) if not torch.allclose(got[:, j], want[:, j])]
    assert not far, f"two sentences of 5 words: g_j differs from autograd's at j = {far}"

