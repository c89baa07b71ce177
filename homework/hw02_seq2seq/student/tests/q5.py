# homework: hw02_seq2seq
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
def test_shapes(pack, unpack):
    pack, unpack = with_own_line(pack), with_own_line(unpack)
    import torch
    generator = torch.Generator().manual_seed(8)
    for length in (1, 4, 8):
        words = torch.randint(0, 100, (30, length), generator=generator)
        words[0], words[1] = (0, 99)
        c = pack(words)
        assert isinstance(c, torch.Tensor), f'pack: want a tensor of shape (30, 8), got {c!r}'
        assert c.shape == (30, 8), f'pack: want a tensor of shape (30, 8), got {tuple(c.shape)}'
        assert c.dtype == torch.float32, f'pack: want torch.float32, got {c.dtype}'
        says = f'pack: the sentences {words[0].tolist()} and {words[1].tolist()} get one vector'
        assert length > 1 or not torch.equal(c[0], c[1]), says
        low, high = (c.min().item(), c.max().item())
        says = f'pack: the numbers run from {low:.3f} to {high:.3f}, and should stay within -1 and 1: in a larger vector the noise would be nothing'
        assert max(-low, high) <= 1 + 1e-06, says
        got = unpack(c, length)
        says = f'unpack: want a tensor of shape (30, {length}), got '
        assert isinstance(got, torch.Tensor), says + repr(got)
        assert got.shape == (30, length), says + f'{tuple(got.shape)}'
        assert got.dtype == torch.long, f'unpack: want torch.long, got {got.dtype}'

@test_case(points=0.5, hidden=False)
def test_without_noise(pack, unpack):
    pack, unpack = with_own_line(pack), with_own_line(unpack)
    import torch
    generator = torch.Generator().manual_seed(9)
    for length in range(1, 9):
        words = torch.randint(0, 100, (500, length), generator=generator)
        words[0], words[1] = (0, 99)
        got = unpack(pack(words), length)
        share = (got == words).all(1).float().mean().item()
        bad = int((got != words).any(1).int().argmax())
        says = f'sentences of length {length}, no noise: {share:.0%} come back whole; '
        says += f'{words[bad].tolist()} comes back as {got[bad].tolist()}'
        assert share == 1, says

@test_case(points=1, hidden=False)
def test_four_words_with_noise(pack, unpack):
    pack, unpack = with_own_line(pack), with_own_line(unpack)
    import torch
    generator = torch.Generator().manual_seed(10)
    for length in range(1, 5):
        words = torch.randint(0, 100, (2000, length), generator=generator)
        words[0], words[1] = (0, 99)
        c = pack(words)
        says = f'sentences of length {length} do not come back even without noise: look there first'
        assert torch.equal(unpack(c, length), words), says
        little = all((torch.equal(unpack(c + move, length), words) for move in (-0.001, 0.001)))
        says = f'sentences of length {length}: a change of 0.001 in each number changes words. Is a number cut off where the nearest level is wanted?'
        assert little, says
        noise = 0.08 * torch.rand(c.shape, generator=generator) - 0.04
        share = (unpack(c + noise, length) == words).all(1).float().mean().item()
        says = f'sentences of length {length}, noise up to 0.04: {share:.1%} come back whole. How far apart are two neighbouring values of a number, and how far can each move?'
        assert share == 1, says

