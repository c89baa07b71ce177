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

name = "q4"
points = 5

@test_case(points=0.5, hidden=False)
def test_two_lists(write):
    write = with_own_line(write)
    import torch
    weights = {'E': torch.zeros(6, 2), 'W_hh': torch.eye(2), 'G': torch.zeros(6, 2)}
    weights['b'] = torch.tensor([0.0, 0, 0, 0, 1, 0])
    got = write(weights, torch.ones(3, 2), 4)
    says = f'want two lists (ids, finished), got {got}'
    assert isinstance(got, tuple | list), says
    assert len(got) == 2, says
    ids, finished = got
    says = f'want a list of 3 lists of ints as ids, got {ids}'
    assert isinstance(ids, list), says
    assert len(ids) == 3, says
    assert all((isinstance(row, list) for row in ids)), says
    assert all((type(word) is int for row in ids for word in row)), says
    says = f'want a list of 3 booleans as finished, got {finished}'
    assert isinstance(finished, list), says
    assert [type(flag) for flag in finished] == [bool] * 3, says
    long = max((len(row) for row in ids))
    assert long <= 4, f'max_length is 4, and a row has {long} ids: {ids}'
    other, _ = write(weights | {'b': torch.tensor([0.0, 0, 0, 0, 0, 1])}, torch.ones(3, 2), 4)
    says = f'the word with the best score is 4, and then 5: both times your ids are {ids}'
    assert ids != other, says

@test_case(points=1, hidden=False)
def test_example_of_writing(write):
    write = with_own_line(write)
    import torch
    from course_lib.data.tokens.tokenizer import END
    weights = {'E': torch.tensor([[0.0, 0], [0, 0], [0, 0], [0, 0], [-2, 0], [0, -2]]), 'W_hh': torch.eye(2), 'G': torch.tensor([[0.0, 0], [0, 0], [0, 0], [0, 0], [2, 0], [0, 2]]), 'b': torch.tensor([-9.0, -9, -9, 0, 0, 0])}
    ids, finished = write(weights, torch.tensor([[1.0, -1], [-1, 1]]), 6)
    says = f'want [[4], [5]] (Hund, Katze), got {ids}'
    assert all((END not in row for row in ids)), says + ': the end mark is no word of the translation'
    again = says + ': the decoder seems to read START again at each step, not its own last word'
    assert ids != [[4] * 6, [5] * 6], again
    assert ids == [[4], [5]], says
    assert finished == [True, True], f'both rows came to their end mark, but finished is {finished}'

@test_case(points=1, hidden=False)
def test_each_its_own_end(write):
    """A decoder of one-word memory: `follow` says what comes after what."""
    write = with_own_line(write)
    import torch
    from course_lib.data.tokens.tokenizer import END
    first, follow = ([4, 7, 9], {4: 5, 5: 6, 6: END, 7: END, 8: 9, 9: 8, END: 10, 10: 11, 11: 10})
    size, rows = (12, len(first))
    weights = {'E': 5 * torch.eye(size, size + rows), 'W_hh': torch.diag(torch.tensor([0.0] * size + [5.0] * rows)), 'G': torch.zeros(size, size + rows), 'b': torch.zeros(size)}
    for row, word in enumerate(first):
        weights['G'][word, size + row] = 5
    for word, after in follow.items():
        weights['G'][after, word] = 20
    c = torch.eye(size + rows)[size:]
    ids, finished = write(weights, c, 5)
    want = [[4, 5, 6], [7], [9, 8, 9, 8, 9]]
    says = f'want {want}, got {ids}'
    kept = says + ': the end mark is no word of the translation'
    assert all((END not in row for row in ids)), kept
    again = says + ": START is fed at each step, where each row's last word should be"
    assert ids != [[word] * 5 for word in first], again
    stopped = says + ': the first end mark in the batch has stopped all rows'
    assert len(ids[2]) not in (1, 2), stopped
    grown = says + ': a row went on writing after its own end mark'
    assert all((10 not in row for row in ids)), grown
    assert ids == want, says
    says = f'the third row never ends, the others do: finished is {finished}'
    assert finished == [True, True, False], says

