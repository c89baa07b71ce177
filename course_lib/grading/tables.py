"""The scores as a table of comma-separated values, for a learning platform or a spreadsheet."""

import csv
import io

from course_lib.errors import escaped
from course_lib.grading.collect import platform, student_id
from course_lib.grading.record import GRADED, Record

SYSTEMS = ("plain", "canvas", "moodle")

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def table(graded: list[Record], system: str = "plain") -> str:
    """The table as text. A submission without a final score has an empty grade, never a zero.

    Args:
        graded: the records of a run.
        system: "canvas" gives what its gradebook imports, matched by the number in the names of a
            download; "moodle" the same for its grading worksheet; "plain" everything.
    """
    rows = {"plain": _plain, "canvas": _canvas, "moodle": _moodle}[system](graded)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_cell(each) for each in row] for row in rows)
    return text.getvalue()


def misfits(graded: list[Record], system: str) -> str:
    """A line on the files whose names are not those of this system's download; or nothing."""
    found = [r for r in graded if r.file and platform(r.file) != system]
    if system == "plain" or not found:
        return ""
    others = {platform(record.file) for record in found} - {""}
    how = f"are named as {others.pop()} does" if others else "have no number in their names"
    return (
        f"{system} may not know {len(found)} of {len(graded)} students, such as "
        f"{found[0].student}: their files {how}; grade its own download"
    )


def _plain(graded: list[Record]) -> list[list[object]]:
    names = [question.name for question in max(graded, key=lambda r: len(r.questions)).questions]
    rows: list[list[object]] = [["student", "score", "points", *names, "status", "reason", "file"]]
    for record in graded:
        scores = {question.name: question.score for question in record.questions}
        score = "" if record.score is None else record.score
        rows.append(
            [record.student, score, record.points]
            + [scores.get(name, "") for name in names]
            + [record.status, record.reason, record.file]
        )
    return rows


def _canvas(graded: list[Record]) -> list[list[object]]:
    title, points = graded[0].assignment, max(record.points for record in graded)
    rows: list[list[object]] = [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", title],
        ["Points Possible", "", "", "", "", points],
    ]
    for record in graded:
        rows.append([*student_id(record.student), "", "", "", _final(record)])
    return rows


def _moodle(graded: list[Record]) -> list[list[object]]:
    rows: list[list[object]] = [
        [
            "Identifier",
            "Full name",
            "Grade",
            "Maximum grade",
            "Last modified (grade)",
            "Feedback comments",
        ]
    ]
    for record in graded:
        name, number = student_id(record.student)
        identifier = f"Participant {number}" if number else ""
        feedback = record.reason if record.status != GRADED else ""
        rows.append([identifier, name, _final(record), record.points, "", feedback])
    return rows


def _final(record: Record) -> object:
    return record.score if record.status == GRADED and record.score is not None else ""


def _cell(value: object) -> str:
    """A number as it is; text that a spreadsheet would compute gets an apostrophe before it."""
    if isinstance(value, float):
        return f"{value:g}"
    text = str(value)
    # Spreadsheets skip blanks before a formula.
    return ("'" if text.lstrip(" ").startswith(_FORMULA) else "") + escaped(text)
