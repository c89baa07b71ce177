"""The page of the homework: what each one asks, and its files as one archive to download.

Both are read from the students' folder, so that the page says what students get.
"""

import json
import os
import re
import zipfile
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can say: no time of its own


class Question(NamedTuple):
    """A question's number, title and points."""

    number: int
    title: str
    points: str


def questions(student: Path) -> list[Question]:
    """What the student's notebook asks.

    Raises:
        ValueError: a question without points, or none at all.
    """
    notebook = json.loads(next(student.glob("*.ipynb")).read_text(encoding="utf-8"))
    found = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        heading = re.match(r"## Question (\d+)[.:] (.+)", text)
        if heading is None:
            continue
        points = re.search(r"_Points:_ ([\d.]+)", text)
        if points is None:
            raise ValueError(f"{student}: question {heading[1]} says no points")
        found.append(Question(int(heading[1]), heading[2].strip(), points[1]))
    if not found:
        raise ValueError(f"{student}: no question found")
    return found


def pack(student: Path, archive: Path) -> None:
    """All files of the folder, under its homework's name; the same files, the same bytes."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(student.rglob("*")):
            if path.is_file() and not {"__pycache__", ".ipynb_checkpoints"} & set(path.parts):
                name = f"{student.parent.name}/{path.relative_to(student).as_posix()}"
                packed.writestr(zipfile.ZipInfo(name, _EPOCH), path.read_bytes())


class Homework(SphinxDirective):
    """`{homework} hw04_bahdanau`: a table of its questions, and a link to its archive."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The table, then the link."""
        name = self.arguments[0]
        student = Path(self.env.srcdir) / "homework" / name / "student"
        if not student.is_dir():
            raise self.error(f"there is no homework {name!r} (make homework writes it)")
        for path in sorted(student.rglob("*")):
            if path.is_file():
                self.env.note_dependency(str(path))
        archive = Path(self.env.app.doctreedir).parent / "course" / f"{name}.zip"
        pack(student, archive)
        return [self._table(student), self._link(archive)]

    def _table(self, student: Path) -> nodes.Node:
        rows = [(str(q.number), q.title, q.points) for q in questions(student)]
        rows.append(("", "together", f"{sum(float(points) for *_, points in rows):g}"))
        table, group = nodes.table(classes=["homework"]), nodes.tgroup(cols=3)
        group += [nodes.colspec(colwidth=width) for width in (10, 70, 10)]
        group += nodes.thead("", self._row("Question", "What it asks", "Points"))
        group += nodes.tbody("", *(self._row(*row) for row in rows))
        table += group
        return table

    def _row(self, *texts: str) -> nodes.row:
        entries = []
        for text in texts:
            inline, _ = self.state.inline_text(text, self.lineno)
            entries.append(nodes.entry("", nodes.paragraph("", "", *inline)))
        return nodes.row("", *entries)

    def _link(self, archive: Path) -> nodes.Node:
        uri = "/" + os.path.relpath(archive, self.env.srcdir).replace(os.sep, "/")
        link = addnodes.download_reference("", "", reftarget=uri, refdoc=self.env.docname)
        link += nodes.inline("", f"Download {archive.name}", classes=["download"])
        return nodes.paragraph("", "", link)


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("homework", Homework)
