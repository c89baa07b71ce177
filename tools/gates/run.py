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
from typing import NamedTuple

from tools import book
from tools.gates import inputs
from tools.gates.result import Result
from tools.inputs import code
from tools.inputs.files import one_moment
from tools.project import BUILD, ROOT, say, shown


class Gate(NamedTuple):
    """A gate of the project.

    Attributes:
        name: for the command line, the table and the log.
        meaning: the sentence that stands beside it.
        decide: takes the project and, of a gate with parts, those that are to be run. "lint.ruff"
            is a function of a module here that is imported when it is needed.
        inputs: what each part is decided from, as a hash; without it the gate is always run.
        parts: whether it answers part by part.
    """

    name: str
    meaning: str
    decide: Callable[..., Result] | str
    inputs: Callable[[Path], Mapping[str, str]] | None = None
    parts: bool = False


# The quick ones first; those that need both cores and minutes last.
_GATES = (
    Gate("lint", "ruff, on library, tests, tools and notebook code", "lint.ruff",
         inputs.everything),
    Gate("imports", "who may import whom", "lint.imports", inputs.of_imports),
    Gate("text", "text, notebook and table of contents agree", "suites.text", inputs.of_chapters),
    Gate("stored", "notebooks are executed, fresh and clean", "pairs.stored_state",
         inputs.of_chapters),
    Gate("claims", "the claims ledger says what the notebooks say", "pairs.claims",
         inputs.of_chapters),
    Gate("shaken", "tolerances and stored numbers against what was measured", "shaken.shaken",
         inputs.of_chapters),
    Gate("tests", "unit, property, parity and gate tests", "suites.library", inputs.of_tests),
    Gate("homework", "students' folders, right answers and known-wrong ones", "suites.homework",
         inputs.of_homework),
    Gate("outside", "the wheel away from the checkout", "suites.outside", inputs.of_outside),
    Gate("book", "the book builds and needs no network", "pages.pages", inputs.of_book),
    Gate("browser", "the book in a sealed browser", "suites.browser", inputs.of_browser, True),
    Gate("notebooks", "every notebook again, outputs compared", "suites.validate",
         inputs.of_notebooks, True),
    Gate("real-data", "the same path on real sentences", "suites.real_data", inputs.of_real_data),
)  # fmt: skip
GATES = {gate.name: gate for gate in _GATES}


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

    @property
    def note(self) -> str:
        """What the gate says, and how many of its parts did not have to say it again."""
        if not self.kept or self.result.note.startswith("unchanged"):
            return self.result.note
        return f"{self.result.note}; {len(self.kept)} parts {_since(self.kept)}"


def run(gates: Sequence[Gate], root: Path = ROOT, *, again: bool = False) -> bool:
    """Run the gates, print the table, write the reports; True if all passed.

    Args:
        gates: which, in order.
        root: the project.
        again: run what passed before, too.
    """
    folder = root / BUILD.name / "test"
    folder.mkdir(parents=True, exist_ok=True)
    code.recall(_stamps(root, "parsed"))
    # Where everything is run, all cores have enough to do.
    early = GATES["book"] in gates and not again and _stamps_count()
    beside = book.begin(root) if early else None
    outcomes = []
    for gate in gates:
        start = time.monotonic()
        if beside and gate.name == "book":
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
        again = again or (gate == GATES["book"] and not book.is_built(root))
        known = {} if again else _read(_stamps(root, gate.name))
        kept = {p: known[p] for p in wanted if p in known and known[p].inputs == wanted[p]}
        if wanted and len(kept) == len(wanted):
            skips = tuple(sorted({why for stamp in kept.values() for why in stamp.skips}))
            return Result(True, note=_since(kept), tests=0, skips=skips), kept
        say(f"{gate.name:10} {gate.meaning} ...")
        decide = gate.decide
        if isinstance(decide, str):
            module, name = decide.split(".")
            decide = getattr(importlib.import_module(f"tools.gates.{module}"), name)
        todo = [part for part in wanted if part not in kept] or None
        result = decide(root, todo) if gate.parts else decide(root)
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
    for one in outcomes:
        word = "passed" if one.result.passed else "FAILED"
        say(f"{one.gate.name:10} {word}  {one.seconds:6.1f} s  {one.note}")
    for one in outcomes:
        for reason in one.result.skips:
            say(f"skipped in {one.gate.name}: {reason}")
    told = [
        {
            "gate": one.gate.name,
            "passed": one.result.passed,
            "seconds": round(one.seconds, 1),
            "note": one.note,
            "skips": list(one.result.skips),
        }
        for one in outcomes
    ]
    (folder / "summary.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    # One line in pytest's own form; a gate without single tests counts as one, and tests that
    # stand behind a stamp are counted apart: they did not run now.
    failed = sum(one.result.failures for one in outcomes)
    skipped = sum(one.result.skipped for one in outcomes)
    passed = sum(one.result.tests for one in outcomes) - failed - skipped
    kept = sum(stamp.tests for one in outcomes for stamp in one.kept.values())
    counts = {"failed": failed, "passed": passed, "skipped": skipped, "unchanged": kept}
    parts = [f"{number} {word}" for word, number in counts.items() if number or word == "passed"]
    say(f"\n==== {', '.join(parts)} in {sum(one.seconds for one in outcomes):.2f}s ====")
    names = [one.gate.name for one in outcomes if not one.result.passed]
    verdict = f"Failed: {', '.join(names)}." if names else "All gates passed."
    say(f"{verdict} Results: {shown(folder, root)} (summary.json, a log and a report per gate)")
