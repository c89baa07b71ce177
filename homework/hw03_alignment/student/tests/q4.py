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

name = "q4"
points = 4

@test_case(points=0.5, hidden=False)
def test_q4_shape(best_links, score):
    best_links, score = with_own_line(best_links), with_own_line(score)
    import torch
    out = best_links(torch.eye(3, dtype=torch.float64)[[1, 2]])
    assert isinstance(out, (list, tuple)), f'best_links: want a list of links, got {out}'
    good = all((isinstance(link, (list, tuple)) and len(link) == 2 for link in out))
    assert good, f'best_links: want pairs (source position, target position), got {out}'
    good = all((isinstance(place, int) for link in out for place in link))
    assert good, f'best_links: want positions as whole numbers (int), got {out}'
    other = best_links(torch.eye(3, dtype=torch.float64)[[2, 1]])
    same = [tuple(link) for link in out] == [tuple(link) for link in other]
    assert not same, f'best_links: with the two rows exchanged the links are the same, {out}'
    out = score([[(0, 0)]], [[(0, 0)]], [[]])
    good = isinstance(out, (list, tuple)) and len(out) == 3
    assert good, f'score: want three numbers (precision, recall, error rate), got {out}'
    other = score([[(0, 0), (1, 1)]], [[(0, 0)]], [[]])
    says = f'score: {list(out)} for one link, which is right, and with a wrong one beside it'
    assert list(out) != list(other), says

@test_case(points=0.75, hidden=False)
def test_q4_links(best_links):
    best_links = with_own_line(best_links)
    import torch

    def links(*rows):
        found = best_links(torch.tensor(rows, dtype=torch.float64))
        return [tuple(link) for link in found]
    got = links([0.1, 0.2, 0.1, 0.6], [0.1, 0.2, 0.6, 0.1], [0.6, 0.2, 0.1, 0.1])
    assert got != [(0, 2), (1, 1)], f'want [(2, 0), (1, 1)], got {got}: a link is (source position, target position)'
    assert (0, 2) not in got, 'NULL is the most probable writer of the third word, and you link the word all the same; such a word gets no link'
    assert not any((j == -1 for j, _ in got)), 'there is a source position -1: NULL is no word of the sentence, and its words get no link'
    assert not {(3, 0), (2, 1)} & set(got), f"want [(2, 0), (1, 1)], got {got}: columns are counted as source positions, but column 0 is NULL's"
    assert got == [(2, 0), (1, 1)], f'want [(2, 0), (1, 1)], got {got}'
    got = links([0.2, 0.7, 0.1], [0.6, 0.2, 0.2], [0.4, 0.2, 0.4])
    assert (0, 2) not in got, f'the example: got {got}. In its third row NULL and source position 1 tie, and source position 0 is less probable than both'
    assert (1, 2) in got, f'the example: want [(0, 0), (1, 2)], got {got}: who loses every tie?'
    assert got == [(0, 0), (1, 2)], f'the example: want [(0, 0), (1, 2)], got {got}'
    tie = [0.1, 0.3, 0.3, 0.3]
    got = links(tie, tie, tie)
    assert got != [(0, 0), (0, 1), (0, 2)], f'three words tie in all three rows: got {got}, always the first of them; the one nearest to the diagonal is wanted'
    assert got == [(0, 0), (1, 1), (2, 2)], f'three words tie in all three rows: want [(0, 0), (1, 1), (2, 2)], got {got}'

@test_case(points=0.75, hidden=False)
def test_q4_score(score):
    score = with_own_line(score)
    predicted = [[(0, 0), (1, 1), (2, 2), (0, 3)]]
    sure, possible = ([[(0, 0), (3, 1), (2, 2), (4, 3)]], [[(1, 1)]])
    precision, recall, rate = map(float, score(predicted, sure, possible))
    got = f'got {precision:.3f}, {recall:.3f}, {rate:.3f}'
    assert abs(precision - 1 / 4) > 1e-09, f'the example: {got}. You judge precision by the links marked P only: a sure link is possible as well'
    assert abs(precision - 2 / 4) > 1e-09, f'the example: {got}. You judge precision by the sure links: a link is wrong only if it is not even possible'
    assert abs(recall - 3 / 5) > 1e-09, f'the example: {got}. You judge recall by the possible links: only a sure link can be missed'
    assert abs(precision - 3 / 4) < 1e-09, f'the example: want precision 3/4, {got}'
    assert abs(recall - 2 / 4) < 1e-09, f'the example: want recall 2/4, {got}'
    balanced = 1 - 2 * precision * recall / (precision + recall)
    assert abs(rate - balanced) > 1e-09, f'the example: {got}. One minus the harmonic mean of precision and recall is not the error rate once there are possible links: use the four counts'
    assert abs(rate - 3 / 8) < 1e-09, f'the example: want error rate 3/8, {got}'

