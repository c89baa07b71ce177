from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 3

@test_case(points=0.5, hidden=False)
def test_gru_shapes(gru):
    """A tensor of the right shape."""
    import torch
    draw = torch.Generator().manual_seed(0)
    shapes = ((2, 4, 3), (2, 5), (15, 3), (15, 5), (15,), (15,))
    out = gru(*(torch.randn(*shape, generator=draw) for shape in shapes))
    came = None if out is None else f'a {type(out).__name__}'
    came = tuple(out.shape) if isinstance(out, torch.Tensor) else came
    assert came == (2, 4, 5), f'want a tensor of shape (2, 4, 5); got {came}'

@test_case(points=1, hidden=False)
def test_gru_example(gru):
    """The example: one unit, one step."""
    import torch
    W_hh, b_hh = (torch.tensor([[0.0], [0.0], [1.0]]), torch.tensor([0.0, 1.0986, 1.0]))
    zeros = (torch.zeros(1, 1, 1), torch.zeros(3, 1), torch.zeros(3))
    out = gru(zeros[0], torch.ones(1, 1), zeros[1], W_hh, zeros[2], b_hh)
    assert out is not None, 'gru returns nothing: got None'
    got = out.item()
    for wrong, why in ((0.821, 'z and 1 - z are swapped. Which of the two is the share of the old state?'), (0.953, 'the update gate and the reset gate are swapped. In which order are they stacked?'), (0.976, 'the reset gate does not act on all that it should: look at the brackets behind r'), (0.991, 'the reset gate makes no difference to the candidate'), (0.116, 'the net starts from 0, not from h_0'), (0.19, 'the old state is missing in the last line of the equations')):
        assert abs(got - wrong) > 0.001, f'want h_1 = 0.940; got {got:.3f}: {why}'
    assert abs(got - 0.94) < 0.001, f'want h_1 = 0.940; got {got:.3f}'

