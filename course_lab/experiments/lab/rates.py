"""Learning rates: when one of a ladder may be called the best, and the runs that find it.

An experiment of several variants has two stored files: one with the loss on validation pairs at
neighbouring learning rates, and one with what each variant does on the test pairs, seed by seed.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from course_lab.experiments.lab.experiment import Experiment


class Trial(NamedTuple):
    """One training run: which variant, which first weights, at which learning rate."""

    variant: str
    seed: int
    learning_rate: float


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


def tuning(
    about: str,
    file: Path,
    rates: Mapping[str, float],
    ladder: Sequence[float],
    seed: int,
    make: Callable[[Trial], dict[str, Any]],
    *,
    twins: Collection[str] = (),
    **more: Any,
) -> Experiment:
    """The experiment that compares learning rates: each variant's own and the two beside it.

    Any other rate of the ladder can be asked for. A stored file has some that were tried while
    another rate was the choice, and what is stored can be made again.

    Args:
        about: see `Experiment`, as `file`, `make` and what `more` names.
        rates: the chosen one of each variant.
        ladder: the rates in question, rising.
        seed: of all the runs.
        twins: variants that have the rate of another, so that none are compared for them.
    """

    def runs(every: bool = False) -> list[Trial]:
        return [
            Trial(name, seed, rate)
            for name, chosen in rates.items()
            if name not in twins
            for rate in (ladder if every else neighbourhood(ladder, chosen))
        ]

    key = ("variant", "learning_rate")
    return Experiment(about, file, runs, make, key, on_request=lambda: runs(every=True), **more)
