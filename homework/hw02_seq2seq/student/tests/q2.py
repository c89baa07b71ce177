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

name = "q2"
points = 5

@test_case(points=0.5, hidden=False)
def test_three_numbers(perplexity):
    perplexity = with_own_line(perplexity)
    import torch
    batch = (torch.zeros(2, 3, 5), torch.ones(2, 3).long(), torch.ones(2, 3).bool())
    got = perplexity([batch])
    says = f'want three numbers (nats, perplexity, tokens), got {got}'
    assert isinstance(got, tuple | list), says
    assert len(got) == 3, says
    kinds = [type(value).__name__ for value in got]
    says = f'want (float, float, int), got {kinds}: `.item()` makes a number of a tensor'
    assert kinds == ['float', 'float', 'int'], says
    sure = torch.zeros(2, 3, 5)
    sure[..., 1] = 2
    says = 'three numbers, but a model that is surer of the right words gets the same nats'
    assert perplexity([(sure, *batch[1:])])[0] != got[0], says

@test_case(points=1, hidden=False)
def test_example_of_perplexity(perplexity):
    perplexity = with_own_line(perplexity)
    import math
    import torch
    logits = torch.tensor([[[1.523, -1.523, 0.0], [-1.69, -1.284, 0.0]], [[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]]])
    mask = torch.tensor([[True, True], [True, False]])
    nats, seems, tokens = perplexity([(logits, torch.tensor([[0, 2], [1, 0]]), mask)])
    says = f'want 3 tokens, got {tokens}'
    assert tokens == 3, says + (': one of the four is padding' if tokens == 4 else '')
    own = [0.236, 0.379, math.log(3)]
    says = f'want 0.571 nats per token, got {nats:.3f}'

    def near(value):
        return abs(nats - value) < 0.002
    assert not near((sum(own) + 0.013) / 4), says + ': the padding is counted'
    assert not near((sum(own) + 0.013) / 3), says + ": the padding's loss is in the sum"
    per_sentence = says + ": a mean of two sentences' means. Each token should count the same"
    assert not near((sum(own[:2]) / 2 + own[2]) / 2), per_sentence
    assert not near(0.571 / math.log(2)), says + ': these are bits, from the logarithm to base 2'
    assert not near(sum(own)), says + ': the sum is right, but not divided by the tokens'
    assert near(0.571), says
    mean = sum((math.exp(value) for value in own)) / 3
    says = f'want a perplexity of 1.771, got {seems:.3f}'
    wrong = says + ': it is e to the mean of the logarithms, not the mean of 1/p'
    assert abs(seems - mean) > 0.002, wrong
    assert abs(seems - 1.771) < 0.003, says

@test_case(points=1, hidden=False)
def test_several_batches(perplexity):
    perplexity = with_own_line(perplexity)
    import math
    import torch
    import torch.nn.functional as F
    generator = torch.Generator().manual_seed(1)
    batches, losses = ([], [])
    for rows, width, scale in ((6, 5, 0.5), (1, 2, 6.0), (3, 9, 2.0)):
        logits = scale * torch.randn(rows, width, 11, generator=generator)
        target = torch.randint(0, 11, (rows, width), generator=generator)
        lengths = torch.randint(1, width + 1, (rows, 1), generator=generator)
        mask = torch.arange(width) < lengths
        batches.append((logits, target, mask))
        losses.append(F.cross_entropy(logits[mask], target[mask], reduction='none'))
    own = torch.cat(losses)
    want = own.mean().item()
    nats, seems, tokens = perplexity(batches)
    assert tokens == len(own), f'want {len(own)} tokens in the three batches, got {tokens}'
    says = f'want {want:.4f} nats per token over three batches, got {nats:.4f}'
    of_batches = sum((loss.mean().item() for loss in losses)) / 3
    wrong = says + ": a mean of the batches' means, in which a token of a small batch counts more"
    assert abs(nats - of_batches) > 0.001, wrong
    assert abs(nats - want) < 0.001, says
    of_batches = sum((math.exp(loss.mean().item()) for loss in losses)) / 3
    says = f'want a perplexity of {math.exp(want):.3f}, got {seems:.3f}'
    assert abs(seems - of_batches) > 0.01, says + ": a mean of the batches' perplexities"
    assert abs(seems - math.exp(want)) < 0.01, says

