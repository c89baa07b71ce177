"""The ledger says what the notebooks say, and a verdict that changed stops the book."""

import json

import pytest
import yaml

from course_lab.claims import CLAIMS
from tools import book, ledger
from tools.gates import pairs
from tools.project import TaskError

ALL = len(CLAIMS)
MARKS = f"# Ledger\n\nProse before.\n\n{ledger.BEGIN}\n\n{ledger.END}\n\nProse after.\n"


@pytest.fixture
def course(project):
    """One chapter that measured C05, in a book with a ledger that is up to date."""
    project.write(
        "_toc.yml", "format: jb-book\nroot: index\nchapters:\n  - file: notebooks/01_chapter\n"
    )
    project.write("book/claims.md", MARKS)
    say(project, "[C05] holds: difference < 1e-6")
    ledger.write(project.root)
    return project


def say(project, *lines: str, name: str = "01_chapter") -> None:
    """Store the chapter as if its second code cell had printed these lines."""
    notebook = project.executed()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    code[1].outputs[0].text = "training ...\n" + "".join(f"{line}\n" for line in lines)
    path = project.root / "notebooks" / f"{name}.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")


def page(project) -> str:
    return (project.root / ledger.PAGE).read_text(encoding="utf-8")


def row(project, identifier: str) -> str:
    (line,) = [line for line in page(project).splitlines() if line.startswith(f"| [{identifier}]")]
    return line


def test_the_page_lists_all_claims_measured_ones_first_with_verdict_figure_and_link(course):
    text, line = page(course), row(course, "C05")
    assert ledger.write(course.root) is False
    assert pairs.claims(course.root).passed
    assert text.startswith("# Ledger\n\nProse before.\n")
    assert text.count("\n| [C") == ALL
    assert f"Measured so far: 1 of {ALL} claims. Verdicts, one a chapter (holds: 1)." in text
    for said in (
        "[Said in *Attention* (author not found): “where the same weights are used at each layer”]"
        "{.said-in}",
        "[holds]{.verdict-word .holds}",
        r"difference \< 1e-6",
        "{ref}`A chapter <01_chapter-claim-c05>`",
    ):
        assert said in line
    fold = text.index(f"<details><summary>Not yet measured: {ALL - 1} claims</summary>")
    assert text.index("| [C05]") < fold < text.index("| [C01]") < text.index("</details>")
    say(course, "[C05] holds: a_b * |x| < 1e-7")
    assert "does not say what the notebooks say (make ledger)" in ledger.problems(course.root)[0]
    ledger.write(course.root)
    assert r"a\_b * \|x\| \< 1e-7" in row(course, "C05").replace(r"\*", "*")


@pytest.mark.parametrize(
    ("lines", "change"),
    [
        (["[C05] holds in part: difference 0.2"], "was 'holds', now 'holds in part'"),
        (["nothing measured"], "was 'holds', now 'not measured'"),
    ],
)
def test_a_changed_verdict_fails_gate_and_build_until_an_author_takes_it_over(
    course, lines, change
):
    before = page(course)
    say(course, *lines)
    result = pairs.claims(course.root)
    assert not result.passed
    assert f"C05 in 01_chapter: {change}" in result.output
    with pytest.raises(TaskError, match=f"(?s)not built.*{change}"):
        book.build(course.root)
    with pytest.raises(TaskError, match=f"(?s){change}.*ARGS=C05"):
        ledger.write(course.root)
    assert page(course) == before
    with pytest.raises(TaskError, match="C05"):  # another claim's permission is not this one's
        ledger.write(course.root, accept=["C08"])
    ledger.write(course.root, accept=["C05"])
    assert ledger.problems(course.root) == []


def test_a_new_verdict_is_recorded_without_permission(course):
    say(course, "[C05] holds: difference < 1e-6", "[C03] holds in part: norm 0.01 at 50 steps")
    assert len(ledger.problems(course.root)) == 1
    ledger.write(course.root)
    record = yaml.safe_load((course.root / ledger.RECORD).read_text(encoding="utf-8"))
    assert record == {"01_chapter": {"C03": "holds in part", "C05": "holds"}}


def test_one_chapter_gives_one_verdict_and_one_outside_the_book_none(course):
    say(course, "[C08] holds: 0.97", name="02_draft")
    assert ledger.problems(course.root) == []
    say(course, "[C05] holds: tanh 1e-7", "[C05] does not hold: GRU 0.3")
    assert ledger.problems(course.root) == [
        "01_chapter gives two verdicts on C05; a chapter gives one"
    ]
    course.write("_toc.yml", "format: jb-book\nroot: index\n")
    (problem,) = ledger.problems(course.root)
    assert "now 'not measured'" in problem
