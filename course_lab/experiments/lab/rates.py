"""Learning rates: when one of a ladder may be called the best, and the command that finds it.

An experiment of several variants has two stored files: one with the loss on validation pairs at
neighbouring learning rates, and one with what each variant does on the test pairs, seed by seed.
"""

import argparse
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from course_lab.experiments.lab.records import add_choice, selected, write_records


class Trial(NamedTuple):
    """One training run: which variant, which first weights, at which learning rate."""

    variant: str
    seed: int
    learning_rate: float


class Files(NamedTuple):
    """Where the results of an experiment go.

    Attributes:
        tuning: one record a variant and learning rate, on validation pairs.
        judged: one record a variant and seed, on test pairs.
    """

    tuning: Path
    judged: Path


def neighbourhood(ladder: Sequence[float], chosen: float) -> tuple[float, ...]:
    """A rate with its neighbours: what it has to be compared with.

    Args:
        ladder: the rates in question, rising.
        chosen: one of them, at neither end: beyond an end there might be a better one.

    Returns:
        the rate below, the chosen one, the rate above.

    Raises:
        ValueError: the rate is not on the ladder, or at an end of it.
    """
    place = list(ladder).index(chosen)
    if not 0 < place < len(ladder) - 1:
        raise ValueError(f"{chosen:g} is at an end of {list(ladder)}; make the ladder longer")
    return tuple(ladder[place - 1 : place + 2])


def planned(rates: Mapping[str, float], names: Sequence[str], seeds: Sequence[int]) -> list[Trial]:
    """Every variant with every seed, at its own learning rate."""
    return [Trial(name, seed, rates[name]) for seed in seeds for name in names]


def to_compare(
    rates: Mapping[str, float],
    ladder: Sequence[float],
    seed: int,
    *,
    twins: Collection[str] = (),
    only: Sequence[str] = (),
) -> list[Trial]:
    """The runs by which rates are compared: each variant at its own rate and at the two beside it.

    Whoever asks for a rate may have any of the ladder. A stored file has some that were tried
    while another rate was the choice, and what is stored can be made again.

    Args:
        rates: the chosen one of each variant.
        ladder: the rates in question.
        seed: of all the runs.
        twins: variants that have the rate of another.
        only: what the command was asked for, such as "learning_rate=0.01".
    """
    asked = any(choice.startswith("learning_rate=") for choice in only)
    return [
        Trial(name, seed, rate)
        for name, chosen in rates.items()
        if name not in twins
        for rate in (ladder if asked else neighbourhood(ladder, chosen))
    ]


def command(
    about: str,
    rates: Mapping[str, float],
    ladder: Sequence[float],
    seeds: Sequence[int],
    *,
    tune: Callable[[Trial], dict[str, Any]],
    judge: Callable[[Trial], dict[str, Any]],
    files: Files,
    twins: Collection[str] = (),
    arguments: Sequence[str] | None = None,
) -> None:
    """The command line of such an experiment; other runs in a stored file are kept.

    Args:
        about: what it is, for `--help`.
        rates: the chosen learning rate of each variant.
        ladder: the learning rates in question.
        seeds: of the runs on test pairs; the first is that of the comparison of rates.
        tune: makes a run and says what its entry on validation pairs is.
        judge: the same on test pairs.
        files: where the entries go.
        twins: variants that differ from another in how long they train; they keep its rate, so
            that no rates are compared for them.
        arguments: in place of those of the command line.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--tune", action="store_true", help="compare learning rates instead")
    parser.add_argument("--file", type=Path, help="where the results go")
    add_choice(parser)
    chosen = parser.parse_args(arguments)
    if chosen.tune:
        runs = to_compare(rates, ladder, seeds[0], twins=twins, only=chosen.only)
        runs, file = selected(parser, runs, chosen.only), chosen.file or files.tuning
        write_records(tune, runs, file, ("variant", "learning_rate"))
    else:
        runs = selected(parser, planned(rates, list(rates), seeds), chosen.only)
        write_records(judge, runs, chosen.file or files.judged, ("variant", "seed"))
