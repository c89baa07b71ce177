"""What is told of a submission: a page for the student, a table and a text for the teacher.

A student's page has the messages of public tests, what hidden tests look at, and the student's own
lines. Everything that may come from a submission is escaped, and the page may load nothing.
"""

from html import escape
from pathlib import Path

from course_lib.errors import escaped
from course_lib.files import atomic_write
from course_lib.grading.pictures import svg
from course_lib.grading.record import ERROR, REFUSED, REVIEW, Question, Record, Test
from course_lib.grading.run import place

_STYLE = """\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .6rem; text-align: left; }
tr { border-bottom: 1px solid #8886; } td.number { text-align: right; }
td.why { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 3px solid #888; margin: .3rem 0;
  padding: .2rem .8rem; }
.want { fill: #3b6fb6; color: #3b6fb6; } .got { fill: #d9731a; color: #d9731a; }
.axis { stroke: #888; } svg text { font-size: 11px; } figure { margin: .5rem 0; }
svg { max-width: 100%; height: auto; }
"""

ENDS = {
    "passed": "passed",
    "failed": "not passed",
    "time": "stopped: it took too long",
    "memory": "stopped: it took too much memory",
    "forks": "stopped: it started too many processes",
    "disk": "stopped: it wrote too much to disk",
    "wire": "not passed: what came back could not be read",
    "review": "not decided: a person looks at it",
}
"""What a student reads of each way in which a test ends."""


def write_all(run: Path, graded: list[Record]) -> str:
    """Write the teacher's table and a page for each student into `RUN/report`; says where.

    Raises:
        CourseError: a file cannot be written.
    """
    folder = run / "report"
    (folder / "students").mkdir(parents=True, exist_ok=True)
    files = [f"students/{place(run, record.student).stem}.html" for record in graded]
    for record, file in zip(graded, files, strict=True):
        atomic_write(folder / file, page(record))
    atomic_write(folder / "index.html", overview(graded, files))
    return (
        f"{folder / 'index.html'}: the table, for teachers; "
        f"{folder / 'students'}: {len(files)} pages to hand out"
    )


def page(record: Record) -> str:
    """What the student gets to see."""
    body = [f"<h1>{_safe(record.assignment)}: {_safe(record.student)}</h1>"]
    body.append(f"<p><strong>{_safe(outcome(record))}</strong></p>")
    if record.cells:
        body.append("<p>When your notebook was run, these cells stopped:</p>")
        body += [f"<pre>{_safe(cell)}</pre>" for cell in record.cells]
    seen: set[str] = set()
    for question in record.questions:
        body.append(
            f"<h2>{_safe(question.name)}: {question.score:g} of {question.points:g} points</h2>"
        )
        passed = [_test(test, seen) for test in question.tests if test.status == "passed"]
        body += [_test(test, seen) for test in question.tests if test.status != "passed"]
        if passed:
            body += [f"<details><summary>passed: {len(passed)}</summary>", *passed, "</details>"]
    return _html(f"{record.assignment}: {record.student}", body)


def title(test: Test) -> str:
    """What a test is called where its student reads."""
    return test.name if test.public else f"hidden test. {test.topic}".strip()


def told(test: Test) -> list[str]:
    """The lines about a test that its student may read."""
    lines = [each] if (each := test.message if test.public else test.note) else []
    if test.line and not (test.public and test.line in test.message):
        lines.append(f"Your code stopped at: {test.line}")
    return lines


def outcome(record: Record) -> str:
    """How the submission ended, in a sentence for the student."""
    if record.status == ERROR:
        return "The grader failed. This says nothing about your answers; they are graded again."
    if record.status == REFUSED:
        return f"Not graded: {record.reason}. Please hand in one notebook, the .ipynb file."
    score = f"{record.score or 0:g} of {record.points:g} points"
    if record.status == REVIEW:
        return f"{score} so far; a person looks at what the grader could not decide."
    return score


