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

name = "q1"
points = 3

@test_case(points=0.5, hidden=False)
def test_three_tensors(teacher_forcing):
    teacher_forcing = with_own_line(teacher_forcing)
    import torch
    got = teacher_forcing([[5, 6, 7], [8]])
    says = f'want three tensors (target_in, target_out, mask), got {got}'
    assert isinstance(got, tuple | list), says
    assert len(got) == 3, says
    for name, tensor in zip(('target_in', 'target_out', 'mask'), got, strict=True):
        assert isinstance(tensor, torch.Tensor), f'want a tensor as {name}, got {tensor!r}'
        shape = tuple(tensor.shape)
        says = f'want {name} of shape (2, 4), got {shape}'
        if shape == (2, 5):
            says += '. START and END in one row make it a place too long: each row has one of them'
        assert shape == (2, 4), says
        want = torch.bool if name == 'mask' else torch.long
        assert tensor.dtype == want, f'want {name} of dtype {want}, got {tensor.dtype}'
    other = teacher_forcing([[9, 6, 7], [8]])
    says = 'the shapes are right, but another first word changes nothing in target_in'
    assert not torch.equal(got[0], other[0]), says

@test_case(points=1, hidden=False)
def test_example_of_rows(teacher_forcing):
    teacher_forcing = with_own_line(teacher_forcing)
    from course_lib.data.tokens.tokenizer import END, PAD, START
    read, predict, mask = (t.tolist() for t in teacher_forcing([[5, 6, 7], [8]]))
    says = f'target_in and target_out are the same, {read}: what does step i read, y_i or y_(i-1)?'
    assert read != predict, says
    says = f'target_out is {predict}, with the start mark {START} in it: who would ever write a start mark?'
    assert all((START not in row for row in predict)), says
    says = f'target_out is {predict}: each row has its end mark {END}. If the two are slices of one tensor, a change to one changes the other'
    assert all((END in row for row in predict)), says
    says = f'target_in is {read}, with the end mark {END} in it. After the end there is nothing to predict, so nobody has to read it. Look at the shorter row'
    assert all((END not in row for row in read)), says
    says = f'target_out is {predict}: the end mark comes after the padding, not after the last word'
    assert predict[1] != [8, PAD, PAD, END], says
    assert read == [[START, 5, 6, 7], [START, 8, PAD, PAD]], f'target_in of the example is {read}'
    assert predict == [[5, 6, 7, END], [8, END, PAD, PAD]], f'target_out of the example is {predict}'
    says = f'the mask is {mask}: the end mark is predicted too, and counts; a model that is not trained on it never stops'
    assert mask != [[True, True, True, False], [True, False, False, False]], says
    assert mask == [[True] * 4, [True, True, False, False]], f'the mask of the example is {mask}'

