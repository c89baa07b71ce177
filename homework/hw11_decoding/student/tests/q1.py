# homework: hw11_decoding
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
points = 4

@test_case(points=1.5, hidden=False)
def test_by_hand(beam_step):
    """Two beams, four words, numbers to check on paper."""
    beam_step = with_own_line(beam_step)
    import torch
    p = torch.tensor([[[0.05, 0.25, 0.1, 0.6], [0.1, 0.45, 0.4, 0.05]]])
    logits, sums = (p.log() + torch.tensor([[[2.0], [-1.0]]]), torch.tensor([[0.3, 0.5]]).log())
    going = torch.zeros(1, 2, dtype=torch.bool)
    try:
        got = beam_step(logits, sums, going, 0)
    except Exception as error:
        told = f'beam_step stopped at logits (1, 2, 4) with {type(error).__name__}: {error}'
        raise AssertionError(told) from None
    told = f'want four tensors (sums, parent, token, ended), got {type(got).__name__}'
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 4, 'want four tensors (sums, parent, token, ended)'
    shapes = [tuple(getattr(g, 'shape', ())) for g in got]
    assert shapes == [(1, 2)] * 4, f'want four tensors of shape (1, 2), got {shapes}'
    total, parent, token, ended = got
    chosen = list(zip(parent[0].tolist(), token[0].tolist(), strict=True))
    told = f'want the (beam, word) pairs [(1, 1), (1, 2)], got {chosen}.'
    if chosen == [(1, 1), (2, 1)]:
        told += ' In the flattened table the quotient by V is the beam, the remainder the word.'
    elif chosen == [(2, 1), (3, 0)]:
        told += ' You divide by K. Each beam has V places in the flattened table: divide by V.'
    elif chosen == [(1, 2), (1, 1)]:
        told += ' The best comes first.'
    elif chosen == [(1, 1), (0, 3)]:
        told += ' You take one continuation of each beam; both of the best may be of one beam.'
    elif chosen == [(0, 3), (1, 1)]:
        told += ' What the hypotheses had before the step is not added.'
    elif chosen == [(0, 3), (0, 1)]:
        told += ' Logits are no log-probabilities: take log_softmax over the V words of each beam.'
    assert chosen == [(1, 1), (1, 2)], told
    got, want = ([round(s, 3) for s in total.exp()[0].tolist()], [0.225, 0.2])
    told = f"sums, as probabilities: want {want}, got {got}: what was there, plus the step's"
    assert torch.allclose(total.exp()[0], torch.tensor(want), atol=0.001), told
    assert not ended.any(), 'none of the two wrote END, so none has ended'
    twice = (logits.repeat(2, 1, 1), sums.repeat(2, 1), going.repeat(2, 1))
    _, parent, token, _ = beam_step(*twice, 0)
    told = f'the same sentence twice: want the parents [1, 1] for both, got {parent.tolist()}.'
    if parent.tolist() == [[1, 1], [3, 3]]:
        told += ' The beams of each sentence are counted from 0: parents go from 0 to K - 1.'
    assert parent.tolist() == [[1, 1], [1, 1]], told
    told = f'the same sentence twice: want the words [1, 2] for both, got {token.tolist()}.'
    told += ' Each sentence has a table of its own'
    assert token.tolist() == [[1, 2], [1, 2]], told

@test_case(points=1, hidden=False)
def test_what_has_ended_stands_still(beam_step):
    """One hypothesis has its END, the other goes on."""
    beam_step = with_own_line(beam_step)
    import torch
    p = torch.tensor([[[0.35, 0.6, 0.05], [0.08, 0.8, 0.12]]])
    sums, ended = (torch.tensor([[0.3, 0.5]]).log(), torch.tensor([[True, False]]))
    step = beam_step(p.log(), sums, ended, 0)
    assert isinstance(step, (tuple, list)), f'no tensors but {type(step).__name__}: see above'
    total, parent, token, after = step
    got = [round(s, 3) for s in total.exp()[0].tolist()]
    chosen = list(zip(parent[0].tolist(), token[0].tolist(), strict=True))
    told = 'beam 0 has ended at 0.3, beam 1 goes on from 0.5: want the (beam, word) pairs '
    told += f'[(1, 1), (0, 0)] with [0.4, 0.3], got {chosen} with {got}.'
    if (0, 1) in chosen:
        told += ' A hypothesis that has ended does not go on: nothing but END may follow.'
    elif chosen == [(1, 1), (0, 0)] and got == [0.4, 0.105]:
        told += ' It pays for END a second time: what has ended costs nothing more.'
    elif 0 not in parent[0].tolist():
        told += ' The one that has ended is dropped: it stays, with END once more at no cost.'
    assert chosen == [(1, 1), (0, 0)], told
    assert got == [0.4, 0.3], told
    told = f'want ended [False, True], got {after[0].tolist()}: it belongs to the new rows'
    assert after.tolist() == [[False, True]], told
    p = torch.tensor([[[0.7, 0.2, 0.1], [0.05, 0.9, 0.05]]])
    going = torch.tensor([[False, False]])
    after = beam_step(p.log(), torch.tensor([[0.5, 0.3]]).log(), going, 0)[3]
    told = 'beam 0 takes END in this step, beam 1 the word 1: want ended [True, False], got '
    told += f'{after[0].tolist()}: who takes END has ended'
    assert after.tolist() == [[True, False]], told

