"""When two printed outputs say the same."""

import pytest

from tools.notebooks.tolerance import Tolerance, agrees, numbers

STRICT = Tolerance()


@pytest.mark.parametrize(
    ("stored", "new"),
    [
        ("loss 0.500000", "loss 0.500004"),
        ("tensor([ 0.25, -1.50])", "tensor([ 0.250001, -1.500001])"),
        ("a   1.000001  b", "a 0.999999 b"),
        ("[ 1e-10 2.]", "[-1e-10 2.]"),
        ("<td># 0.5</td>", "<td># 0.500001</td>"),
    ],
)
def test_small_differences_pass(stored, new):
    assert agrees(stored, new, STRICT)


@pytest.mark.parametrize(
    ("stored", "new"),
    [
        ("loss 0.50", "loss 0.525"),  # five per cent
        ("12 of 50", "13 of 50"),
        ("rate_0.5000001", "rate_0.5000002"),
        ("0.5", "-0.5"),
        ("0.5 0.6", "0.5"),
        ("# 0.5", "0.5 0.5"),
        ("nan", "0.1"),
        ("torch 2.13.0", "torch 2.13.1"),
    ],
)
def test_real_differences_fail(stored, new):
    assert not agrees(stored, new, STRICT)


def test_a_cell_may_widen_the_tolerance_and_never_narrow_it():
    own = STRICT.widened({"rtol": 0.05, "atol": 0.02})
    assert own == Tolerance(0.05, 0.02)
    assert agrees("exact match 0.96", "exact match 0.98", own)
    assert not agrees("exact match 0.96", "exact match 0.80", own)
    assert not agrees("48 of 50", "49 of 50", own)
    assert STRICT.widened({"rtol": 1e-9}) == STRICT
    assert STRICT.widened(None) == STRICT


def test_the_id_of_a_figure_is_no_number():
    stored = '<div id="cl-length-214159b8f5" data-w="0.512">'
    assert agrees(stored, stored.replace("214159b8f5", "f9c432a897"), Tolerance())
    moved = stored.replace("214159b8f5", "f9c432a897").replace("0.512", "0.514")
    assert agrees(stored, moved, Tolerance(absolute=0.01))
    assert not agrees(stored, moved, Tolerance())
    assert not agrees(stored, stored.replace("cl-length", "cl-chain"), Tolerance())
    assert numbers(stored) == ["0.512"]
