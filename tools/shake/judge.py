"""What the records of a shaking refuse: sentences for the gate, none where all is well."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from course_lib.claims import read_findings
from tools.notebooks.tolerance import Tolerance, is_integer, numbers
from tools.shake.conditions import LEAST
from tools.shake.depends import fingerprints
from tools.shake.record import Cell, Record
from tools.shake.registry import Stored
from tools.shake.spread import Spread, last_place

ROOM = 1.5
"""A tolerance has to be so many times as wide as what was measured: there are other processors."""
WIDE = 6.0
"""And no more than so many times: a tolerance that hides a change is none."""


class PrintedCell(NamedTuple):
    """A code cell as it stands in a notebook: its code, what its header says, what it printed."""

    name: str
    source: str
    tolerance: Mapping[str, float] | None
    ignored: bool
    texts: Sequence[str]

    @property
    def claims(self) -> list[str]:
        """The claims that it gives a verdict on, such as "C08"."""
        return [f.identifier for text in self.texts for f in read_findings(text)]


def chapter_problems(cells: Sequence[PrintedCell], record: Record | None) -> Iterator[str]:
    """All that is wrong with a chapter's tolerances and printed numbers."""
    if record is None:
        if concerned := sum(cell.tolerance is not None or bool(cell.claims) for cell in cells):
            yield (
                f"{concerned} cells carry a tolerance or give a verdict, "
                "and it was never shaken (make shake)"
            )
        return
    yield from _too_few(record, LEAST)
    known = {part.code: part for part in record.parts}
    codes = fingerprints([cell.source for cell in cells])
    for cell, code in zip(cells, codes, strict=True):
        if code in known:
            problems = _cell_problems(cell, known[code])
        elif cell.tolerance is not None:
            problems = iter(
                ["carries a tolerance and was not shaken since its code changed (make shake)"]
            )
        else:
            continue
        yield from (f"{cell.name}: {problem}" for problem in problems)


def unshaken_claims(cells: Sequence[PrintedCell], record: Record) -> Iterator[tuple[str, str]]:
    """Claims whose code is not that which was shaken, each with the name of its cell."""
    known = {*record.still, *(part.code for part in record.parts)}
    codes = fingerprints([cell.source for cell in cells])
    for cell, code in zip(cells, codes, strict=True):
        if code not in known:
            yield from ((claim, cell.name) for claim in cell.claims)


def _too_few(record: Record, least: int) -> Iterator[str]:
    if len(record.conditions) < least:
        yield f"was shaken under {len(record.conditions)} conditions, and {least} is the least"


def _cell_problems(cell: PrintedCell, shaken: Cell) -> Iterator[str]:
    for condition, error in shaken.raised.items():
        yield f"fails under {condition}: {error}"
    if cell.ignored:
        yield from (f"{_counted(spread)}, where nothing is compared" for spread in shaken.again)
        return
    for text, (low, high) in shaken.margins.items():
        # Below nothing is an inequality that need not hold, such as one of two joined by "or".
        if 0 <= low < (ROOM - 1) * (high - low):
            yield (
                f"claims that {text}, which holds by {low:.2g} to {high:.2g}: "
                f"a margin of {(ROOM - 1) * (high - low):.2g} is needed, claim less"
            )
    for condition, text in shaken.otherwise.items():
        yield f"says something else under {condition}: {text.strip()[:200]!r}"
    if shaken.raised or shaken.otherwise:
        return
    printed = numbers("\n".join(cell.texts))
    if len(printed) != len(shaken.spreads):
        yield (
            f"prints {len(printed)} numbers, and {len(shaken.spreads)} were shaken "
            "(make notebooks, make shake)"
        )
        return
    spreads = [s.with_value(p) for s, p in zip(shaken.spreads, printed, strict=True)]
    for spread in spreads:
        if spread.counted:
            yield f"{_counted(spread)}: print a share of few digits"
    for spread in shaken.again:
        yield (
            f"prints a whole number that moves, from {spread.low} to {spread.high}, where stored "
            "results are made again: print a share of few digits, or a bound with room"
        )
    if cell.tolerance is None:
        yield from _strict_problems(spreads)
    else:
        yield from _width_problems(spreads, Tolerance().widened(dict(cell.tolerance)))


def _counted(spread: Spread) -> str:
    return f"prints a count that moves, from {spread.low} to {spread.high}"


def _strict_problems(spreads: Sequence[Spread]) -> Iterator[str]:
    for spread in spreads:
        if spread.moved and not spread.counted:
            yield f"prints a number that moves, from {spread.low} to {spread.high}: no tolerance"


def _width_problems(spreads: Sequence[Spread], tolerance: Tolerance) -> Iterator[str]:
    ratios = []
    for spread in spreads:
        if is_integer(spread.low) and is_integer(spread.high):
            continue
        size = max(abs(float(spread.low)), abs(float(spread.high)))
        have, step = tolerance.at(size), last_place(spread.low)
        if spread.moved and spread.width > max(size / 2, (1 + 1e-6) * step):
            yield (
                f"prints a number that moves from {spread.low} to {spread.high}, over half of its "
                "size: assert an inequality instead, or print what stands"
            )
        if spread.moved and not have >= ROOM * spread.width:
            yield (
                f"moves from {spread.low} to {spread.high}, and the tolerance is {have:.2g}: "
                f"at least {ROOM * spread.width:.2g} is needed"
            )
        if math.isfinite(size) and max(spread.width, step):
            ratios.append((have / max(spread.width, step), spread, have))
    if ratios and min(ratios)[0] > WIDE:
        _, spread, have = min(ratios)
        yield (
            f"no number moves more than from {spread.low} to {spread.high}, and the tolerance "
            f"there is {have:.2g}: at most {WIDE * max(spread.width, last_place(spread.low)):.2g}"
        )


def experiment_problems(
    stored: Stored, entries: Sequence[Mapping[str, Any]], record: Record | None
) -> Iterator[str]:
    """All that is wrong with a stored file, against the records that were made again."""
    if record is None:
        yield "was never made again (make shake)"
        return
    yield from _too_few(record, LEAST)
    if left := stored.unmade(entries, [made.record for made in record.parts]):
        yield f"{len(left)} settings were never made again, {left[0]} among them (make shake)"
    by_key = {stored.key_of(entry): stored.numbers(entry) for entry in entries}
    apart: dict[str, float] = {}
    for made in record.parts:
        key = stored.key_of(made.record)
        if key not in by_key:
            yield f"has no record {key}, which was made again under {made.condition}"
            continue
        for name, then, now in _beside(by_key[key], stored.numbers(made.record)):
            kind = name.split()[0]
            distance = _distance(then, now)
            apart[kind] = max(apart.get(kind, 0.0), distance)
            allowed = stored.apart.get(kind, 0.0)
            if distance and not allowed >= ROOM * distance:
                yield (
                    f"{key}: {name} is {then:.4g} and came out as {now:.4g} under "
                    f"{made.condition}; {allowed:g} apart is allowed, "
                    f"and {ROOM * distance:.2g} is needed"
                )
    for kind, allowed in stored.apart.items():
        if kind not in apart:
            yield f"{kind} may be {allowed:g} apart, and none was made again"
        elif allowed > (most := WIDE * max(apart[kind], stored.step(kind))):
            yield (
                f"{kind} may be {allowed:g} apart, and came out {apart[kind]:.2g} apart at most: "
                f"at most {most:.2g}"
            )


def never_made(
    stored: Stored, entries: Sequence[Mapping[str, Any]], record: Record | None
) -> list[tuple]:
    """The keys of the records that no shaking made again; nothing holds their numbers."""
    made = {stored.key_of(part.record) for part in record.parts} if record else set()
    return [key for entry in entries if (key := stored.key_of(entry)) not in made]


def _beside(
    then: Mapping[str, float], now: Mapping[str, float]
) -> Iterator[tuple[str, float, float]]:
    for name in sorted({*then, *now}):
        yield name, then.get(name, math.nan), now.get(name, math.nan)


def _distance(then: float, now: float) -> float:
    """How far apart; what is not a number is as far as can be from all that is."""
    if math.isnan(then) or math.isnan(now):
        return 0.0 if math.isnan(then) and math.isnan(now) else math.inf
    return abs(then - now)
