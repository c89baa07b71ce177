"""`make test`: all gates, each to its end, then one table."""

import json
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tools.gates import lint, pages, pairs, shaken, suites
from tools.gates.result import Result
from tools.project import BUILD, ROOT, say, shown


class Gate(NamedTuple):
    """A name, the sentence that stands beside it, and the function that decides."""

    name: str
    meaning: str
    decide: Callable[[Path], Result]


# The quick ones first; those that need both cores and minutes last.
GATES = (
    Gate("lint", "ruff, on library, tests, tools and notebook code", lint.ruff),
    Gate("imports", "who may import whom", lint.imports),
    Gate("text", "text and notebook agree", pairs.agreement),
    Gate("stored", "notebooks are executed, fresh and clean", pairs.stored_state),
    Gate("claims", "the claims ledger says what the notebooks say", pairs.claims),
    Gate("shaken", "tolerances and stored numbers against what was measured", shaken.shaken),
    Gate("tests", "unit, property, parity and gate tests", suites.library),
    Gate("homework", "students' folders, right answers and known-wrong ones", suites.homework),
    Gate("book", "the book builds and needs no network", pages.pages),
    Gate("browser", "the book in a sealed browser", suites.browser),
    Gate("notebooks", "every notebook again, outputs compared", suites.validate),
    Gate("real-data", "the same path on real sentences", suites.real_data),
)


class Outcome(NamedTuple):
    """A gate, its result and the seconds it took."""

    gate: Gate
    result: Result
    seconds: float


def run(gates: Sequence[Gate] = GATES, root: Path = ROOT) -> bool:
    """Run the gates, print the table, write the reports; True if all passed."""
    folder = root / BUILD.name / "test"
    folder.mkdir(parents=True, exist_ok=True)
    outcomes = []
    for gate in gates:
        say(f"{gate.name:10} {gate.meaning} ...")
        start = time.monotonic()
        result = _decide(gate, root)
        outcome = Outcome(gate, result, time.monotonic() - start)
        (folder / f"{gate.name}.log").write_text(result.output, encoding="utf-8")
        if not result.passed:
            say(f"\n--- {gate.name} failed ---\n{result.output.rstrip()}\n---\n")
        outcomes.append(outcome)
    _summarise(outcomes, folder, root)
    return all(outcome.result.passed for outcome in outcomes)


def _decide(gate: Gate, root: Path) -> Result:
    """A defect in one gate must not hide the others."""
    try:
        return gate.decide(root)
    except Exception:
        return Result(False, traceback.format_exc(), "the gate itself broke", failures=1)


def _summarise(outcomes: Sequence[Outcome], folder: Path, root: Path) -> None:
    say()
    for gate, result, seconds in outcomes:
        word = "passed" if result.passed else "FAILED"
        say(f"{gate.name:10} {word}  {seconds:6.1f} s  {result.note}")
    for gate, result, _ in outcomes:
        for reason in result.skips:
            say(f"skipped in {gate.name}: {reason}")
    (folder / "summary.json").write_text(
        json.dumps(
            [
                {
                    "gate": gate.name,
                    "passed": result.passed,
                    "seconds": round(seconds, 1),
                    "note": result.note,
                    "skips": list(result.skips),
                }
                for gate, result, seconds in outcomes
            ],
            indent=1,
        )
        + "\n",
        encoding="utf-8",
    )
    say(f"\n{counts(outcomes)}")
    failed = [outcome.gate.name for outcome in outcomes if not outcome.result.passed]
    verdict = f"Failed: {', '.join(failed)}." if failed else "All gates passed."
    say(f"{verdict} Results: {shown(folder, root)} (summary.json, a log and a report per gate)")


def counts(outcomes: Sequence[Outcome]) -> str:
    """One line in pytest's own form over all gates; a gate without single tests counts as one."""
    failures = sum(outcome.result.failures for outcome in outcomes)
    skipped = sum(outcome.result.skipped for outcome in outcomes)
    passed = sum(outcome.result.tests for outcome in outcomes) - failures - skipped
    parts = [f"{failures} failed"] if failures else []
    parts += [f"{passed} passed"] + ([f"{skipped} skipped"] if skipped else [])
    seconds = sum(outcome.seconds for outcome in outcomes)
    return f"==== {', '.join(parts)} in {seconds:.2f}s ===="
