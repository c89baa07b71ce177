from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 3

@test_case(points=0.5, hidden=False)
def test_keys_and_scores(project_keys, additive_scores):
    """Keys are (B, S, A) and scores (B, T, S), with all sizes different."""
    import torch

    def tell(got):
        if isinstance(got, torch.Tensor):
            return f'a {got.dtype} tensor of shape {tuple(got.shape)}'
        return None if got is None else f'a {type(got).__name__}'
    sizes = ((2, 4, 6), (7, 6), (2, 3, 5), (7, 5), (7,))
    annotations, U, states, W, v = (torch.ones(size, dtype=torch.float64) for size in sizes)
    keys = project_keys(annotations, U)
    told = f'project_keys: want a tensor of shape (B, S, A) = (2, 4, 7), got {tell(keys)}'
    assert getattr(keys, 'shape', None) == (2, 4, 7), told
    told = ''
    try:
        got = additive_scores(states, keys, W, v)
    except Exception as error:
        told = f'additive_scores stopped at states (2, 3, 5) and keys (2, 4, 7) with {type(error).__name__}: {error}. Each of the 3 states meets each of the 4 keys, so the sum in the tanh has the shape (B, T, S, A): which of its dimensions is missing in the states, and which in the keys?'
    assert not told, told
    told = f'additive_scores: want a tensor of shape (B, T, S) = (2, 3, 4), got {tell(got)}.'
    if getattr(got, 'shape', None) == (2, 4, 3):
        told += ' Yours is transposed: a state has a row, and an annotation a column.'
    assert getattr(got, 'shape', None) == (2, 3, 4), told
    told = f'From torch.float64 the scores should be torch.float64, too; got {tell(got)}.'
    assert got.dtype == torch.float64, told

@test_case(points=1, hidden=False)
def test_by_hand(project_keys, additive_scores):
    """The numbers of the question, and the same with another v."""
    import torch
    one = torch.eye(2)
    states = torch.tensor([[[0.0, 1.0], [0.0, 0.0]]])
    h = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]])
    keys = project_keys(h, one)
    told = f'With U the identity the keys should be the annotations; yours are {keys}.'
    assert torch.allclose(keys, h), told
    want = torch.tensor([[[1.5232, 0.964, -0.7616], [0.7616, 0.7616, -1.5232]]])
    both = states[:, :, None] + h[:, None]
    for v in (torch.ones(2), torch.tensor([2.0, -1.0])):
        if v[0] == 2:
            want = torch.tensor([[[0.7616, -0.964, -1.5232], [1.5232, -0.7616, -0.7616]]])
        got = additive_scores(states, h, one, v)
        assert getattr(got, 'shape', None) == (1, 2, 3), 'wrong shape: see the first test'
        rows = [[round(x, 3) for x in row] for row in got[0].tolist()]
        told = f'For the numbers of the question and v = {v.tolist()} your scores are {rows}.'
        if torch.allclose(got, (both @ v).tanh(), atol=0.001):
            told += ' You take the tanh after the product with v: it belongs inside, to each of the A components. The score itself is not held between -1 and 1.'
        elif torch.allclose(got, both @ v, atol=0.001):
            told += ' The tanh is missing.'
        elif torch.allclose(got, (states.tanh()[:, :, None] + h.tanh()[:, None]) @ v, atol=0.001):
            told += " You take a tanh of each summand. Then the score is a sum of one number for the state and one for the annotation, and the state's cancels in the softmax: every state would look at the same places. Add first."
        elif torch.allclose(got, both.tanh().sum(-1), atol=0.001):
            told += ' You add up the components as they are: each has its weight in v.'
        assert torch.allclose(got, want, atol=0.001), told

