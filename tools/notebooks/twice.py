"""A notebook twice in one kernel, as a reader does who runs all cells again.

A cell that took long is not run again, nor are those that it depends on: what it trained stays as
it is. Up to the first cell left out the outputs are the same again; after it, nobody knows where
the random numbers stand, so there a cell must only run.
"""

import copy
import time
from collections.abc import Callable, Sequence
from typing import Any

import nbformat

from tools.shake.depends import names_of

AGAIN = "again"
SLOW = 5.0
"""Seconds."""


def twice(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The code cells of a notebook, and behind them the same, marked in their metadata."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    second = copy.deepcopy(cells)
    for cell in second:
        cell["id"] = f"{cell['id']}-again"
        cell.metadata[AGAIN] = True
    return nbformat.from_dict({**notebook, "cells": [*cells, *second]})


def needed(sources: Sequence[str], last: int) -> set[int]:
    """The cell `last`, and all before it that it depends on."""
    names = [names_of(source) for source in sources[: last + 1]]
    wanted, found = set(names[last].read), {last}
    for i in range(last - 1, -1, -1):
        if names[i].made & wanted:
            wanted |= names[i].read
            found.add(i)
    return found


def run_twice(original: Callable[[Any], None]) -> Callable[[Any], None]:
    """nbval's `runtest` for such a notebook; for any other it does what it did."""

    def runtest(item: Any) -> None:
        kept = vars(item.parent).setdefault("kept", set())
        sources = [cell.source for cell in item.parent.nb.cells if cell.cell_type == "code"]
        if not item.cell.metadata.get(AGAIN):
            start = time.monotonic()
            original(item)
            if time.monotonic() - start > SLOW:
                kept |= needed(sources, item.cell_num)
            return
        number = item.cell_num - len(sources) // 2
        if number in kept:
            return
        if kept and min(kept) < number:
            item.options["check"] = False
        original(item)

    return runtest
