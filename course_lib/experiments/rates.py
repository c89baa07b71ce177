"""Learning rates: when one of a ladder may be called the best."""

from collections.abc import Sequence


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
