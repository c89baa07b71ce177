"""`make test`: all gates, each to its end, then one table. What passed before is not run again.

What passed on this machine is stamped in `_build/stamps`, which is no part of the repository: with
the hash of its inputs, when, how many tests, and what was skipped. A machine of continuous
integration (it sets CI) neither reads nor writes stamps.
"""

import importlib
import json
import os
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple

from tools import book
from tools.gates import inputs
from tools.gates.result import Result
from tools.inputs import code
from tools.inputs.files import one_moment
from tools.project import BUILD, ROOT, say, shown

SLOWEST = 8


class Gate(NamedTuple):
    """A gate of the project.

    Attributes:
        name: for the command line, the table and the log.
        meaning: the sentence that stands beside it.
        decide: takes the project and, of a gate with parts, those that are to be run.
        inputs: what each part is decided from, as a hash; without it the gate is always run.
        parts: whether it answers part by part.
        holds: whether what the gate made is still there.
        begin: starts, where it must, what can be done beside the gates before it.
    """

    name: str
    meaning: str
    decide: Callable[..., Result]
    inputs: Callable[[Path], Mapping[str, str]] | None = None
    parts: bool = False
    holds: Callable[[Path], bool] = lambda root: True
    begin: Callable[[Path], Popen[bytes] | None] = lambda root: None


def later(place: str) -> Callable[..., Result]:
    """A function of a module that is imported when it is needed: most gates are often unchanged."""
    module, name = place.split(".")
    return lambda *given: getattr(importlib.import_module(f"tools.gates.{module}"), name)(*given)


# The quick ones first; those that need both cores and minutes last.
GATES = (
    Gate("lint", "ruff, on library, tests, tools and notebook code", later("lint.ruff"),
         inputs.everything),
    Gate("imports", "who may import whom", later("lint.imports"), inputs.of_imports),
    Gate("text", "text, notebook and table of contents agree", later("suites.text"),
         inputs.of_chapters),
    Gate("stored", "notebooks are executed, fresh and clean", later("pairs.stored_state"),
         inputs.of_chapters),
    Gate("claims", "the claims ledger says what the notebooks say", later("pairs.claims"),
         inputs.of_chapters),
    Gate("shaken", "tolerances and stored numbers against what was measured",
         later("shaken.shaken"), inputs.of_chapters),
    Gate("tests", "unit, property, parity and gate tests", later("suites.library"),
         inputs.of_tests),
    Gate("homework", "students' folders, right answers and known-wrong ones",
         later("suites.homework"), inputs.of_homework),
    Gate("outside", "the wheel away from the checkout", later("suites.outside"),
         inputs.of_outside),
    Gate("book", "the book builds and needs no network", later("pages.pages"), inputs.of_book,
         holds=book.is_built, begin=book.begin),
    Gate("browser", "the book in a sealed browser", later("suites.browser"), inputs.of_browser,
         parts=True),
    Gate("notebooks", "every notebook again, outputs compared", later("suites.validate"),
         inputs.of_notebooks, parts=True),
    Gate("real-data", "the same path on real sentences", later("suites.real_data"),
         inputs.of_real_data),
)  # fmt: skip


class Stamp(NamedTuple):
    """One part that passed: the hash of its inputs, when, its tests, and what was skipped."""

    inputs: str
    since: str
    tests: int
    skips: Sequence[str]


class Outcome(NamedTuple):
    """A gate, its result, the seconds it took, and what did not have to be run again."""

    gate: Gate
    result: Result
    seconds: float
    kept: Mapping[str, Stamp]


def run(gates: Sequence[Gate] = GATES, root: Path = ROOT, *, again: bool = False) -> bool:
    """Run the gates, print the table, write the reports; True if all passed.

    Args:
        gates: which, in order.
        root: the project.
        again: run what passed before, too.
    """
    folder = root / BUILD.name / "test"
    folder.mkdir(parents=True, exist_ok=True)
    code.recall(_stamps(root, "parsed"))
    outcomes = []
    # Where everything is run, all cores have enough to do.
    begun = {} if again or not _stamps_count() else {gate.name: gate.begin(root) for gate in gates}
    for gate in gates:
        start = time.monotonic()
        if beside := begun.get(gate.name):
            beside.wait()
        result, kept = _decide(gate, root, again)
        outcomes.append(Outcome(gate, result, time.monotonic() - start, kept))
        (folder / f"{gate.name}.log").write_text(result.output, encoding="utf-8")
        if not result.passed:
            say(f"\n--- {gate.name} failed ---\n{result.output.rstrip()}\n---\n")
    code.keep(_stamps(root, "parsed"))
    _summarise(outcomes, folder, root)
    return all(outcome.result.passed for outcome in outcomes)


def _decide(gate: Gate, root: Path, again: bool) -> tuple[Result, Mapping[str, Stamp]]:
    """Run what is not stamped. A defect in one gate must not hide the others."""
    stamped = bool(gate.inputs) and _stamps_count()
    try:
        wanted = _inputs(gate, root) if stamped else {}
        known = {} if again or not gate.holds(root) else _read(_stamps(root, gate.name))
        kept = {p: known[p] for p in wanted if p in known and known[p].inputs == wanted[p]}
        if wanted and len(kept) == len(wanted):
            skips = tuple(sorted({why for stamp in kept.values() for why in stamp.skips}))
            return Result(True, note=_since(kept), tests=0, skips=skips), kept
        say(f"{gate.name:10} {gate.meaning} ...")
        todo = [part for part in wanted if part not in kept] or None
        result = gate.decide(root, todo) if gate.parts else gate.decide(root)
        if stamped:
            _record(gate, root, wanted, result, kept)
        return result, kept
    except Exception:
        return Result(False, traceback.format_exc(), "the gate itself broke", failures=1), {}


def _stamps_count() -> bool:
    return os.environ.get("CI", "").lower() in ("", "0", "false")


def _inputs(gate: Gate, root: Path) -> Mapping[str, str]:
    with one_moment():
        return gate.inputs(root)


def _record(
    gate: Gate, root: Path, before: Mapping[str, str], result: Result, kept: Mapping[str, Stamp]
) -> None:
    """Stamp what passed, unless its inputs changed while it ran; what failed loses its stamp."""
    passed = result.parts
    if passed is None:
        passed = dict.fromkeys(before, result.tests) if result.passed else {}
    now, after = datetime.now().strftime("%Y-%m-%d %H:%M"), _inputs(gate, root)
    new = {p: Stamp(before[p], now, tests, result.skips) for p, tests in passed.items()}
    held = {p: stamp for p, stamp in {**kept, **new}.items() if after.get(p) == before.get(p)}
    path = _stamps(root, gate.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(held, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _stamps(root: Path, name: str) -> Path:
    return root / BUILD.name / "stamps" / f"{name}.json"


def _read(path: Path) -> dict[str, Stamp]:
    """None at all where the file is absent or was spoiled: then everything is run."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return {p: Stamp(str(a), str(b), int(c), tuple(d)) for p, (a, b, c, d) in stored.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _since(kept: Mapping[str, Stamp]) -> str:
    return f"unchanged since {max(stamp.since for stamp in kept.values())}"


def _summarise(outcomes: Sequence[Outcome], folder: Path, root: Path) -> None:
    say()
    for gate, result, seconds, kept in outcomes:
        word = "passed" if result.passed else "FAILED"
        say(f"{gate.name:10} {word}  {seconds:6.1f} s  {_note(result, kept)}")
    for gate, result, *_ in outcomes:
        for reason in result.skips:
            say(f"skipped in {gate.name}: {reason}")
    slow = sorted((one for outcome in outcomes for one in outcome.result.slow), reverse=True)
    if slow:
        say("\nWhat took longest:")
    for seconds, name in slow[:SLOWEST]:
        say(f"{seconds:8.1f} s  {name}")
    (folder / "summary.json").write_text(
        json.dumps([_told(outcome) for outcome in outcomes], indent=1) + "\n", encoding="utf-8"
    )
    say(f"\n{counts(outcomes)}")
    failed = [outcome.gate.name for outcome in outcomes if not outcome.result.passed]
    verdict = f"Failed: {', '.join(failed)}." if failed else "All gates passed."
    say(f"{verdict} Results: {shown(folder, root)} (summary.json, a log and a report per gate)")


def _note(result: Result, kept: Mapping[str, Stamp]) -> str:
    """What the gate says, and how many of its parts did not have to say it again."""
    if not kept or result.note.startswith("unchanged"):
        return result.note
    return f"{result.note}; {len(kept)} parts {_since(kept)}"


def _told(outcome: Outcome) -> dict[str, object]:
    return {
        "gate": outcome.gate.name,
        "passed": outcome.result.passed,
        "seconds": round(outcome.seconds, 1),
        "note": _note(outcome.result, outcome.kept),
        "skips": list(outcome.result.skips),
        "unchanged": {part: stamp.since for part, stamp in outcome.kept.items()},
    }


def counts(outcomes: Sequence[Outcome]) -> str:
    """One line in pytest's own form over all gates; a gate without single tests counts as one.

    Tests that stand behind a stamp are counted apart: they did not run now.
    """
    failures = sum(outcome.result.failures for outcome in outcomes)
    skipped = sum(outcome.result.skipped for outcome in outcomes)
    passed = sum(outcome.result.tests for outcome in outcomes) - failures - skipped
    kept = sum(stamp.tests for outcome in outcomes for stamp in outcome.kept.values())
    parts = [f"{failures} failed"] if failures else []
    parts += [f"{passed} passed"] + ([f"{skipped} skipped"] if skipped else [])
    parts += [f"{kept} unchanged"] if kept else []
    seconds = sum(outcome.seconds for outcome in outcomes)
    return f"==== {', '.join(parts)} in {seconds:.2f}s ===="
