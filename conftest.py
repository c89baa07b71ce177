"""Teach nbval that a number may differ in its last digits, and to run a notebook twice.

tools/notebooks/tolerance.py says how far, tools/notebooks/twice.py which cells.

nbval itself compares outputs letter by letter, which no other processor would pass. Here each
new text that agrees with the stored one is replaced by it before nbval compares; all else,
including how a difference is reported, stays nbval's.
"""

from copy import deepcopy

import pytest

from tools.notebooks.deviation import note
from tools.notebooks.tolerance import Tolerance, agrees, from_environment

DRAWN = "image/svg+xml"


def pytest_configure(config: pytest.Config) -> None:
    """Put the comparison in place where notebooks are validated."""
    if config.getoption("nbval", False) or config.getoption("nbval_lax", False):
        from nbval.plugin import IPyNbCell

        from tools.notebooks.twice import run_twice

        IPyNbCell.compare_outputs = _with_tolerance(IPyNbCell.compare_outputs)
        IPyNbCell.runtest = run_twice(IPyNbCell.runtest)


def _with_tolerance(original):
    def compare_outputs(self, test, ref, skip_compare=None):
        tolerance = from_environment().widened(self.cell.metadata.get("tolerance"))
        new = deepcopy(test)
        for output, stored in zip(new, ref, strict=False):
            _adopt(self, output, stored, ("text", "evalue"), tolerance)
            data, stored_data = output.get("data", {}), stored.get("data", {})
            texts = [kind for kind in data if kind.startswith("text/")]
            _adopt(self, data, stored_data, texts, tolerance)
            # A picture, like a PNG, which nbval leaves out by itself: the seal sees a change.
            if DRAWN in data and DRAWN in stored_data:
                data[DRAWN] = stored_data[DRAWN]
        return original(self, new, ref, skip_compare)

    return compare_outputs


def _adopt(cell, output, stored, keys, tolerance: Tolerance) -> None:
    for key in keys:
        if key not in output or key not in stored:
            continue
        said, now = cell.sanitize(stored[key]), cell.sanitize(output[key])
        near = agrees(said, now, tolerance)
        note(cell.parent.path.stem, cell.cell_num, said, now, near)
        if near:
            output[key] = stored[key]
