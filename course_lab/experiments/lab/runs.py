"""The command of an experiment whose runs need nothing tuned: all of them, or those asked for."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from course_lab.experiments.lab.records import add_choice, selected, write_records

Run = TypeVar("Run")


def make_runs(
    about: str,
    runs: Sequence[Run],
    judge: Callable[[Run], dict[str, Any]],
    stored: Path,
    arguments: Sequence[str] | None = None,
    *,
    key: tuple[str, ...] = ("variant", "seed"),
) -> None:
    """Makes the runs, two at a time; after each, the file is written anew.

    Args:
        about: what it is, for `--help`.
        runs: every run of the experiment.
        judge: of a module; makes a run and says what is to be kept of it.
        stored: where the results go, unless `--file` names another.
        arguments: in place of those of the command line.
        key: the names of what tells one record from another; a run made again takes the place
            of the record that has them in common with it.
    """
    parser = argparse.ArgumentParser(description=about, allow_abbrev=False)
    parser.add_argument("--file", type=Path, default=stored, help="where the results go")
    add_choice(parser)
    chosen = parser.parse_args(arguments)
    write_records(judge, selected(parser, runs, chosen.only), chosen.file, key)