def overview(graded: list[Record], files: list[str]) -> str:
    """The teacher's table."""
    names = [question.name for question in max(graded, key=lambda r: len(r.questions)).questions]
    jails = sorted({record.jail for record in graded if record.jail})
    head = ["student", "score", *names, "status", "why", "seconds", *["jail"] * (len(jails) > 1)]
    rows = []
    for record, file in zip(graded, files, strict=True):
        scores = {question.name: question.score for question in record.questions}
        score = "" if record.score is None else f"{record.score:g}"
        cells = [f'<td><a href="{_safe(file)}">{_safe(record.student)}</a></td>', _number(score)]
        cells += [_number(f"{scores[name]:g}" if name in scores else "") for name in names]
        cells += [
            f"<td>{_safe(record.status)}</td>",
            f'<td class="why">{_safe(record.reason)}</td>',
        ]
        cells += [_number(f"{record.seconds:.1f}" if record.seconds else "")]
        cells += [f"<td>{_safe(record.jail)}</td>"] * (len(jails) > 1)
        rows.append(f"<tr>{''.join(cells)}</tr>")
    first = graded[0]
    body = [
        f"<h1>{_safe(first.assignment)}, variant {_safe(first.variant)}</h1>",
        "<p>For teachers alone. The pages to hand out are in <code>students</code>."
        + (f" Jail of all: {_safe(jails[0])}." if len(jails) == 1 else "")
        + "</p>",
        f"<table><tr>{''.join(f'<th>{_safe(name)}</th>' for name in head)}</tr>",
        *rows,
        "</table>",
        "<h2>How many passed each test</h2>",
        "<table>",
        *(f"<tr><td>{name}</td><td>{told}</td></tr>" for name, told in _passed(graded)),
        "</table>",
    ]
    return _html(first.assignment, body)


def _passed(graded: list[Record]) -> list[tuple[str, str]]:
    """For each question its tests with the share of those who passed."""
    found: dict[str, dict[str, list[bool]]] = {}
    for question in (each for record in graded for each in record.questions):
        for test in question.tests:
            ends = found.setdefault(question.name, {}).setdefault(test.name, [])
            ends.append(test.status == "passed")
    return [
        (
            _safe(name),
            ", ".join(f"{_safe(test)} {100 * sum(e) / len(e):.0f} %" for test, e in of.items()),
        )
        for name, of in sorted(found.items())
    ]


def as_text(record: Record) -> str:
    """Everything, for a teacher's terminal."""
    lines = [f"{record.student}: {record.status}; {outcome(record)}"]
    if record.reason:
        lines.append(f"  {record.reason}")
    if record.jail:
        lines.append(f"  jail: {record.jail}; {record.seconds:.1f} s")
    lines += [f"  {cell}" for cell in record.cells]
    for question in record.questions:
        lines.append(f"{question.name}  {question.score:g}/{question.points:g}")
        lines += _shown(question)
    return "\n".join(map(escaped, lines))


def _shown(question: Question) -> list[str]:
    lines = []
    for test in question.tests:
        hidden = "" if test.public else "  (hidden)"
        lines.append(f"  {test.score:g}/{test.points:g}  {test.name}: {test.status}{hidden}")
        lines += [f"      {line}" for line in test.message.splitlines()]
        if test.line and test.line not in test.message:
            lines.append(f"      {test.line}")
    return lines


def _test(test: Test, seen: set[str]) -> str:
    """A test; what the page has said already is not said again."""
    head = f"<p>{_safe(title(test))} <em>{ENDS.get(test.status, test.status)} "
    lines = [] if test.status == "passed" else told(test)
    lines = ["As above." if line in seen else line for line in lines]
    seen.update(lines)
    shown = svg(test.message) if test.public and test.status != "passed" else ""
    return f"{head}({test.score:g} of {test.points:g})</em></p>" + "".join(
        [*(f"<pre>{_safe(line, breaks=True)}</pre>" for line in lines), shown]
    )


def _number(text: str) -> str:
    return f'<td class="number">{text}</td>'


def _safe(text: str, *, breaks: bool = False) -> str:
    """Text that is nothing but text in a page; control characters are spelled out."""
    lines = text.split("\n") if breaks else [text]
    return "\n".join(escape(escaped(line)) for line in lines)


def _html(title: str, body: list[str]) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{_safe(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )
