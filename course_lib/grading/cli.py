"""The grader's command line.

A mistake of the user's gives one line on standard error and exit code 2; a failure of the judge's
own leaves that submission without a score and gives 3; Ctrl-C gives 130, and `--resume` goes on.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from course_lib.cli.streams import drop_output, require_output
from course_lib.errors import CourseError, escaped, one_line
from course_lib.grading import gradescope, report, run, similarity, tables
from course_lib.grading.assignment import HOMEWORK, load
from course_lib.grading.collect import collect_one, homeworks_named
from course_lib.grading.plan import Plan, make_judge
from course_lib.grading.processes import alone
from course_lib.grading.record import ERROR, GRADED, REFUSED, Record
from course_lib.grading.variants import PUBLIC


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CourseError(f"{message} (see {self.prog} --help)")


def make_parser() -> argparse.ArgumentParser:
    """The parser with all its commands."""
    parser = _Parser(
        prog="python -m course_lib.grading",
        description="Grades submitted homework, whose code is not trusted.",
        epilog="docs/maintain/grading.md says what is kept safe, and how.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, allow_abbrev=False)

    grade = add("grade", "grade a folder of submissions")
    grade.add_argument("assignment", help="such as hw04")
    grade.add_argument(
        "--submissions",
        type=Path,
        required=True,
        metavar="DIR",
        help="a notebook, an archive or a folder for each student",
    )
    grade.add_argument("--out", type=Path, required=True, metavar="RUN", help="where results go")
    grade.add_argument("--resume", action="store_true", help="grade only what is new or changed")
    grade.add_argument("--shard", type=_shard, default=(1, 1), help="1/4: a quarter, on 4 machines")
    _judging(grade)
    _jobs(grade)

    check = add("check", "grade one notebook and show everything, hidden tests too")
    check.add_argument("file", type=Path)
    _judging(check)

    regrade = _of_run(add("regrade", "grade some questions of a run again, after a test changed"))
    regrade.add_argument(
        "--question", action="append", required=True, help="such as q3; may be repeated"
    )
    _jobs(regrade)

    _of_run(add("report", "write a page for each student, with public messages only"))

    table = _of_run(add("csv", "print the scores as a table"))
    table.add_argument(
        "--for", dest="system", choices=tables.SYSTEMS, default="plain", help="who imports it"
    )

    _of_run(add("similarity", "list pairs of submissions that a human should compare"))

    archive = add("gradescope", "write an archive for Gradescope")
    archive.add_argument("assignment", help="such as hw04")
    archive.add_argument("--out", type=Path, metavar="FILE", help="(default: _build/NAME.zip)")
    archive.add_argument("--force", action="store_true", help="replace an archive that is there")
    archive.add_argument(
        "--submission",
        type=Path,
        metavar="DIR",
        help="in Gradescope's container: grade this folder instead",
    )
    archive.add_argument("--results", type=Path, metavar="FILE", help="with --submission")
    _judging(archive)

    add("doctor", "say what this machine can hold back")
    return parser


def _of_run(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("run", type=Path, metavar="RUN", help="the folder of a run")
    return parser


def _judging(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--salt-file", type=Path, metavar="KEY", help="secret bytes that draw the tests' instances"
    )
    parser.add_argument(
        "--per-student", action="store_true", help="draw other instances for each student"
    )
    parser.add_argument("--variant", default=PUBLIC, help="a private variant, such as v3")
    parser.add_argument(
        "--homework", type=Path, default=HOMEWORK, metavar="DIR", help="sources of your own"
    )
    parser.add_argument(
        "--allow-weak", action="store_true", help="grade even where no jail holds (your own code)"
    )


def _jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", type=_whole, default=1, help="submissions at once (default 1)")


def _whole(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,2}", text):
        raise argparse.ArgumentTypeError(f"want a whole number from 1 to 999; got {text!r}")
    return int(text)


def _shard(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,4})/(\d{1,4})", text)
    number, count = map(int, found.groups()) if found else (0, 0)
    if not 1 <= number <= count:
        raise argparse.ArgumentTypeError(f"want a share such as 1/4; got {text!r}")
    return number, count


def main(arguments: Sequence[str] | None = None, make: Callable[..., object] = make_judge) -> int:
    """Run one command.

    Args:
        arguments: of the command line.
        make: makes a judge of plan, salt and questions.

    Returns:
        0; 2 for a user's mistake; 3 if the judge failed; 130 after Ctrl-C.
    """
    try:
        require_output()
        options = make_parser().parse_args(arguments)
        code = _COMMANDS[options.command](options, make)
        sys.stdout.flush()
        return code
    except CourseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        drop_output()
        return 0
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        print(f"error: {one_line(f'{name}{error.strerror or error}')}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; what is graded is kept, and --resume grades the rest", file=sys.stderr)
        return 130


def _grade(options: argparse.Namespace, make: Callable[..., object]) -> int:
    plan = _plan(options, options.assignment, options.submissions)
    salt = run.read_salt(options.salt_file) if options.salt_file else None
    if options.shard != (1, 1) and salt is None:
        raise CourseError(
            "want --salt-file with --shard, so that all machines ask the same; "
            "head -c 32 /dev/urandom > KEY makes one"
        )
    submissions = run.submissions_of(plan, options.shard)
    run.begin(options.out, plan, salt)
    graded = []
    for record in run.grade(
        options.out, submissions, resume=options.resume, jobs=options.jobs, make=make
    ):
        graded.append(record)
        _tell(f"{len(graded):>4}/{len(submissions)}  {_row(record)}")
    _warn(run.mixed(options.out, graded))
    return _summary(graded, options.out)


def _regrade(options: argparse.Namespace, make: Callable[..., object]) -> int:
    names = [name for each in options.question for name in each.split(",")]
    after, changes = [], []
    for old, new in run.regrade(options.run, names, jobs=options.jobs, make=make):
        after.append(new)
        changed = "" if old.score == new.score else f"  (was {_score(old)})"
        changes += [f"  {new.student}  {_score(new)}{changed}"] if changed else []
        _tell(f"{len(after):>4}  {_row(new)}{changed}")
    if left := len(run.read_records(options.run)) - len(after):
        _tell(f"{left} others are as they were: not graded, or no longer the file that was graded")
    _warn(run.mixed(options.run, run.read_records(options.run)))
    code = _summary(after, options.run)
    print(f"scores that changed: {len(changes)}", *map(escaped, changes), sep="\n")
    print("The report and the table are as they were: run report and csv again.")
    return code


def _check(options: argparse.Namespace, make: Callable[..., object]) -> int:
    submission = collect_one(options.file)
    if submission.notebook is None:
        raise CourseError(f"{options.file}: {submission.reason}")
    named = homeworks_named(submission.notebook)
    if len(named) != 1:
        raise CourseError(f"{options.file} names {len(named)} homeworks; want a notebook of one")
    plan = _plan(options, *named, options.file.parent)
    salt = run.read_salt(options.salt_file) if options.salt_file else b""
    record = alone(plan, salt, make, submission)
    print(report.as_text(record))
    return 3 if record.status == ERROR else 0


def _report(options: argparse.Namespace, make: Callable[..., object]) -> int:
    graded = run.read_records(options.run)
    print(report.write_all(options.run, graded))
    _warn(run.ungraded(options.run))
    _warn(run.mixed(options.run, graded))
    return 0


def _csv(options: argparse.Namespace, make: Callable[..., object]) -> int:
    graded = run.read_records(options.run)
    sys.stdout.write(tables.table(graded, options.system))
    for record in graded:
        if record.status != GRADED:
            _tell(f"no grade for {_row(record)}")
    _warn(tables.misfits(graded, options.system))
    _warn(run.ungraded(options.run))
    return 0


def _similarity(options: argparse.Namespace, make: Callable[..., object]) -> int:
    plan = run.read_plan(options.run)
    homework = load(plan.assignment, Path(plan.homework), plan.variant)
    sent = run.submissions_of(plan)
    pairs, groups = similarity.compare(sent, homework), similarity.shared(sent, homework)
    print(similarity.as_text(pairs, groups))
    return 0


def _gradescope(options: argparse.Namespace, make: Callable[..., object]) -> int:
    salt = run.read_salt(options.salt_file) if options.salt_file else None
    if options.submission is None:
        name = load(options.assignment, options.homework, options.variant).name
        out = options.out or Path("_build", f"{name}.zip")  # which git does not show
        if out.is_file() and not options.force:
            raise CourseError(
                f"{out} is there, and its salt is not this one's: name another, or say --force"
            )
        if options.out is None:
            out.parent.mkdir(exist_ok=True)
        gradescope.write_archive(name, out, options.homework, options.variant, salt)
        print(f"{out}: upload it under Configure Autograder; it holds the hidden tests")
        return 0
    if options.results is None:
        raise CourseError("want --results FILE with --submission")
    plan = _plan(options, options.assignment, options.submission)
    record = gradescope.grade(plan, salt or b"", make)
    gradescope.write_results(record, options.results)
    return 3 if record.status == ERROR else 0


def _doctor(options: argparse.Namespace, make: Callable[..., object]) -> int:
    from course_lib.grading.jail import doctor

    found = doctor()
    for name, good, detail in found:
        print(f"{'yes' if good else 'no ':3}  {name}: {detail}")
    return 0 if all(good for name, good, _ in found if name == "jail") else 2


_COMMANDS = {
    "grade": _grade,
    "check": _check,
    "regrade": _regrade,
    "report": _report,
    "csv": _csv,
    "similarity": _similarity,
    "gradescope": _gradescope,
    "doctor": _doctor,
}


def _plan(options: argparse.Namespace, assignment: str, submissions: Path) -> Plan:
    folder = options.homework.absolute()
    name = load(assignment, folder, options.variant).name
    where = str(submissions.absolute())
    return Plan(name, options.variant, where, str(folder), options.allow_weak, options.per_student)


def _tell(line: str) -> None:
    print(escaped(line), file=sys.stderr, flush=True)


def _warn(line: str) -> None:
    if line:
        _tell(f"warning: {line}")


def _row(record: Record) -> str:
    """A submission on a line."""
    state = "" if record.status == GRADED else f"  {record.status}"
    reason = f": {record.reason}" if record.reason else ""
    return f"{record.student}  {_score(record)}{state}{reason}"


def _score(record: Record) -> str:
    return "no score" if record.score is None else f"{record.score:g}/{record.points:g}"


def _summary(graded: list[Record], folder: Path) -> int:
    counts = Counter(record.status for record in graded)
    scores = [record.score for record in graded if record.score is not None]
    mean = f", mean {sum(scores) / len(scores):.1f} of {graded[0].points:g}" if scores else ""
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())) + mean)
    rows = [record for record in graded if record.status != GRADED or record.reason]
    print(f"{folder}: next report, csv, similarity{'; rows to look at:' if rows else ''}")
    for record in rows:
        print(f"  {escaped(_row(record))}")
    if counts[REFUSED]:
        print("Ask who is refused for one notebook, the .ipynb file; then grade with --resume.")
    return 3 if counts[ERROR] else 0
