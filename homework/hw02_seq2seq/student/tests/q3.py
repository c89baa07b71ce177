from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 3

@test_case(points=0.5, hidden=False)
def test_shape(reverse_real):
    import torch
    vectors = torch.arange(24.0).reshape(2, 4, 3)
    got = reverse_real(vectors, torch.ones(2, 4).bool())
    assert isinstance(got, torch.Tensor), f'want a tensor of shape (2, 4, 3), got {got!r}'
    says = f'want a tensor of shape (2, 4, 3), got {tuple(got.shape)}'
    if tuple(got.shape) == (2, 4, 1):
        says += ': gather returns the shape of its index, and all D numbers of a vector should move'
    assert got.shape == (2, 4, 3), says
    assert got.dtype == vectors.dtype, f'want {vectors.dtype} like the input, got {got.dtype}'

@test_case(points=1, hidden=False)
def test_example_of_reversing(reverse_real):
    import torch
    vectors = torch.tensor([[1.0, 2, 3, 0, 0], [4, 5, 6, 7, 8]])[..., None]
    given = vectors.clone()
    mask = torch.arange(5) < torch.tensor([[3], [5]])
    got = reverse_real(vectors, mask)[..., 0].tolist()
    says = f'want [3, 2, 1, 0, 0] and [8, 7, 6, 5, 4], got {got}'
    flip = says + ': the short sentence now begins with its padding, and a net would read that first'
    assert got[0] != [0, 0, 3, 2, 1], flip
    assert got != given.flip(0)[..., 0].tolist(), says + ': the sentences of the batch are swapped'
    assert got != given[..., 0].tolist(), says + ': nothing has moved'
    assert got == [[3, 2, 1, 0, 0], [8, 7, 6, 5, 4]], says
    says = 'the result is right, but the tensor that you were given has changed with it: '
    assert torch.equal(vectors, given), says + 'write into a new one'

