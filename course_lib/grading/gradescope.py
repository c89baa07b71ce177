"""Grading inside Gradescope's containers: the archive that builds one, and what it answers."""

import json
import secrets
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from course_lib.errors import CourseError, escaped
from course_lib.files import atomic_path, atomic_write
from course_lib.grading import report
from course_lib.grading.assignment import load
from course_lib.grading.collect import collect_one
from course_lib.grading.plan import Plan
from course_lib.grading.processes import alone
from course_lib.grading.record import ERROR, REFUSED, Record

ROOT = Path(__file__).parents[2]

# The student's code runs as another user than the grader: that user may neither read the tests nor
# write the results.
_SETUP = """\
#!/usr/bin/env bash
set -euo pipefail
apt-get update
apt-get install -y python3-venv
python3 -m venv /autograder/env
/autograder/env/bin/pip install -c /autograder/source/requirements.txt \\
    /autograder/source ipython nbformat
chmod -R go= /autograder/source
"""
_RUN = """\
#!/usr/bin/env bash
set -euo pipefail
chmod -R go= /autograder/source /autograder/submission /autograder/results
cd /
exec /autograder/env/bin/python -m course_lib.grading gradescope {name} \\
    --submission /autograder/submission --results /autograder/results/results.json \\
    --homework /autograder/source/homework --variant {variant} --salt-file /autograder/source/salt
"""


def write_archive(
    name: str, out: Path, homework: Path, variant: str, salt: bytes | None = None
) -> None:
    """Write what Gradescope calls an autograder: this package, one homework and a salt.

    Args:
        name: the homework's full name.
        out: the archive.
        homework: the folder of the sources.
        variant: which the students have.
        salt: draws the tests' instances; None makes one.

    Raises:
        CourseError: this is no checkout, or the file cannot be written.
    """
    if not (ROOT / "requirements.txt").is_file():
        raise CourseError(f"want a checkout of the course, whose requirements.txt pins; got {ROOT}")
    texts = {"setup.sh": _SETUP, "run_autograder": _RUN.format(name=name, variant=variant)}
    files = [ROOT / each for each in ("pyproject.toml", "README.md", "requirements.txt")]
    for package in ("course_lib", "course_lab"):
        files += [path for path in sorted((ROOT / package).rglob("*")) if _belongs(path)]
    with (
        atomic_path(out) as temporary,
        zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for file, text in texts.items():
            _add(archive, file, text.encode(), 0o755)
        for path in files:
            _add(archive, path.relative_to(ROOT).as_posix(), path.read_bytes())
        for path in sorted((homework / name).glob("*")):
            if path.is_file():
                _add(archive, f"homework/{name}/{path.name}", path.read_bytes(), 0o600)
        _add(archive, "salt", salt or secrets.token_bytes(32), 0o600)
        temporary.chmod(0o600)


def grade(plan: Plan, salt: bytes, make: Callable[..., Any]) -> Record:
    """The record of the one submission in the plan's folder.

    Args:
        plan: what is graded.
        salt: draws the tests' instances.
        make: makes a judge of plan, salt and questions.

    Raises:
        CourseError: no judge can be made here.
    """
    submission = collect_one(Path(plan.submissions), plan.assignment)
    if submission.notebook is None:
        questions = load(plan.assignment, Path(plan.homework)).questions.values()
        return Record(
            plan.assignment,
            plan.variant,
            submission.student,
            status=REFUSED,
            reason=submission.reason,
            points=sum(question.points for question in questions),
        )
    return alone(plan, salt, make, submission)


def write_results(record: Record, path: Path) -> None:
    """Write `results.json`; none where the grader failed, which Gradescope then says itself.

    Raises:
        CourseError: the file cannot be written.
    """
    if record.status != ERROR:
        atomic_write(path, json.dumps(results(record), indent=1) + "\n")


def results(record: Record) -> dict[str, Any]:
    """What Gradescope shows: public messages at once, scores of hidden tests when published."""
    tests = []
    for question in record.questions:
        for test in question.tests:
            lines = [] if test.status == "passed" else report.told(test)
            lines.insert(0, report.ENDS.get(test.status, test.status))
            tests.append(
                {
                    "number": question.name,
                    "name": report.title(test),
                    "score": test.score,
                    "max_score": test.points,
                    "status": "passed" if test.status == "passed" else "failed",
                    "output": "\n".join(_plain(line) for line in lines),
                    "output_format": "text",
                    "name_format": "text",
                    "visibility": "visible" if test.public else "after_published",
                }
            )
    output = [report.outcome(record), *record.cells]
    return {
        "score": record.score or 0.0,
        "output": "\n".join(_plain(line) for line in output),
        "output_format": "text",
        "execution_time": round(record.seconds),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def _plain(text: str) -> str:
    return "\n".join(escaped(line) for line in text.split("\n"))


def _belongs(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts


def _add(archive: zipfile.ZipFile, name: str, content: bytes, mode: int = 0o644) -> None:
    """With no time in it: the same content gives the same archive."""
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.external_attr = mode << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)
