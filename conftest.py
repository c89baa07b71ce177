"""Teach nbval what the tag `trained` means: the numbers in a cell's output may be others.

The last digits of a sum differ from processor to processor, and training makes whole numbers of
them. So a cell whose output hangs on trained numbers carries the tag `trained`, and there words,
markup and the kinds of output are compared, but no number. Every other cell is compared exactly,
but for the coordinates in a chart, which matplotlib computes: the words of a chart are compared,
and how many shapes it has.
"""

import os
import re

import pytest

TRAINED = "trained"
_CHART = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
# Paths, other coordinates, and names that are a hash of coordinates, such as "p496ceadbbf".
_COORDINATES = re.compile(r' d="[^"]*"|\b[pm][0-9a-f]{10}\b|-?\b\d+(?:\.\d+)?(?:e-?\d+)?\b')
_LEFT_OUT = [
    # How many ticks a chart has, and where they stand, follows from its numbers.
    _CHART,
    # The weights of a network in base64; a hash or a colour.
    re.compile(r"[A-Za-z0-9+/]{60,}=*"),
    re.compile(r"(?<![\w.])(?=[a-f]*\d)[0-9a-f]{6,}(?!\w)"),
    # Numbers such as 0.5, -1e-5, 1,200, 10⁻⁵, but not within a name such as C08 or h1.
    re.compile(r"(?<!\w)(?:[-+−]?\.?\d[\d.,⁻⁰¹²³⁴-⁹]*(?:[eE][-+]?\d[\d.,]*)?)+"),
    # Space, but between two words: a sign or another digit moves the columns of a table, and
    # where a number is very small its place may be empty.
    re.compile(r"(?<!\w)(?:\s|&nbsp;)+|(?:\s|&nbsp;)+(?!\w)"),
]


def without_numbers(text: str) -> str:
    """The text without numbers, hashes and charts, and without the space around them."""
    for pattern in _LEFT_OUT:
        text = pattern.sub("", text)
    return text


def pytest_configure(config: pytest.Config) -> None:
    """Change how nbval compares outputs, if it is on."""
    if not (config.getoption("nbval", False) or config.getoption("nbval_lax", False)):
        return
    from nbval.plugin import IPyNbCell

    sanitize, compare_outputs = IPyNbCell.sanitize, IPyNbCell.compare_outputs

    def sanitize_trained(self, text):
        text = sanitize(self, text)
        # A GPU sums in another order, in every cell.
        on_cpu = os.environ.get("COURSE_DEVICE", "cpu") == "cpu"
        is_trained = not on_cpu or TRAINED in self.cell.metadata.get("tags", [])
        if not isinstance(text, str):
            return text
        if is_trained:
            return without_numbers(text)
        return _CHART.sub(lambda chart: _COORDINATES.sub("", chart[0]), text)

    def compare_kinds_too(self, test, ref, skip_compare=None):
        # nbval alone does not see that a printed line and a table have changed places.
        skipped = [key for key in self.parent.skip_compare if key != "output_type"]
        return compare_outputs(self, test, ref, skip_compare or skipped)

    IPyNbCell.sanitize, IPyNbCell.compare_outputs = sanitize_trained, compare_kinds_too
