"""The numbers behind the figure of two ways to look, and what it refuses."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lab.figures.touch.glances import Look, Scene, estimate, glances

ALPHA, REWARD = np.array([0.5, 0.25, 0.25]), np.array([-3.0, -1.0, -3.0])


def scene(places: int = 4, looks: int = 2) -> Scene:
    ink = np.linspace(0, 1, places * 4).reshape(places, 4)
    even = np.full(places, 1 / places)
    one = Look(7, 1, even, 3, even, -np.arange(places, dtype=float), list(range(places)))
    return Scene(ink, [one] * looks)


def test_the_numbers_worked_by_hand():
    found = estimate(ALPHA, REWARD)
    assert found.exact.tolist() == [-0.25, 0.375, -0.125]
    assert found.plain == pytest.approx(3.65625)
    assert found.against == pytest.approx(0.375)


@given(
    st.lists(st.floats(-4, 4), min_size=2, max_size=6),
    st.lists(st.floats(-9, 0), min_size=6, max_size=6),
)
def test_mean_and_variance_are_those_of_all_glances(scores, rewards):
    powers = np.exp(scores)
    alpha, reward = powers / powers.sum(), np.array(rewards[: len(scores)])
    found = estimate(alpha, reward)
    for baseline, variance in ((0.0, found.plain), (alpha @ reward, found.against)):
        rows = (reward - baseline)[:, None] * (np.eye(len(alpha)) - alpha)
        np.testing.assert_allclose(alpha @ rows, found.exact, atol=1e-9)
        wanted = alpha @ ((rows - found.exact) ** 2).sum(1)
        assert variance == pytest.approx(wanted, abs=1e-8)


def test_what_the_script_is_given():
    html = glances([scene(), scene()], 2, [0.25, 0.123456789])._repr_html_()
    (data,) = re.findall(r"^startFigure\(\"[\w-]+\",\w+,(.*)\);$", html, flags=re.MULTILINE)
    told = json.loads(data)
    assert told["draws"] == [0.25, 0.12346]
    assert (told["columns"], told["side"], told["names"]) == (2, 2, ["first", "second"])
    assert told["scenes"][0]["ink"] == ["0123", "4567", "9abc", "defg"]
    assert told["scenes"][1]["looks"][0]["hard"] == [0.25] * 4
