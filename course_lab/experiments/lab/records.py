"""Results of many runs in one file, which is whole after each of them."""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from course_lab.experiments.lab.world import side_by_side
from course_lib.files import atomic_write

Trial = TypeVar("Trial")


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Gives a command `--only FIELD=VALUE ...`, by which `selected` takes few of its runs."""
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="FIELD=VALUE", help="make only these runs again"
    )


def selected(
    parser: argparse.ArgumentParser, runs: Sequence[Trial], only: Sequence[str]
) -> list[Trial]:
    """Those runs whose fields are so; the parser ends the program where none is.

    Args:
        parser: of the command, for its one line of error.
        runs: named tuples.
        only: such as "model=cho" and "seed=0"; none means all runs.
    """
    kept = list(runs)
    fields = getattr(kept[0], "_fields", ())
    for choice in only:
        field, _, value = choice.partition("=")
        if field not in fields or not value:
            parser.error(f"want FIELD=VALUE with a field of {', '.join(fields)}; got {choice!r}")
        kept = [run for run in kept if str(getattr(run, field)) == value]
    if not kept:
        parser.error(f"no run is {' '.join(only)}")
    return kept


def write_records(
    function: Callable[[Trial], dict[str, Any]],
    runs: Sequence[Trial],
    path: Path,
    key: Sequence[str],
) -> None:
    """Makes the runs, two at a time, and writes the file anew after each.

    Args:
        function: of a module; makes one run and says what is to be kept of it.
        runs: what to run, in this order.
        path: a JSON list of records, one a line. Records of other runs stay in it.
        key: the entries that tell a record from the others; the file is sorted by them.

    Raises:
        CourseError: the file cannot be written.
    """
    old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    records = {tuple(entry[name] for name in key): entry for entry in old}
    begun = time.monotonic()
    for entry in side_by_side(function, runs):
        records[tuple(entry[name] for name in key)] = entry
        lines = ",\n  ".join(json.dumps(records[name]) for name in sorted(records))
        atomic_write(path, f"[\n  {lines}\n]\n")
        print(f"{time.monotonic() - begun:.0f} s", json.dumps(entry), flush=True)
