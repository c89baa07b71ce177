from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 4

@test_case(points=0.5, hidden=False)
def test_shapes(partners):
    """Two tensors, one for each sentence."""
    import torch
    e, a, b = (torch.zeros(2, 3, 4), torch.zeros(2, 3, 5), torch.zeros(2, 4, 5))
    masks = (torch.ones(2, 3, dtype=torch.bool), torch.ones(2, 4, dtype=torch.bool))
    try:
        got = partners(e, a, b, *masks)
    except Exception as error:
        told = f'partners stopped at e (2, 3, 4) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    told = f'want two tensors, (beta, alpha), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 2, told
    shapes = [tuple(getattr(g, 'shape', ())) for g in got]
    want = [(2, 3, 5), (2, 4, 5)]
    assert shapes == want, f'want beta and alpha of shapes {want}, got {shapes}'

@test_case(points=1, hidden=False)
def test_the_numbers_of_the_chapter(partners):
    """The two sentences of the chapter's table, without padding."""
    import torch
    a = torch.tensor([[[2.0, 0.0], [0.0, 2.0]]])
    b = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
    e = torch.tensor([[[2.0, 0.5], [0.0, 4.0]]])
    real = torch.ones(1, 2, dtype=torch.bool)
    got = partners(e, a, b, real, real)
    assert isinstance(got, (tuple, list)), 'no pair: see the first test'
    assert len(got) == 2, 'no pair: see the first test'
    beta, alpha = got
    want_beta, want_alpha = (e.softmax(2) @ b, e.softmax(1).transpose(1, 2) @ a)

    def row(x):
        return [[round(v, 3) for v in r] for r in x[0].tolist()]
    told = f'beta should be {row(want_beta)}, yours is {row(beta)}.'
    if torch.allclose(beta, e.softmax(1) @ b, atol=0.0001):
        told += " Your softmax runs over the premise (dimension 1). beta_i is an average of the hypothesis' words: its weights sum to one over j, along the row."
    assert torch.allclose(beta, want_beta, atol=0.0001), told
    told = f'alpha should be {row(want_alpha)}, yours is {row(alpha)}.'
    if torch.allclose(alpha, e.softmax(2).transpose(1, 2) @ a, atol=0.0001):
        told += ' You turn the weights of beta round. Those sum to one over j; alpha_j needs weights that sum to one over i, down the column.'
    elif torch.allclose(alpha, e.softmax(1) @ a, atol=0.0001):
        told += " The weights of alpha must be transposed before they meet the premise's words."
    assert torch.allclose(alpha, want_alpha, atol=0.0001), told

@test_case(points=1, hidden=False)
def test_nobody_looks_at_padding(partners):
    """A padded word that is very loud."""
    import torch
    rng = torch.Generator().manual_seed(3)
    e = torch.randn(2, 3, 3, generator=rng)
    a, b = (torch.randn(2, 3, 4, generator=rng), torch.randn(2, 3, 4, generator=rng))
    mask_a = torch.tensor([[True, True, False], [True, True, True]])
    mask_b = torch.tensor([[True, True, True], [True, False, False]])
    quiet = partners(e, a, b, mask_a, mask_b)
    assert isinstance(quiet, (tuple, list)), 'no pair: see the first test'
    assert len(quiet) == 2, 'no pair: see the first test'
    e2, a2, b2 = (e.clone(), a.clone(), b.clone())
    a2[~mask_a], b2[~mask_b] = (100.0, -100.0)
    e2[~mask_a] = 9.0
    e2.transpose(1, 2)[~mask_b] = 9.0
    loud = partners(e2, a2, b2, mask_a, mask_b)
    both = zip(quiet, loud, (mask_a, mask_b), ('beta', 'alpha'), ('b', 'a'), strict=True)
    for before, after, mask, name, other in both:
        told = f'{name} of a real word changes when padding of {other} changes. For {name} the mask that counts is that of the sentence that is looked at, mask_{other}, and it belongs before the softmax.'
        assert torch.allclose(before[mask], after[mask], atol=0.0001), told

