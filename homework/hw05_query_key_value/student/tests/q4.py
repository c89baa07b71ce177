from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 3

@test_case(points=0.5, hidden=False)
def test_types(product_moments, right_scale):
    """Three plain numbers, and one."""
    got = product_moments(64, 0.5, 1.0, 0.5, 1.0)
    told = f'product_moments: want three plain numbers such as (16.0, 96.0, 80.0), got {got!r}'
    is_three = isinstance(got, (tuple, list)) and len(got) == 3
    is_right = is_three and all((isinstance(x, (int, float)) for x in got))
    assert is_right, told
    got = right_scale(64, 0.0, 1.0, 0.0, 1.0)
    told = f'right_scale: want a plain number such as 0.125, got {got!r}'
    assert isinstance(got, (int, float)), told

@test_case(points=1, hidden=False)
def test_the_two_cases(product_moments, right_scale):
    """The two cases of the question."""
    cases = [((64, 0.0, 1.0, 0.0, 1.0), (0, 64, 64)), ((64, 0.5, 1.0, 0.5, 1.0), (16, 96, 80))]
    for case, want in cases:
        got = product_moments(*case)
        told = f'product_moments{case}: want {want}, got {tuple((round(x, 3) for x in got))}.'
        if abs(got[0] - want[0]) < 1e-06 and abs(got[1] - 64) < 1e-06 and (want[1] == 96):
            told += ' A mean that is not zero adds to the variance: E[q²] is q_var + q_mean².'
        elif want[1] == 96 and abs(got[1] - 100) < 1e-06:
            told += ' E[(qk)²] is not yet the variance: the square of the mean goes off.'
        elif want[1] == 96 and abs(got[2] - got[1]) < 1e-06:
            told += ' What all keys of a query share, q times the mean of the keys, is not among them.'
        assert all((abs(g - w) < 1e-06 for g, w in zip(got, want, strict=True))), told
    got = right_scale(64, 0.0, 1.0, 0.0, 1.0)
    told = f'right_scale: for means 0, variances 1 and d = 64 want 1/8 = 0.125, got {got:.4f}.'
    if abs(got - 1 / 64) < 1e-06:
        told += ' Multiplied by s, scores have s² times their variance.'
    elif abs(got - 8) < 1e-06:
        told += ' You would divide by it; the question asks what to multiply by.'
    assert abs(got - 0.125) < 1e-06, told

