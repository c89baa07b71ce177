"""`make test`: all gates, each to its end, then one table. What passed before is not run again."""

import importlib
import json
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple

from tools import book
from tools.gates import inputs, stamps
from tools.gates.result import Result
from tools.inputs import code
from tools.inputs.files import one_moment
from tools.project import BUILD, ROOT, say, shown

Decide = Callable[[Path, Sequence[str] | None], Result]
SLOWEST = 8


class Gate(NamedTuple):
    """A gate of the project.

    Attributes:
        name: for the command line, the table and the log.
        meaning: the sentence that stands beside it.
        decide: takes the project and the parts that are to be run.
        inputs: what each part is decided from, as a hash; without it the gate is always run.
        holds: whether what the gate made is still there.
        begin: starts what can be done beside the gates before it, in a process of its own.
        forget: lets the gate make anew what it made before, where everything is to be run.
    """

    name: str
    meaning: str
    decide: Decide
    inputs: Callable[[Path], Mapping[str, str]] | None = None
    holds: Callable[[Path], bool] = lambda root: True
    begin: Callable[[Path], Popen[bytes] | None] | None = None
    forget: Callable[[Path], None] | None = None


def later(module: str, name: str, *, parts: bool = False) -> Decide:
    """A function of a module that is imported when it is needed: most gates are often unchanged."""

    def decide(root: Path, chosen: Sequence[str] | None) -> Result:
        function = getattr(importlib.import_module(f"tools.gates.{module}"), name)
        return function(root, chosen) if parts else function(root)

    return decide


# The quick ones first; those that need both cores and minutes last.
GATES = (
    Gate(
        "lint",
        "ruff, on library, tests, tools and notebook code",
        later("lint", "ruff"),
        inputs.everything,
    ),
    Gate("imports", "who may import whom", later("lint", "imports"), inputs.everything),
    Gate(
        "text",
        "text, notebook and table of contents agree",
        later("pairs", "agreement"),
        inputs.everything,
    ),
    Gate(
        "stored",
        "notebooks are executed, fresh and clean",
        later("pairs", "stored_state"),
        inputs.everything,
    ),
    Gate(
        "claims",
        "the claims ledger says what the notebooks say",
        later("pairs", "claims"),
        inputs.everything,
    ),
    Gate(
        "shaken",
        "tolerances and stored numbers against what was measured",
        later("shaken", "shaken"),
        inputs.everything,
    ),
    Gate(
        "tests",
        "unit, property, parity and gate tests",
        later("suites", "library", parts=True),
        inputs.of_tests,
    ),
    Gate(
        "homework",
        "students' folders, right answers and known-wrong ones",
        later("suites", "homework", parts=True),
        inputs.of_homework,
    ),
    Gate(
        "outside",
        "the wheel away from the checkout",
        later("suites", "outside", parts=True),
        inputs.of_outside,
    ),
    Gate(
        "book",
        "the book builds and needs no network",
        later("pages", "pages"),
        inputs.of_book,
        book.is_built,
        book.begin,
        book.forget,
    ),
    Gate(
        "browser",
        "the book in a sealed browser",
        later("suites", "browser", parts=True),
        inputs.of_browser,
    ),
    Gate(
        "notebooks",
        "every notebook again, outputs compared",
        later("suites", "validate", parts=True),
        inputs.of_notebooks,
    ),
    Gate(
        "real-data",
        "the same path on real sentences",
        later("suites", "real_data", parts=True),
        inputs.of_real_data,
    ),
)


class Outcome(NamedTuple):
    """A gate, its result, the seconds it took, and what did not have to be run again."""

    gate: Gate
    result: Result
    seconds: float
    kept: Mapping[str, stamps.Stamp]


def run(gates: Sequence[Gate] = GATES, root: Path = ROOT, *, again: bool = False) -> bool:
    """Run the gates, print the table, write the reports; True if all passed.

    Args:
        gates: which, in order.
        root: the project.
        again: run what passed before, too.
    """
    folder = root / BUILD.name / "test"
    folder.mkdir(parents=True, exist_ok=True)
    outcomes = []
    code.recall(_parsed(root))
    # Where everything is run, all cores have enough to do.
    few = stamps.in_use() and not again
    begun = {gate.name: _begun(gate, root) for gate in gates if gate.begin and few}
    for gate in gates:
        start = time.monotonic()
        if beside := begun.get(gate.name):
            beside.wait()
        result, kept = _decide(gate, root, again or not stamps.in_use())
        outcome = Outcome(gate, result, time.monotonic() - start, kept)
        (folder / f"{gate.name}.log").write_text(result.output, encoding="utf-8")
        if not result.passed:
            say(f"\n--- {gate.name} failed ---\n{result.output.rstrip()}\n---\n")
        outcomes.append(outcome)
    _summarise(outcomes, folder, root)
    return all(outcome.result.passed for outcome in outcomes)


def _begun(gate: Gate, root: Path) -> Popen[bytes] | None:
    """What runs beside the gates before this one; the gate itself finds and tells what is wrong."""
    try:
        return gate.begin(root)
    except Exception:
        return None


def _decide(gate: Gate, root: Path, again: bool) -> tuple[Result, Mapping[str, stamps.Stamp]]:
    """Run what is not stamped. A defect in one gate must not hide the others."""
    try:
        wanted = _inputs(gate, root)
        if again and gate.forget:
            gate.forget(root)
        all_anew = again or not gate.holds(root)
        kept = {} if all_anew else stamps.unchanged(root, gate.name, wanted)
        if wanted and len(kept) == len(wanted):
            return Result(True, note=_since(kept), tests=0), kept
        say(f"{gate.name:10} {gate.meaning} ...")
        todo = [part for part in wanted if part not in kept]
        code.keep(_parsed(root))
        # Only what was asked for by name can be stamped by name.
        stamped = bool(todo) and stamps.in_use()
        result = gate.decide(root, todo if stamped else None)
        if stamped:
            _record(gate, root, wanted, result, kept)
        return result, kept
    except Exception:
        return Result(False, traceback.format_exc(), "the gate itself broke", failures=1), {}


def _inputs(gate: Gate, root: Path) -> Mapping[str, str]:
    with one_moment():
        return gate.inputs(root) if gate.inputs else {}


def _parsed(root: Path) -> Path:
    return root / BUILD.name / "stamps" / "parsed.json"


def _record(
    gate: Gate,
    root: Path,
    before: Mapping[str, str],
    result: Result,
    kept: Mapping[str, stamps.Stamp],
) -> None:
    """Stamp what passed, unless its inputs changed while it ran."""
    parts = result.parts
    if parts is None:
        good = result.passed and not result.skips
        parts = dict.fromkeys(before, result.tests) if good else {}
    after = _inputs(gate, root)
    passed = {part: stamp.tests for part, stamp in kept.items()} | dict(parts)
    held = {p: n for p, n in passed.items() if p in before and after.get(p) == before[p]}
    stamps.record(root, gate.name, before, held)


def _since(kept: Mapping[str, stamps.Stamp]) -> str:
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


def _note(result: Result, kept: Mapping[str, stamps.Stamp]) -> str:
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
