"""The grader's command line: `python -m course_grader grade DIR`.

It returns 0; 2 for a mistake of the person who grades, in one line; 3 if the grader itself failed
on a submission; 130 after Ctrl-C, when `--resume` goes on.
"""

import argparse
import json
import secrets
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from course_grader import GraderError, gradescope, report
from course_grader.assignment import SOURCES, load
from course_grader.collect import Submission, collect, collect_one, homeworks_named
from course_grader.jail import LIMITS, choose
from course_grader.judge import Judge
from course_grader.run import ERROR, Record, grade, grade_one, read_records, salt_of
from course_grader.variants import PUBLIC


def make_parser() -> argparse.ArgumentParser:
    """Return the parser with all its commands."""
    parser = argparse.ArgumentParser(
        prog="python -m course_grader", description="Grades homework, whose code is not trusted."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser("grade", help="grade a folder; write RUN/report.html, RUN/grades.csv")
    one.add_argument("submissions", type=Path, metavar="DIR", help="a file or folder a student")
    one.add_argument("--out", type=Path, metavar="RUN", help="of the results (default: DIR-graded)")
    one.add_argument("--assignment", help="such as hw04 (default: what the notebooks name)")
    one.add_argument("--resume", action="store_true", help="grade what is new or changed")
    one.add_argument("--jobs", type=int, default=1, help="submissions at once (default 1)")
    _judging(one)
    one = commands.add_parser("check", help="grade one notebook; show everything, hidden tests too")
    one.add_argument("file", type=Path)
    one.add_argument("--assignment", help="such as hw04 (default: what the notebook names)")
    one.add_argument("--results", type=Path, default=Path(), help="write what Gradescope reads")
    _judging(one)
    for name, text in (("report", "write RUN/report.html again"), ("csv", "print the scores")):
        commands.add_parser(name, help=text).add_argument("run", type=Path, metavar="RUN")
    one = commands.add_parser("gradescope", help="write NAME.zip for Gradescope")
    one.add_argument("assignment", help="such as hw04")
    _judging(one)
    return parser


def _judging(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--sources", type=Path, default=SOURCES, metavar="DIR", help="homework of your own")
    add("--variant", default=PUBLIC, help="a private variant, such as v3")
    add("--salt-file", type=Path, metavar="KEY", help="secret bytes that draw the hidden tests")
    add("--image", default="", help="run kernels in this container image, not in bubblewrap")
    add("--allow-weak", action="store_true", help="grade where there is no jail (code you trust)")
    add("--test-seconds", type=float, default=LIMITS.test, help="for a test (default 30)")
    add("--notebook-seconds", type=float, default=LIMITS.notebook, help="in all (default 180)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    options = make_parser().parse_args(arguments)
    commands = {"grade": _grade, "check": _check, "gradescope": _gradescope}
    try:
        return commands.get(options.command, _results)(options)
    except (GraderError, OSError) as error:
        print(f"error: {report.printable(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; what is graded is kept, and --resume grades the rest", file=sys.stderr)
        return 130


def _grade(options: argparse.Namespace) -> int:
    folder = options.submissions.resolve()
    run = options.out or folder.with_name(f"{folder.name}-graded")
    if any((run / "records").glob("*.json")) and not options.resume:
        raise GraderError(f"{run} has records; add --resume to go on, or name another --out")
    judge = _judge(options, options.assignment or _named(collect(folder)), folder, run)
    judge.salt = salt_of(run, judge.salt)
    submissions = collect(folder, judge.assignment.name)
    for count, record in enumerate(grade(run, judge, submissions, max(options.jobs, 1)), 1):
        print(f"{count:>4}/{len(submissions)}  {report.line(record)}", flush=True)
    records = read_records(run)
    counts = Counter(record.status for record in records)
    scores = [record.score for record in records if record.score is not None]
    mean = f", mean {sum(scores) / len(scores):.1f} of {records[0].points:g}" if scores else ""
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())) + mean)
    _write_results(run, records)
    return 3 if counts[ERROR] else 0


def _check(options: argparse.Namespace) -> int:
    name = options.assignment or _named([collect_one(options.file)])
    judge = _judge(options, name, options.file)
    record = grade_one(judge, collect_one(options.file, judge.assignment.name))
    print(report.text(record))
    if options.results.name:
        options.results.write_text(json.dumps(report.gradescope(record), indent=1))
    return 3 if record.status == ERROR else 0


def _results(options: argparse.Namespace) -> int:
    records = read_records(options.run)
    if options.command == "csv":
        sys.stdout.write(report.table(records))
    else:
        _write_results(options.run, records)
    return 0


def _gradescope(options: argparse.Namespace) -> int:
    name = load(options.assignment, options.sources, options.variant).name
    out, salt = Path(f"{name}.zip"), _salt(options) or secrets.token_bytes(32)
    weak = options.allow_weak
    gradescope.write_archive(name, out, options.sources, options.variant, salt, allow_weak=weak)
    print(f"{out}: upload it under Configure Autograder; it holds the hidden tests")
    return 0


def _named(submissions: list[Submission]) -> str:
    """Return the homework that the notebooks name."""
    notebooks = [each.notebook for each in submissions if each.notebook]
    named = {name for notebook in notebooks for name in homeworks_named(notebook)}
    if len(named) != 1:
        names = ", ".join(sorted(named)) or f"none ({submissions[0].reason})"
        raise GraderError(f"want notebooks that name one homework, or --assignment; got {names}")
    return named.pop()


def _judge(options: argparse.Namespace, assignment: str, *hidden: Path) -> Judge:
    sources = options.sources.resolve()
    homework = load(assignment, sources, options.variant)
    jail = choose(options.image, allow_weak=options.allow_weak, hidden=(sources, *hidden))
    limits = LIMITS._replace(test=options.test_seconds, notebook=options.notebook_seconds)
    return Judge(homework, jail, _salt(options), limits)


def _salt(options: argparse.Namespace) -> bytes:
    return options.salt_file.read_bytes() if options.salt_file else b""


def _write_results(run: Path, records: list[Record]) -> None:
    (run / "report.html").write_text(report.page(records), encoding="utf-8")
    (run / "grades.csv").write_text(report.table(records), encoding="utf-8")
    print(f"{run / 'report.html'} for you, {run / 'grades.csv'} for your platform")
