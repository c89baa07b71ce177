from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 4

@test_case(points=1, hidden=False)
def test_by_hand(around):
    """Two numbers: the norm leaves which one is larger."""
    import torch
    x = torch.tensor([[[3.0, 1.0], [0.0, 2.0]]])
    one, zero = (torch.ones(2), torch.zeros(2))
    try:
        got = around(x, lambda z: 10 * z, one, zero, 'pre')
    except Exception as error:
        told = f'around stopped at x (1, 2, 2) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f'want a tensor, got {type(got).__name__}'
    assert got.shape == (1, 2, 2), f'want shape (1, 2, 2), got {tuple(got.shape)}'
    want = torch.tensor([[[13.0, -9.0], [-10.0, 12.0]]])
    told = f'pre, ten times: want {want[0].tolist()}, got {got[0].tolist()}.'
    if torch.allclose(got, want - x, atol=0.01):
        told += ' The residual sum is missing: add x itself.'
    elif torch.allclose(got - x, (want - x) / 2 ** 0.5, atol=0.01):
        told += ' Your variance is divided by D - 1; divide by D.'
    elif torch.allclose(got - (want - x) / 10, want - x, atol=0.01):
        told += ' You add the normed x. What passes by is x as it came in.'
    assert torch.allclose(got, want, atol=0.01), told

@test_case(points=1, hidden=False)
def test_the_order(around):
    """Post-norm: the sum is normed, and the sub-layer reads x itself."""
    import torch
    x = torch.tensor([[[3.0, 1.0]]])
    read = []

    def sublayer(z):
        read.append(z)
        return torch.tensor([[[0.0, 4.0]]])
    got = around(x, sublayer, torch.ones(2), torch.zeros(2), 'post')
    want = torch.tensor([[[-1.0, 1.0]]])
    told = f'post: the sum (3, 5) is normed: want {want[0].tolist()}, got {got[0].tolist()}.'
    if torch.allclose(got, torch.tensor([[[1.0, 3.0]]]), atol=0.01):
        told += ' You norm x before the sum; post-norm norms the sum.'
    assert torch.allclose(got, want, atol=0.01), told
    told = 'with post-norm the sub-layer reads x as it came in, not the normed one'
    assert torch.allclose(read[0], x), told
    assert len(read) == 1, 'the sub-layer is called once'

