"""A notebook twice in one kernel, as a reader does who runs all cells again.

The second time the outputs must be the same, and it ends after `BUDGET` seconds, before a cell
that took longer than what is left of them: to train everything twice would double the gate.
"""

import copy
import time
from collections.abc import Callable
from typing import Any

import nbformat

BUDGET = 30.0
_AGAIN = "again"


def twice(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The code cells of a notebook, and behind them the same, marked in their metadata."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    second = copy.deepcopy(cells)
    for cell in second:
        cell["id"] = f"{cell['id']}-again"
        cell.metadata[_AGAIN] = True
    return nbformat.from_dict({**notebook, "cells": [*cells, *second]})


def run_twice(original: Callable[[Any], None], budget: float = BUDGET) -> Callable[[Any], None]:
    """nbval's `runtest` for such a notebook; for any other it does what it did."""

    def runtest(item: Any) -> None:
        took = vars(item.parent).setdefault("took", [])
        again = item.cell.metadata.get(_AGAIN)
        if again:
            half = len(item.parent.nb.cells) // 2
            spent, next_one = sum(took[half:]), took[item.cell_num - half]
            if len(took) < item.cell_num or spent + next_one > budget:
                return
        start = time.monotonic()
        try:
            original(item)
        finally:
            took.append(time.monotonic() - start)

    return runtest
