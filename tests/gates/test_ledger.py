"""The ledger says what the notebooks say, and a verdict that changed stops the book."""

import json
import shutil

import pytest
import yaml

from course_lib.claims import CLAIMS
from tools import book, ledger
from tools.gates import pairs
from tools.project import ROOT, TaskError

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


def test_all_claims_are_listed_and_the_prose_stays(course):
    assert page(course).startswith("# Ledger\n\nProse before.\n")
    assert page(course).endswith("Prose after.\n")
    assert page(course).count("\n| [C") == ALL
    assert f"Measured so far: 1 of {ALL} claims. Verdicts, one a chapter (holds: 1)." in page(
        course
    )


def test_a_row_holds_verdict_figure_and_the_link_to_its_cell(course):
    line = row(course, "C05")
    assert "An unrolled recurrent net" in line
    assert "[Said in *Attention*]{.said-in}" in line
    assert "[holds]{.verdict-word .holds}" in line
    assert r"difference \< 1e-6" in line
    assert "{ref}`A chapter <01_chapter-claim-c05>`" in line


def test_measured_claims_lead_and_the_others_are_folded_away_with_their_chapters(course):
    text = page(course)
    fold = text.index(f"<details><summary>Not yet measured: {ALL - 1} claims</summary>")
    assert text.index("| [C05]") < fold < text.index("| [C01]") < text.index("</details>")
    assert "| chapters 1, 8, 12 |" in row(course, "C04")
    assert "*All About Attention and Transformer*; *Notes: Attention! Tr" in row(course, "C04")
    assert "[Said in other courses]" in row(course, "C24")


def test_a_book_without_verdicts_has_a_fold_and_no_empty_table(course):
    say(course, "nothing measured")
    ledger.write(course.root, accept=["C05"])
    assert "verdict, measured figure" not in page(course)
    assert f"Not yet measured: {ALL} claims" in page(course)


def test_a_ledger_in_step_passes_and_a_second_writing_changes_nothing(course):
    assert ledger.problems(course.root) == []
    assert ledger.write(course.root) is False
    assert pairs.claims(course.root).passed


@pytest.mark.parametrize(
    ("lines", "change"),
    [
        (["[C05] holds in part: difference 0.2"], "was 'holds', now 'holds in part'"),
        (["[C05] does not hold: difference 9.1"], "was 'holds', now 'does not hold'"),
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


def test_a_figure_that_changed_makes_the_page_stale_but_needs_no_permission(course):
    say(course, "[C05] holds: difference < 1e-7")
    (problem,) = ledger.problems(course.root)
    assert "does not say what the notebooks say (make ledger)" in problem
    assert ledger.write(course.root) is True
    assert r"difference \< 1e-7" in row(course, "C05")


def test_a_page_edited_by_hand_is_stale(course):
    edited = page(course).replace("holds: 1", "holds: 2")
    (course.root / ledger.PAGE).write_text(edited, encoding="utf-8")
    assert len(ledger.problems(course.root)) == 1


def test_a_new_verdict_is_recorded_without_permission(course):
    say(course, "[C05] holds: difference < 1e-6", "[C03] holds in part: norm 0.01 at 50 steps")
    assert len(ledger.problems(course.root)) == 1
    ledger.write(course.root)
    record = yaml.safe_load((course.root / ledger.RECORD).read_text(encoding="utf-8"))
    assert record == {"01_chapter": {"C03": "holds in part", "C05": "holds"}}


def test_the_same_claim_twice_in_a_chapter_has_two_places(course):
    say(course, "[C05] holds: tanh 1e-7", "[C05] holds: GRU 1e-7")
    ledger.write(course.root)
    assert "01_chapter-claim-c05>" in row(course, "C05")
    assert "01_chapter-claim-c05-2>" in row(course, "C05")


def test_two_verdicts_of_one_chapter_on_one_claim_are_refused(course):
    say(course, "[C05] holds: tanh 1e-7", "[C05] does not hold: GRU 0.3")
    assert ledger.problems(course.root) == [
        "01_chapter gives two verdicts on C05; a chapter gives one"
    ]


def test_a_notebook_outside_the_book_has_no_say(course):
    say(course, "[C08] holds: 0.97", name="02_draft")
    assert ledger.problems(course.root) == []
    assert row(course, "C08").endswith("| chapters 4 and 13 |")


def test_a_chapter_that_left_the_book_takes_its_verdicts_with_it_only_by_permission(course):
    course.write("_toc.yml", "format: jb-book\nroot: index\n")
    (problem,) = ledger.problems(course.root)
    assert "now 'not measured'" in problem


def test_an_unknown_claim_cannot_be_taken_over(course):
    with pytest.raises(TaskError, match="no claim 'C99'"):
        ledger.write(course.root, accept=["C99"])


def test_a_page_without_its_marks_is_named(course):
    (course.root / ledger.PAGE).write_text("# Ledger\n", encoding="utf-8")
    with pytest.raises(TaskError, match="marks"):
        ledger.write(course.root)


def test_signs_of_markdown_in_a_figure_stay_signs(course):
    say(course, "[C05] holds: a_b * |x| < `c` [d] {e}")
    ledger.write(course.root)
    assert r"a\_b \* \|x\| \< \`c\` \[d\] \{e\}" in row(course, "C05")


def test_the_ledger_of_this_book_is_in_step(tmp_path):
    for name in ("book", "notebooks"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "_toc.yml", tmp_path / "_toc.yml")
    assert ledger.problems(tmp_path) == []
