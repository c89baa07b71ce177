"""What the grader does with each homework, and what it costs: too long for the tests.

    python -m benchmarks.grading slips hw01 hw04
    python -m benchmarks.grading right hw01
    python -m benchmarks.grading zeros hw01
    python -m benchmarks.grading salts hw01 --times 100
    python -m benchmarks.grading time hw01 --times 20

`slips`: every known slip is told over the wire as in the notebook. `right`: right answers that are
written differently (tests/homework/right) are graded right. `zeros`: answers of the right
shape that look at nothing earn a point at most. `salts`: right answers pass whatever the instances.
`time`: seconds of the processor for a submission, the judge's and the worker's.
"""

import argparse
import re
import time
from collections.abc import Iterator

import torch

from course_lib.grading.assignment import HOMEWORK, Case
from course_lib.grading.judge import Judge, Outcome, Submission, cells_of
from tests.homework.answers import Slip, known_slips, right_answers

ZEROS = """
def _ignorant(function, fill):
    def blank(value):
        if isinstance(value, torch.Tensor):
            return torch.full_like(value, fill)
        if isinstance(value, dict):
            return {key: blank(part) for key, part in value.items()}
        if isinstance(value, (list, tuple, set)):
            return type(value)([blank(part) for part in value])
        return type(value)(fill) if isinstance(value, (bool, int, float)) else value
    return lambda *given, **named: blank(function(*given, **named))
"""
"""What returns the same numbers whatever it gets, with the kind and the shape of a right answer."""


def main() -> None:
    """Prints a line for each homework, and what is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("slips", "right", "zeros", "salts", "time"))
    parser.add_argument("homework", nargs="*", default=sorted(p.name for p in HOMEWORK.glob("hw*")))
    parser.add_argument("--times", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(1)
    tried = {"slips": slips, "right": right, "zeros": zeros, "salts": salts, "time": timed}[
        options.what
    ]
    for name in options.homework:
        with Judge(name) as judge:
            begun = time.process_time(), time.monotonic()
            lines = list(tried(judge, options.times))
            cpu, wall = time.process_time() - begun[0], time.monotonic() - begun[1]
            print(f"{name}: {lines.pop()} ({cpu:.1f} s of the judge, {wall:.0f} s)", flush=True)
            for line in lines:
                print(f"  {line}", flush=True)


def slips(judge: Judge, _: int = 0) -> Iterator[str]:
    """Slips that are not told in the first failing test, with the words that are known."""
    known, wrong = known_slips(judge.assignment.name), 0
    for slip in known:
        question = judge.assignment.questions[slip.question]
        notebook = judge.assignment.solution()
        code = slip.made_in(question.solution)
        notebook["cells"].append({"cell_type": "code", "source": code})
        submission = Submission(judge, cells_of(notebook, judge.assignment), "slip")
        outcomes = ((case, submission.outcome(case)) for case in question.cases)
        first = next(((c, o) for c, o in outcomes if o.status != "passed"), None)
        submission.close()
        if first is None or not _told(slip, *first):
            wrong += 1
            told = first and (first[0].name, first[1].status, first[1].message[:200])
            yield f"{slip.question} {slip.name}: want {slip.says!r}; got {told}"
    yield f"{len(known) - wrong} of {len(known)} known slips are told the same"


def _told(slip: Slip, case: Case, outcome: Outcome) -> bool:
    """Whether the slip's own words are told; or that it uses what its question forbids."""
    if outcome.message.startswith("this question forbids"):
        forbidden = outcome.message.replace(",", " ").split()[3:]
        return any(word.rpartition(".")[2] in new for word in forbidden for _, new in slip.patches)
    # A cell of otter's may begin a line earlier.
    says, told = (re.sub(r"line \d+", "line", text) for text in (slip.says, outcome.message))
    return says in told and case.hidden == slip.hidden


def right(judge: Judge, _: int = 0) -> Iterator[str]:
    """Right answers that are written differently and lose points: the first way of all, and on."""
    ways: dict[str, list[tuple[str, str]]] = {}
    for question, *way in right_answers(judge.assignment.name):
        ways.setdefault(question, []).append((way[0], way[1]))
    wrong = 0
    for number in range(max(map(len, ways.values()), default=0)):
        notebook = judge.assignment.solution()
        used = {question: each[number] for question, each in ways.items() if number < len(each)}
        notebook["cells"] += [{"cell_type": "code", "source": code} for _, code in used.values()]
        record = judge.grade(notebook, student="right")
        yield from (f"{line}; {record.reason}" for line in record.cells)
        for question in record.questions:
            failed = [test for test in question.tests if test.status != "passed"]
            wrong += bool(failed)
            for test in failed:
                way = used.get(question.name, ("the solution",))[0]
                yield f"{question.name} {way}: {test.name}: {test.status}: {test.message[:300]}"
    count = sum(map(len, ways.values()))
    yield f"{count - wrong} of {count} right answers written differently are graded right"


def zeros(judge: Judge, _: int = 0) -> Iterator[str]:
    """The points of answers that look at nothing."""
    asked = {n for q in judge.assignment.questions.values() for c in q.cases for n in c.asked}
    most = 0.0
    for fill in (0, 1, 0.5):
        notebook = judge.assignment.solution()
        # Copies, so that right answers still call each other.
        code = ZEROS + "".join(
            f"_{name} = {name}\n{name} = _ignorant(_{name}, {fill})\n" for name in sorted(asked)
        )
        notebook["cells"].append({"cell_type": "code", "source": code})
        record = judge.grade(notebook, student="zeros")
        passed = [t.name for q in record.questions for t in q.tests if t.score]
        most = max(most, record.score or 0.0)
        if (record.score or 0.0) > 1:
            yield f"all {fill}: {record.score:g} points, for {', '.join(passed)}"
    yield f"{most:g} points at most"


def salts(judge: Judge, times: int) -> Iterator[str]:
    """Tests that fail a right answer under some salt."""
    failed = 0
    for number in range(times):
        judge.salt = f"salt number {number}".encode()
        record = judge.grade(judge.assignment.solution(), student="right")
        for test in (t for q in record.questions for t in q.tests if t.status != "passed"):
            failed += 1
            yield f"salt {number}: {test.name}: {test.status}: {test.message[:200]}"
    yield f"{failed} false failures under {times} salts"


def timed(judge: Judge, times: int) -> Iterator[str]:
    """Seconds of the processor for one submission, of right answers and of empty ones."""
    for what in (judge.assignment.solution(), judge.assignment.start()):
        begun, worker = time.process_time(), 0.0
        for _ in range(times):
            worker += judge.grade(what, student="right").cpu_seconds
        mine = (time.process_time() - begun) / times
        worker /= times
        yield f"{mine + worker:.2f} s ({mine:.2f} the judge, {worker:.2f} the worker)"
    yield f"{times} submissions each"


if __name__ == "__main__":
    main()
