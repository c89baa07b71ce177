"""What a GPU found and how fast the library is: files, and the page Speed that is made of them."""

import math

import pytest

from tools import speed
from tools.notebooks import deviation
from tools.project import ROOT


@pytest.mark.parametrize(
    ("stored", "new", "off"),
    [
        ("loss 2.00 after 3", "loss 2.00 after 3", 0.0),
        ("loss 2.00 after 3", "loss 2.50 after 3", 0.2),
        ("a 1.0 b 4", "a 1.0 b 2", 0.5),
        ("nan and 1", "nan and 1", 0.0),
        ("1.0", "inf", math.inf),
        ("yes 1.0", "no 1.0", math.inf),
    ],
)
def test_a_deviation_is_relative_and_of_other_words_infinite(stored, new, off):
    assert deviation.deviation(stored, new) == pytest.approx(off)


def test_the_page_in_the_book_is_what_its_files_say():
    assert (ROOT / speed.PAGE).read_text(encoding="utf-8") == speed.page(ROOT)
