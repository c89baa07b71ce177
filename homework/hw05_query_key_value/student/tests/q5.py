# homework: hw05_query_key_value
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
points = 5

@test_case(points=0.5, hidden=False)
def test_plain_numbers(look_up_error, choose_temperature):
    """Plain numbers."""
    look_up_error, choose_temperature = with_own_line(look_up_error), with_own_line(choose_temperature)
    import torch
    keys, values = (torch.eye(3), torch.tensor([[1.0], [2.0], [3.0]]))
    got = look_up_error(keys, values, torch.eye(3), torch.arange(3), 1.0)
    told = f'look_up_error: want a plain number such as 0.31, got {got!r}'
    assert isinstance(got, float), told
    sharper = look_up_error(keys, values, torch.eye(3), torch.arange(3), 0.1)
    told = f'look_up_error: another temperature has another error, yours is {got!r} at both'
    assert abs(got - sharper) > 0.01, told
    got = choose_temperature(keys, values, torch.eye(3), torch.arange(3))
    told = f'choose_temperature: want a plain number above 0, got {got!r}'
    is_right = isinstance(got, (int, float)) and got > 0
    assert is_right, told

@test_case(points=1, hidden=False)
def test_error_by_hand(look_up_error):
    """Two pairs, one query between them and one on a key."""
    look_up_error = with_own_line(look_up_error)
    import torch
    keys, values = (torch.eye(2), torch.tensor([[0.0], [1.0]]))
    queries, which = (torch.tensor([[0.5, 0.5], [1.0, 0.0]]), torch.tensor([0, 0]))
    want = (0.25 + (1 / (1 + 2.718281828 ** 2)) ** 2) / 2
    got = look_up_error(keys, values, queries, which, 0.5)
    told = f'look_up_error: two pairs, two queries, temperature 0.5: want {want:.4f}, got {got:.4f}.'
    second = 1 / (1 + 2.718281828 ** 0.5)
    if abs(got - (0.25 + second ** 2) / 2) < 0.0001:
        told += ' You multiply by the temperature; scores are divided by it.'
    elif abs(got - 2 * want) < 0.0001:
        told += ' It is the mean over the look-ups, not the sum.'
    elif abs(got - (0.5 + 1 / (1 + 2.718281828 ** 2)) / 2) < 0.0001:
        told += ' The error is squared.'
    assert abs(got - want) < 0.0001, told

@test_case(points=1, hidden=False)
def test_chosen(choose_temperature):
    """A temperature that is good on other look-ups; the noise is 0.3."""
    choose_temperature = with_own_line(choose_temperature)
    import torch
    rng = torch.Generator().manual_seed(10)
    keys = torch.nn.functional.normalize(torch.randn(20, 16, generator=rng), dim=-1)
    values = torch.randn(20, 3, generator=rng)

    def look_ups(count, sigma):
        which = torch.randint(20, (count,), generator=rng)
        return (keys[which] + sigma * torch.randn(count, 16, generator=rng), which)

    def error(queries, which, t):
        context = (queries @ keys.T / t).softmax(-1) @ values
        return (context - values[which]).square().mean().item()
    got = choose_temperature(keys, values, *look_ups(2000, 0.3))
    other = look_ups(4000, 0.3)
    best = min((error(*other, 0.3 ** 2 * factor) for factor in (0.7, 0.85, 1, 1.2, 1.4)))
    found = error(*other, got)
    told = f'With noise 0.3 your temperature is {got:.4g}; on other look-ups its error is {found:.4f}, and {best:.4f} can be had.'
    if got < 0.04:
        told += ' So sharp a look-up is often sure of the wrong pair. Did you count errors of the largest weight?'
    elif got > 0.2:
        told += ' So flat a look-up reads nearly the mean of all. Does your search try small temperatures?'
    assert found < 1.03 * best, told

