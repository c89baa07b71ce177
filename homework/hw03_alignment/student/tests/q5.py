# homework: hw03_alignment
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
def test_q5_shape(combine, place_prior, fit_with_prior, align_corpus):
    combine, place_prior, fit_with_prior, align_corpus = with_own_line(combine), with_own_line(place_prior), with_own_line(fit_with_prior), with_own_line(align_corpus)
    import torch
    out = combine([(0, 0)], [(0, 0)])
    good = isinstance(out, (list, tuple)) and len(out) == 2
    assert good, f'combine: want two lists of links, the intersection and the union, got {out}'
    good = all((isinstance(part, (list, tuple)) for part in out))
    assert good, f'combine: want two lists of links, got {out}'
    other = combine([(1, 1)], [(1, 1)])
    same = [list(part) for part in out] == [list(part) for part in other]
    assert not same, f'combine: the same from the link (0, 0) and from (1, 1), {out}'
    x, y = (torch.tensor([[1, 2, 3], [3, 1, 1]]), torch.tensor([[0, 1], [4, 4]]))
    x_mask, y_mask = (torch.ones(2, 3).bool(), torch.ones(2, 2).bool())
    prior = place_prior(x_mask, y_mask, 1.0)
    got = tuple(prior.shape) if isinstance(prior, torch.Tensor) else prior
    assert got == (2, 2, 4), f'place_prior: want a tensor (B, T, S + 1) = (2, 2, 4), got {got}'
    assert prior.dtype == torch.float64, f'place_prior: want torch.float64, got {prior.dtype}'
    same = torch.equal(prior, place_prior(x_mask, y_mask, 3.0))
    assert not same, 'place_prior: another kappa changes nothing'
    even = torch.full((2, 2, 4), 0.25, dtype=torch.float64)
    out = fit_with_prior(even, x, y, y_mask, (4, 5), 2)
    good = isinstance(out, (tuple, list)) and len(out) == 3
    assert good, f'fit_with_prior: want table, posteriors and a list of numbers, got {out}'
    table, alpha, values = out
    shapes = [tuple(part.shape) for part in (table, alpha) if isinstance(part, torch.Tensor)]
    assert shapes == [(4, 5), (2, 2, 4)], f'fit_with_prior: want a table (E, F) = (4, 5) and posteriors (B, T, S + 1) = (2, 2, 4), got {shapes}'
    got = len(values) if isinstance(values, (list, tuple)) else values
    assert got == 3, f'fit_with_prior: want iterations + 1 = 3 log-likelihoods, got {got}'
    other = fit_with_prior(even, x, y.clamp(max=3), y_mask, (4, 5), 2)[0]
    assert not torch.equal(table, other), 'fit_with_prior: other words leave the table as it was'
    pairs = [(['he', 'laughs'], ['er', 'lacht']), (['she', 'laughs'], ['sie', 'lacht']), (['today', 'he', 'waits'], ['heute', 'wartet', 'er'])]
    out = align_corpus(pairs)
    good = isinstance(out, (list, tuple)) and len(out) == 3
    assert good, f'align_corpus: want a list of 3 lists of links, one for each pair, got {out}'
    for links, (english, german) in zip(out, pairs, strict=True):
        assert isinstance(links, (list, tuple)), f'align_corpus: want a list of links, got {links}'
        for link in links:
            good = len(link) == 2 and 0 <= link[0] < len(english) and (0 <= link[1] < len(german))
            assert good, f'align_corpus: {tuple(link)} is no link of {english} and {german}: (English position, German position) from 0 is wanted'

@test_case(points=0.25, hidden=False)
def test_q5_combine(combine):
    combine = with_own_line(combine)
    both, either = combine([(0, 0), (2, 1)], [(0, 0), (1, 0)])
    both, either = ([tuple(link) for link in part] for part in (both, either))
    assert set(either) != {(0, 0), (2, 1), (1, 0)}, f'the example: the union is {either}. A link of the second model names the German word first: the two are not the same kind of pair yet'
    assert (both, either) != ([(0, 0), (0, 1), (2, 1)], [(0, 0)]), 'intersection and union are exchanged: the intersection comes first'
    assert len(either) == len(set(either)), f'the example: the union has a link twice, got {either}'
    assert both == [(0, 0)], f'the example: want the intersection [(0, 0)], got {both}'
    want = [(0, 0), (0, 1), (2, 1)]
    assert either == want, f'the example: want the union {want}, sorted, got {either}'

