"""What is said of submissions: a page, a table, a text. What comes from students is escaped."""

import csv
import io
from html import escape

from course_grader.run import ERROR, Record

_PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; }}
table {{ border-collapse: collapse; }} th, td {{ padding: .2rem .6rem; text-align: left; }}
tr {{ border-bottom: 1px solid #8886; vertical-align: top; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; border-left: 3px solid #888; }}
</style></head>
<body><h1>{title}</h1>
<table>
{table}
</table>
{details}
</body></html>
"""
_FORMULA = ("=", "+", "-", "@")


def page(records: list[Record]) -> str:
    """Return the teacher's page: a table, then each student's tests that did not pass."""
    questions, rows, details = _questions(records), [], []
    head = ["student", "score", *questions, "status", "jail", "remarks", "seconds"]
    for place, record in enumerate(records):
        scores = record.by_question()
        cells = [f'<a href="#s{place}">{_safe(record.student)}</a>', _score(record)]
        cells += [f"{scores[q][0]:g}" if q in scores else "" for q in questions]
        cells += map(_safe, (record.status, record.jail, "; ".join(record.remarks)))
        rows.append("".join(f"<td>{cell}</td>" for cell in [*cells, f"{record.seconds:.0f}"]))
        details.append(f'<h2 id="s{place}">{_safe(record.student)}: {_score(record)}</h2>')
        for test in record.tests:
            if test.message:
                kind = "hidden" if test.hidden else "public"
                name = f"{test.question}, {test.name} ({kind}, {test.points:g}): {test.status}"
                message = "\n".join(map(_safe, test.message.split("\n")))
                details.append(f"<p>{_safe(name)}</p><pre>{message}</pre>")
    title = _safe(f"{records[0].assignment}, for teachers")
    table = "\n".join(f"<tr>{row}</tr>" for row in ["".join(f"<th>{h}</th>" for h in head), *rows])
    return _PAGE.format(title=title, table=table, details="\n".join(details))


def table(records: list[Record]) -> str:
    """Return the scores as CSV; what is not graded has an empty score, never a zero."""
    questions = _questions(records)
    rows = [["student", "id", "score", "points", *questions, "status", "jail", "remarks", "file"]]
    for record in records:
        scores = record.by_question()
        row = [record.student, record.id, _score(record), f"{record.points:g}"]
        row += [f"{scores[q][0]:g}" if q in scores else "" for q in questions]
        rows.append([*row, record.status, record.jail, "; ".join(record.remarks), record.file])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_field(part) for part in row] for row in rows)
    return text.getvalue()


def line(record: Record) -> str:
    """Return a submission on one line."""
    score = "no score" if record.score is None else f"{_score(record)}/{record.points:g}"
    about = [record.status] * (record.status != "graded")
    about += [record.jail] * record.jail.startswith("none") + list(record.remarks)
    return printable(f"{record.student}  {score}  {'; '.join(about)}".rstrip())


def text(record: Record) -> str:
    """Return everything, for a teacher's terminal."""
    lines = [line(record), f"jail: {record.jail}; {record.seconds:.1f} s"]
    for question, (score, total) in record.by_question().items():
        lines.append(f"{question}  {score:g}/{total:g}")
        for test in record.tests:
            if test.question == question:
                hidden = " (hidden)" * test.hidden
                points = f"{test.score:g}/{test.points:g}"
                lines.append(f"  {points}  {test.name}{hidden}: {test.status}")
                lines += [f"      {each}" for each in test.message.splitlines()]
    return "\n".join(map(printable, lines))


def gradescope(record: Record) -> dict:
    """Return what Gradescope reads: public messages at once, hidden scores when published."""
    tests = []
    for test in record.tests:
        tests.append(
            {
                "number": test.question,
                "name": f"hidden test: {test.title}" if test.hidden else test.name,
                "score": test.score,
                "max_score": test.points,
                "status": "passed" if test.status == "passed" else "failed",
                "output": "" if test.hidden else _lines(test.message),
                "visibility": "after_published" if test.hidden else "visible",
            }
        )
    error = "The grader failed, which says nothing about your answers."
    output = error if record.status == ERROR else _lines("\n".join(record.remarks))
    formats = {"output_format": "text", "stdout_visibility": "hidden", "visibility": "visible"}
    return {"score": record.score or 0.0, "output": output, "tests": tests, **formats}


def printable(text: str) -> str:
    """Return the text with what cannot be printed, and line breaks, spelled out."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def _questions(records: list[Record]) -> list[str]:
    return list(max((record.by_question() for record in records), key=len))


def _score(record: Record) -> str:
    return "" if record.score is None else f"{record.score:g}"


def _field(text: str) -> str:
    """Return a field of the table; what a spreadsheet would compute gets an apostrophe before."""
    return ("'" if text.lstrip().startswith(_FORMULA) else "") + printable(text)


def _safe(text: str) -> str:
    return escape(printable(text))
