from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 4

@test_case(points=1.5, hidden=False)
def test_maps_by_hand(head_maps):
    """Two heads of width one."""
    import torch
    W_v = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    W_o = torch.tensor([[5.0, 6.0], [0.0, 7.0]])
    got = head_maps(W_v, W_o, 2)
    told = f"want a tensor of shape (2, 2, 2), got {getattr(got, 'shape', type(got).__name__)}"
    assert isinstance(got, torch.Tensor), told
    assert got.shape == (2, 2, 2), told
    want = torch.tensor([[[5.0, 0.0], [10.0, 0.0]], [[18.0, 21.0], [24.0, 28.0]]])
    rows = torch.stack([W_v[h:h + 1].T @ W_o[h:h + 1] for h in range(2)])
    told = f"head 0's map should be {want[0].tolist()}, yours is {got[0].tolist()}."
    if torch.allclose(got, want.transpose(1, 2)):
        told += ' That is the transpose: M stands to the right of X, as in x @ M'
    elif torch.allclose(got, rows):
        told += ' A head owns rows of W_v, but columns of W_o'
    elif torch.allclose(got, torch.stack([W_v.T @ W_o.T] * 2)):
        told += ' That is the map of all heads together. Head h owns D / H rows of W_v'
    assert torch.allclose(got, want), told

@test_case(points=0.5, hidden=False)
def test_ranks(head_maps):
    """A head of width two has a map of rank two."""
    import torch
    rng = torch.Generator().manual_seed(0)
    W_v, W_o = (torch.randn(6, 6, generator=rng), torch.randn(6, 6, generator=rng))
    got = head_maps(W_v, W_o, 3)
    assert getattr(got, 'shape', None) == (3, 6, 6), 'wrong shape: see the first test'
    ranks = [int(torch.linalg.matrix_rank(m.double(), tol=0.0001)) for m in got]
    told = f'a head of width 2 passes two numbers on: want ranks [2, 2, 2], got {ranks}'
    assert ranks == [2, 2, 2], told