@test_case(points=0.5, hidden=False)
def test_q5_example(place_prior, fit_with_prior):
    place_prior, fit_with_prior = with_own_line(place_prior), with_own_line(fit_with_prior)
    import math
    import torch
    mask = torch.tensor([[True, True], [True, False]])
    kappa = 2 * math.log(2)
    got = place_prior(mask, mask, kappa)
    assert not bool(got.isnan().any()), 'place_prior: there is NaN in a row of padding'
    want = torch.tensor([[[1 / 3, 4 / 9, 2 / 9], [1 / 3, 2 / 9, 4 / 9]], [[1 / 2, 1 / 2, 0], [0, 0, 0]]], dtype=torch.float64)

    def same(a, b):
        return torch.allclose(a, b, rtol=1e-06, atol=1e-09)
    assert not same(got[0].sum(-1), torch.full((2,), 4 / 3, dtype=torch.float64)), "the example: NULL's third is added to words that sum to one already; they share the rest"
    weights = torch.tensor([[0, 1, 0.5], [0, 0.5, 1]], dtype=torch.float64)
    assert not same(got[0], weights / 1.5), 'the example: column 0 is all zero: with which probability is NULL chosen?'
    assert not same(got[0], torch.tensor([[0.4, 0.4, 0.2], [0.4, 0.2, 0.4]]).double()), 'the example: NULL takes part in the softmax. It has no place; it gets 1 / (S + 1), as in Model 1, and the words share the rest'
    far = torch.tensor([[1 / 3, 8 / 15, 2 / 15], [1 / 3, 2 / 15, 8 / 15]], dtype=torch.float64)
    assert not same(got[0], far), 'the example: your places are counted in words; d compares places relative to the lengths S and T'
    assert same(got[0], want[0]), f'place_prior, the example: want {want[0].tolist()}, got {got[0].tolist()}'
    assert same(got[1], want[1]), f'place_prior, a pair of one word each beside the example: want {want[1].tolist()}, got {got[1].tolist()}: which S and T does this sentence have, and where is its padding?'
    x, y = (torch.tensor([[1, 2]]), torch.tensor([[0, 1]]))
    table, alpha, values = fit_with_prior(want[:1], x, y, mask[:1], (3, 2), 1)
    first, second = (float(values[0]), float(values[1]))
    assert abs(float(table[1, 0]) - 2 / 3) < 1e-09, f'fit_with_prior, the example: after one iteration t(er | he) should be 2/3, got {float(table[1, 0]):.4f}: where does the prior enter the E-step?'
    assert abs(first - 2 * math.log(1 / 2)) < 1e-09, f'fit_with_prior, the example: the log-likelihood begins at -1.3863, got {first:.4f}: the prior already says how a writer is chosen, so nothing is divided by S + 1 any more'
    assert abs(second - 2 * math.log(29 / 54)) < 1e-09, f'fit_with_prior, the example: after one iteration want -1.2434, got {second:.4f}'
    want = want[0] * torch.tensor([[1 / 2, 2 / 3, 1 / 3], [1 / 2, 1 / 3, 2 / 3]]).double()
    want = want / want.sum(-1, keepdim=True)
    assert same(alpha[0], want), f'fit_with_prior, the example: want the posteriors {want.tolist()} under the last table, got {alpha[0].tolist()}'

@test_case(points=0.75, hidden=False)
def test_q5_bar(align_corpus):
    align_corpus = with_own_line(align_corpus)
    import random
    from course_lab.experiments.alignment import links as alignment
    gold = alignment.mini_world('valid', 400, seed=1)
    draw, names = (random.Random(11), {})

    def renamed(side, sentence):
        for word in sentence:
            names.setdefault((side, word), f'{side}{draw.randrange(10 ** 9)}')
        return [names[side, word] for word in sentence]
    words = [(renamed('e', pair.source), renamed('f', pair.target)) for pair in gold]
    bar = alignment.judge(alignment.both_directions(words, words)['intersection'], gold).error_rate
    found = [{tuple(link) for link in links} for links in align_corpus(words)]
    rate = alignment.judge(found, gold).error_rate
    turned = alignment.judge([{(j, i) for i, j in links} for links in found], gold).error_rate
    assert rate <= bar + 0.005 or turned > rate / 2, f'error rate {rate:.3f}, and {turned:.3f} with every link turned round: a link is (English position, German position)'
    assert rate <= bar + 0.005, f"error rate {rate:.3f} on 400 pairs; course_lib's intersection has {bar:.3f}. Do two directions agree on your links?"
    assert rate < 0.75 * bar, f'error rate {rate:.3f} on 400 pairs; the bar is three quarters of {bar:.3f}. Model 1 does not know where a word stands'

