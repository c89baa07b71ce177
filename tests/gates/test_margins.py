"""By how much a claim holds: what is noted while it is shaken; and the claim stays the same."""

import io
import json
from contextlib import redirect_stdout

import pytest

from course_lib.claims import claim
from tools.shake.margins import PREPARE, REPORT, noted, widest


def margins(condition: str, **names) -> dict[str, dict[str, float]]:
    """What is noted of a claim with this condition, as cell 7."""
    source = noted(f"claim('C08', 'holds', {condition}, 'so much')", 7)
    names |= {"claim": claim}
    with redirect_stdout(io.StringIO()):
        exec(PREPARE, names)
        exec(source, names)
    said = io.StringIO()
    with redirect_stdout(said):
        exec(REPORT, names)
    return json.loads(said.getvalue())


@pytest.mark.parametrize(
    ("condition", "noticed"),
    [
        ("a < b", {"a < b": 0.5}),
        ("b >= a", {"b >= a": 0.5}),
        ("b > a > -1", {"b > a": 0.5, "a > -1": 1.25}),
        ("a <= b and 2 * a < 4", {"a <= b": 0.5, "2 * a < 4": 3.5}),
        ("all(x < b for x in (0.5, a))", {"x < b": 0.25}),
        ("a > 1 or b > 0.5", {"a > 1": -0.75, "b > 0.5": 0.25}),
        ("a == 0.25 and not a > b", {"a > b": -0.5}),
        ("'a' < 'b' and a < b", {"a < b": 0.5}),
    ],
)
def test_each_inequality_is_noted_with_its_least_margin(condition, noticed):
    assert margins(condition, a=0.25, b=0.75) == {"7": noticed}


def test_a_claim_without_an_inequality_notes_nothing():
    assert margins("True") == {}


@pytest.mark.parametrize("condition", ["a > b", "b < a", "a >= b", "b <= a", "a < b < 0.5"])
def test_a_claim_that_fails_still_fails(condition):
    with pytest.raises(AssertionError, match="does not support"):
        margins(condition, a=0.25, b=0.75)


def test_a_scalar_of_torch_is_compared_as_it_is():
    import torch

    assert margins("x > 1", x=torch.tensor(1.5)) == {"7": {"x > 1": 0.5}}


def test_one_with_a_gradient_is_noted_without_a_warning(recwarn):
    import torch

    always = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        noticed = margins("x > 1", x=torch.tensor(1.5, requires_grad=True))
    finally:
        torch.set_warn_always(always)
    assert noticed == {"7": {"x > 1": 0.5}}
    assert not recwarn.list


@pytest.mark.parametrize("source", ["x = 1 < 2", "%matplotlib inline", "print(claim)", "claim(1)"])
def test_other_cells_stay_as_they_are(source):
    assert noted(source, 0) == source


def test_the_widest_margins_are_those_that_moved():
    made = {"as it is": {"a < b": 0.5, "c > d": 1.0}, "no AVX": {"a < b": 0.25, "c > d": 1 + 1e-9}}
    assert widest(made) == {"a < b": (0.25, 0.5)}
    assert widest({}) == {}
