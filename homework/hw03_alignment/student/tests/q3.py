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

name = "q3"
points = 4

@test_case(points=0.5, hidden=False)
def test_q3_shape(log_likelihood, fit):
    log_likelihood, fit = with_own_line(log_likelihood), with_own_line(fit)
    import torch
    t = torch.full((3, 4), 0.25, dtype=torch.float64)
    x, y = (torch.tensor([[1, 2], [2, 1]]), torch.tensor([[0, 1, 2], [3, 3, 0]]))
    x_mask, y_mask = (torch.ones(2, 2).bool(), torch.ones(2, 3).bool())
    out = log_likelihood(t, x, y, x_mask, y_mask)
    if isinstance(out, torch.Tensor):
        got, good = (f'a tensor of shape {tuple(out.shape)}', out.dim() == 0)
    else:
        got, good = (out, isinstance(out, float))
    assert good, f'log_likelihood: want one number for the whole batch (a float, or a tensor of shape ()), got {got}'
    other = log_likelihood(t / 2, x, y, x_mask, y_mask)
    says = 'log_likelihood: with half of every probability it is the same'
    assert float(out) != float(other), says
    out = fit(x, y, x_mask, y_mask, (3, 4), 2)
    good = isinstance(out, (tuple, list)) and len(out) == 2
    assert good, f'fit: want two things, the table and a list of numbers, got {out}'
    table, values = out
    got = tuple(table.shape) if isinstance(table, torch.Tensor) else table
    assert got == (3, 4), f'fit: want a table of shape (E, F) = (3, 4), got {got}'
    says = f'fit: want a table in double precision (torch.float64), got {table.dtype}'
    assert table.dtype == torch.float64, says + ': of which type is the uniform table?'
    kind = type(values).__name__
    says = f'fit: want a list of iterations + 1 = 3 log-likelihoods, got {kind}'
    assert isinstance(values, (list, tuple)), says
    assert len(values) == 3, f'fit: want a list of iterations + 1 = 3 log-likelihoods, before the first iteration and after each, got {len(values)}'
    other, _ = fit(x, y.clamp(max=2), x_mask, y_mask, (3, 4), 2)
    says = 'fit: the shapes are right, but other words in y leave the table as it was'
    assert not torch.equal(table, other), says

@test_case(points=0.75, hidden=False)
def test_q3_example(log_likelihood):
    log_likelihood = with_own_line(log_likelihood)
    import math
    import torch
    t = torch.tensor([[0.2, 0.8], [0.6, 0.4], [0.2, 0.8]], dtype=torch.float64)
    x, y = (torch.tensor([[1, 2], [1, 2]]), torch.tensor([[0, 1], [0, 0]]))
    mask = torch.tensor([[True, True], [True, False]])
    got = float(log_likelihood(t, x, y, mask, mask))

    def near(value):
        return abs(got - value) < 1e-06
    one, two, three = (math.log(1.0), math.log(2.0), math.log(0.8))
    assert not near(one + two + three), f'example: got {got:.3f}, which leaves out the choice of the positions: each of the T target words chooses one of how many writers?'
    assert not near(one + two + three - 3 * math.log(2) + math.log(2)), f'example: got {got:.3f}, as if a target word chose among S writers: who else may write it?'
    assert not near(one + two + three - 3 * math.log(3)), f'example: got {got:.3f}, with the padded length for S: the second sentence has one source word'
    assert not near(one + two - 2 * math.log(3)), f'example: got {got:.3f}, the value of the first sentence alone'
    logs = t.log()[torch.tensor([0, 1, 2])].sum(0)
    inside_out = float(logs.sum() + t[:2, 0].log().sum())
    constants = (0.0, 2 * math.log(3) + math.log(2))
    assert not any((near(inside_out - value) for value in constants)), f'example: got {got:.3f}, the sum of the logarithms of all entries; the writers of one target word are alternatives: are their probabilities added or multiplied?'
    want = math.log(1 / 3) + math.log(2 / 3) + math.log(0.4)
    assert not any((near(want / count) for count in (2, 3))), f'example: got {got:.3f}, an average; the sum over all target words is wanted'
    assert near(want), f'example: want {want:.4f}, got {got:.4f}'

@test_case(points=0.75, hidden=False)
def test_q3_fit(fit):
    fit = with_own_line(fit)
    import torch
    from course_lib.alignment.ibm1 import IBMModel1
    pairs = [('he laughs', 'er lacht'), ('she laughs', 'sie lacht'), ('today he waits', 'heute wartet er')]
    pairs = [(english.split(), german.split()) for english, german in pairs]
    x = torch.tensor([[1, 2, 0], [3, 2, 0], [4, 1, 5]])
    y = torch.tensor([[0, 1, 0], [2, 1, 0], [3, 4, 0]])
    mask = torch.tensor([[True, True, False], [True, True, False], [True, True, True]])
    table, values = fit(x, y, mask, mask, (6, 5), 1)
    model = IBMModel1.fit(pairs, 1)
    want = model.log_likelihoods
    assert abs(float(values[0]) - want[0]) < 1e-06, f"the chapter's three pairs: the uniform table has log-likelihood {want[0]:.4f}, your list begins with {float(values[0]):.4f}"
    assert abs(float(table[1].sum()) - 1) < 1e-06, f'row 1 of the table should sum to one, got {float(table[1].sum()):.4f}'
    got = float(table[1, 0])
    assert abs(got - model.probability('er', 'he')) < 1e-06, f"after one iteration t(er | he) should be {model.probability('er', 'he'):.4f}, got {got:.4f}"
    table, values = fit(x, y, mask, mask, (6, 5), 12)
    falls = [k for k in range(12) if float(values[k + 1]) < float(values[k]) - 1e-09]
    assert not falls, f'the log-likelihood falls in iteration {falls[0] + 1}, which the proof forbids: look at the counts, and at what you divide by'

