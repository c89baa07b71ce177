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

name = "q5"
points = 4

@test_case(points=0.5, hidden=False)
def test_weights_shapes(first_letter_weights):
    """A dict of four tensors whose shapes fit together."""
    first_letter_weights = with_own_line(first_letter_weights)
    import torch
    for letters, noise in ((4, 4), (2, 1)):
        out = first_letter_weights(letters, noise)
        came = None if out is None else type(out).__name__
        assert isinstance(out, dict), f'want a dict of four tensors; got {came}'
        for name in ('W_ih', 'W_hh', 'b_ih', 'b_hh'):
            got = out.get(name)
            what = None if got is None else type(got).__name__
            assert isinstance(got, torch.Tensor), f'want a tensor for {name!r}; got {what}'
        H = out['W_hh'].shape[-1]
        assert letters <= H <= 64, f'want a width H from {letters} to 64; W_hh says {H}'
        D = letters + noise
        for name, shape in (('W_ih', (3 * H, D)), ('W_hh', (3 * H, H)), ('b_ih', (3 * H,))):
            came = tuple(out[name].shape)
            assert came == shape, f'H is {H} and D is {D}: want {name} of shape {shape}; got {came}'
        came = tuple(out['b_hh'].shape)
        assert came == (3 * H,), f'H is {H}: want b_hh of shape {(3 * H,)}; got {came}'
        assert not torch.equal(out['W_ih'][:, 0], out['W_ih'][:, 1]), 'the first two columns of W_ih are the same: A and B go into the net alike, so what could it know them by?'

@test_case(points=1, hidden=False)
def test_weights_noise_after(first_letter_weights):
    """One letter, and then noise for twenty steps."""
    first_letter_weights = with_own_line(first_letter_weights)
    import torch
    out = first_letter_weights(4, 4)
    assert out is not None, 'first_letter_weights returns nothing: got None'
    W_ih, W_hh, b_ih, b_hh = (out[n].float() for n in ('W_ih', 'W_hh', 'b_ih', 'b_hh'))
    H = W_hh.shape[1]
    layer = torch.nn.GRU(8, H)
    layer.load_state_dict({'weight_ih_l0': W_ih, 'weight_hh_l0': W_hh, 'bias_ih_l0': b_ih, 'bias_hh_l0': b_hh})
    draw = torch.Generator().manual_seed(0)
    for letter in range(4):
        noise = torch.randint(4, 8, (20,), generator=draw)
        symbols = torch.cat([torch.tensor([letter]), noise])
        x = torch.eye(8)[symbols]
        with torch.no_grad():
            states, _ = layer(x)
        old = torch.cat([torch.zeros(1, H), states[:-1]])
        z = (x @ W_ih.T + b_ih + old @ W_hh.T + b_hh).sigmoid()[:, H:2 * H][:, letter]
        answers = states[:, :4]
        others = answers.clone()
        others[:, letter] = -2
        margin = answers[:, letter] - others.amax(1)
        name = 'ABCD'[letter]
        start = [round(value, 2) for value in answers[0].tolist()]
        assert margin[0] >= 0.5, f'right after the letter {name} the first four components are {start}: it is not written. In unit {letter} the update gate z is {z[0]:.2f}, and z is the share of the old state that stays'
        low = margin.argmin().item()
        assert margin.min() >= 0.5, f'{name} was written, but after {low} symbols of noise its lead is {margin[low]:.2f}; want 0.5. In unit {letter} the update gate z goes down to {z[1:].min():.2f} at noise: only that share of the old state stays in such a step'

@test_case(points=0.5, hidden=False)
def test_weights_noise_before(first_letter_weights):
    """Noise before the letter, and another letter behind it."""
    first_letter_weights = with_own_line(first_letter_weights)
    import torch
    out = first_letter_weights(4, 4)
    assert out is not None, 'first_letter_weights returns nothing: got None'
    layer = torch.nn.GRU(8, out['W_hh'].shape[1])
    names = (('weight_ih', 'W_ih'), ('weight_hh', 'W_hh'), ('bias_ih', 'b_ih'), ('bias_hh', 'b_hh'))
    layer.load_state_dict({torchs + '_l0': out[name].float() for torchs, name in names})
    for text, first in (('wzB', 1), ('yyyyyyA', 0), ('AB', 0), ('wCxAy', 2), ('DCBA', 3)):
        x = torch.eye(8)[torch.tensor(['ABCDwxyz'.index(symbol) for symbol in text])]
        with torch.no_grad():
            answers = layer(x)[0][-1, :4].tolist()
        lead = answers[first] - max((a for i, a in enumerate(answers) if i != first))
        shown = [round(value, 2) for value in answers]
        later = sum((symbol in 'ABCD' for symbol in text)) > 1
        why = 'A later letter gets in. The gate can tell it from the first by what it sees beside the input' if later else 'Noise came first. Did it leave something in the state, or shut the gate?'
        assert lead >= 0.5, f'after {text} the first four components are {shown}; want number {first} (counted from 0) ahead by 0.5. {why}'

