from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 4

@test_case(points=1.5, hidden=False)
def test_the_example(distance_bias):
    """Three words, biases for -1, 0 and 1."""
    import torch
    got = distance_bias(torch.tensor([10.0, 20.0, 30.0]), 3)
    told = f"want a tensor of shape (3, 3), got {getattr(got, 'shape', type(got).__name__)}"
    assert isinstance(got, torch.Tensor), told
    assert got.shape == (3, 3), told
    want = torch.tensor([[20.0, 10, 10], [30, 20, 10], [30, 30, 20]])
    told = f'want {want.tolist()}, got {got.tolist()}.'
    if torch.equal(got, want.T):
        told += ' Yours is turned round: the row is i, the column j, and the bias that of i - j.'
    elif torch.equal(got.diagonal(), torch.full((3,), 20.0)):
        told += ' Words further apart than the biases go share the outermost one.'
    assert torch.equal(got, want), told

@test_case(points=1, hidden=False)
def test_far_words_share(distance_bias):
    """Six words with two biases on each side."""
    import torch
    got = distance_bias(torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0]), 6)
    assert getattr(got, 'shape', None) == (6, 6), 'wrong shape: see the first test'
    row = got[5].tolist()
    told = f'the last of six words sees [2, 2, 2, 2, 1, 0], yours {row}'
    assert row == [2.0, 2.0, 2.0, 2.0, 1.0, 0.0], told

