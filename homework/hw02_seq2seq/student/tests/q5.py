from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 4

@test_case(points=0.5, hidden=False)
def test_shapes(pack, unpack):
    import torch
    generator = torch.Generator().manual_seed(8)
    for length in (1, 4, 8):
        words = torch.randint(0, 100, (30, length), generator=generator)
        words[0], words[1] = (0, 99)
        c = pack(words)
        assert isinstance(c, torch.Tensor), f'pack: want a tensor of shape (30, 8), got {c!r}'
        assert c.shape == (30, 8), f'pack: want a tensor of shape (30, 8), got {tuple(c.shape)}'
        assert c.dtype == torch.float32, f'pack: want torch.float32, got {c.dtype}'
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

