"""Powers of ten: as a reader sees them, and as a notebook compares them."""

import pytest

from course_lab.figures.still.powers import PowersTable, power
from course_lab.figures.still.table import Column
from tools.notebooks.tolerance import Tolerance, agrees


@pytest.mark.parametrize(
    ("norm", "text"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (0.996, "1"),
        (0.0994, "10⁻¹"),
        (0.1, "0.1"),
        (9.94, "9.9"),
        (9.96, "10¹"),
        (0.00096, "10⁻³"),
        (2.4e-12, "2·10⁻¹²"),
        (float("inf"), "∞"),
        (float("nan"), "–"),
    ],
)
def test_powers_of_ten(norm, text):
    assert power(norm) == text


def test_a_table_shows_powers_on_the_page_and_plain_numbers_as_text():
    made = PowersTable("Left", "cell", [Column("λ"), Column("left")], {"tanh": [0.5, "9e-16"]})
    assert "<td>0.50</td><td>9·10⁻¹⁶</td>" in made._repr_html_()
    text = repr(made)
    assert text.splitlines()[-1].split() == ["tanh", "0.50", "9e-16"]
    assert agrees(text, text.replace("9e-16", "7e-16"), Tolerance(relative=0.5, absolute=0.0))
    assert not agrees(text, text.replace("9e-16", "9e-15"), Tolerance(relative=0.5, absolute=0.0))
