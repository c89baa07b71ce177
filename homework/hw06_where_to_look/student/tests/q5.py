from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 3

@test_case(points=1, hidden=False)
def test_missed(missed):
    """Two sentences by hand."""
    links = [[(0, 0), (1, 3), (3, 1)], [(0, 1)]]
    got = missed(links, 1)
    is_pair = isinstance(got, (tuple, list)) and len(got) == 2
    assert is_pair, f'want a pair of shares, got {got!r}'
    told = f'Of 4 links 2 lie further than 1 away, in 1 of 2 sentences: want (0.5, 0.5), got {got}.'
    if abs(got[0] - 0.25) < 1e-06:
        told += ' A link may lie on either side of the window: |j - i|.'
    elif abs(got[0] - 0.75) < 1e-06:
        told += ' A link at distance D is seen.'
    assert abs(got[0] - 0.5) < 1e-06, told
    assert abs(got[1] - 0.5) < 1e-06, told
    got = missed([[(0, 2)], [], [(0, 0)]], 1)
    told = f'One of two links, one of three sentences: want (1/2, 1/3), got {got}'
    assert abs(got[0] - 1 / 2) < 1e-06, told
    assert abs(got[1] - 1 / 3) < 1e-06, told

@test_case(points=1, hidden=False)
def test_written_answer(written_answer):
    """It has a length, and a number."""
    got = written_answer()
    told = f'want a text of 20 to 120 words, got {(got if got is None else type(got))}'
    assert isinstance(got, str), told
    assert 20 <= len(got.split()) <= 120, f'want 20 to 120 words, got {len(got.split())}'
    told = 'name the radius that you found, as a number'
    assert any((letter.isdigit() for letter in got)), told

