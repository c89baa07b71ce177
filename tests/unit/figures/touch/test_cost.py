"""Growing costs: numbers as a reader says them, tables that hold all of them."""

import pytest

from course_lab.figures.touch.cost import Cache, Quantity, amount, growing_costs

EXAMPLE = {
    "lengths": [64, 384, 4096],
    "quantities": [
        Quantity("operations", "", {"attention": [3e7, 3e8, 1.9e10], "GRU": [5e7, 3e8, 3.2e9]}),
        Quantity("seconds", "s", {"attention": [0.002, 0.02, None], "GRU": [0.01, 0.06, 0.7]}),
    ],
    "cache": Cache(2**30, {"eight heads": 2**18, "one head": 2**15}),
    "first": 384,
}


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (None, "s", "not measured"),
        (1_240_000, "", "1.2 million"),
        (12, "", "12"),
        (2**30, "B", "1 GiB"),
        (100 * 2**20, "B", "100 MiB"),
        (12, "B", "12 B"),
        (0.0412, "s", "41 ms"),
        (7.96e-6, "s", "8 µs"),
    ],
)
def test_a_number_is_said(value, unit, words):
    assert amount(value, unit) == words


def test_the_tables_hold_every_number():
    html = growing_costs(**EXAMPLE)._repr_html_()
    for told in ("19 billion", "3.2 billion", "not measured", "700 ms", "1 GiB", "128 MiB"):
        assert f"<td>{told}</td>" in html
