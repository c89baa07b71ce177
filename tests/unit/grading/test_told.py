"""What students and teachers read: escaped, no hidden message, nothing that a sheet computes."""

import csv
import io
import json
import zipfile
from dataclasses import replace

import pytest

from course_lib.grading import gradescope, report, similarity
from course_lib.grading.assignment import HOMEWORK, load
from course_lib.grading.cli import main
from course_lib.grading.collect import Submission, read_cells, read_notebook
from course_lib.grading.pictures import svg, want_and_got
from course_lib.grading.record import Question, Record, Test
from course_lib.grading.tables import misfits, table
from tests.unit.grading.stand_in import make

EVIL = "<script>alert(1)</script>\x1b[2J"
TESTS = (
    Test("test_a", 1.0, 1.0, "passed"),
    Test("test_b", 2.0, 0.0, "failed", f"want [1, 2.5]; got [1, -nan] {EVIL}", line=f"x = {EVIL}"),
    Test("test_c", 1.0, 0.0, "failed", "SECRET", public=False, topic="Long sentences."),
    Test("test_d", 1.0, 0.0, "time", "SECRET", public=False, line="while True: (line 3)"),
)
RECORD = Record(
    "hw01_recurrence",
    "v0",
    f"=mira{EVIL}",
    score=1.0,
    points=20.0,
    questions=(Question("q1", 5.0, 1.0, TESTS),),
    cells=(f"cell 3 raised {EVIL}",),
)


def test_a_students_page_has_public_messages_own_lines_and_nothing_that_runs():
    page = report.page(RECORD)
    for text in ("want [1, 2.5]; got", "Long sentences.", "Your code stopped at: while True"):
        assert text in page
    assert "took too long" in page
    assert "SECRET" not in page
    assert "<script" not in page
    assert "\x1b" not in page
    assert "default-src 'none'" in page


def test_a_hidden_test_says_why_its_points_are_fewer_and_nothing_else():
    test = replace(TESTS[2], note="this question forbids torch's softmax")
    question = Question("q1", 5.0, 1.0, (test, test))
    page = report.page(replace(RECORD, questions=(question,)))
    assert page.count("forbids torch&#x27;s softmax") == page.count("As above.") == 1
    assert "SECRET" not in page


@pytest.mark.parametrize(
    ("change", "says", "hides"),
    [
        ({"status": "error", "reason": "SECRET of the judge"}, "graded again", "SECRET of"),
        (
            {"status": "refused", "reason": "the file is empty"},
            "Not graded: the file is",
            "points</s",
        ),
        ({"status": "needs review"}, "a person looks", "Not graded"),
    ],
)
def test_a_students_page_says_how_it_ended(change, says, hides):
    page = report.page(replace(RECORD, questions=(), **change))
    assert says in page
    assert hides not in page


@pytest.mark.usefixtures("quick")
def test_the_teachers_table_links_all_pages(submissions, tmp_path, capsys):
    folder, run = submissions(ada="q1 good", ben="raise <i>"), tmp_path / "run"
    main(["grade", "hw01", "--submissions", str(folder), "--out", str(run)], make)
    assert main(["report", str(run)], make) == 0
    assert "2 pages to hand out" in capsys.readouterr().out
    table = (run / "report" / "index.html").read_text()
    for page in (run / "report" / "students").iterdir():
        assert f'href="students/{page.name}"' in table
        assert "the secret" not in page.read_text()
    assert "judge failed: ZeroDivisionError" in table


def test_the_table_has_no_column_that_says_the_same_and_tells_who_passed_each_test():
    records = [graded("ada", jail="landlock"), graded("ben", jail="landlock", seconds=2.5)]
    records += [graded("cem", status="refused", questions=())]
    table = report.overview(records, ["a", "b", "c"])
    assert "<th>jail</th>" not in table
    assert "Jail of all: landlock" in table
    assert "test_a 100 %, test_b 0 %" in table
    assert "0.0</td>" not in table
    records[0] = replace(records[0], jail="namespaces")
    assert "<td>namespaces</td>" in report.overview(records, ["a", "b", "c"])


def test_what_passed_is_folded():
    opened, _, folded = report.page(RECORD).partition("<details><summary>passed: 1</summary>")
    assert "test_a" in folded
    assert "test_a" not in opened


@pytest.mark.parametrize(
    ("message", "numbers"),
    [
        ("want the states [0.76, 0.0] for 'dog'; got [0.5, nan]", ([0.76, 0.0], [0.5, None])),
        ("want [[1, 2], [3]] with max_norm 6.5; got [[1, 2], [-3e-2]]", ([1, 2, 3], [1, 2, -0.03])),
        ("want g_1 = 0.434; got 0.210: the slope of h_1 was taken", ([0.434], [0.21])),
        ("want a norm of 13; got 17", ([13], [17])),
        ("want 1.050 for b; got -inf", ([1.05], [None])),
        ("want a tensor of shape (2, 4, 5); got (2, 3, 5)", None),
        ("want a dict; got NoneType", None),
        ("want [1, 2]; got [1]", None),
        ("rnn returns nothing: got None", None),
        ("want [1" + ", 1" * 99 + "]; got [1" + ", 1" * 99 + "]", None),
    ],
)
def test_a_picture_holds_the_numbers_of_a_message(message, numbers):
    found = want_and_got(message)
    if numbers is None:
        assert found is None
        assert svg(message) == ""
        return
    for came, want in zip(found, numbers, strict=True):
        finite = [None if not abs(x) < float("inf") else x for x in came]
        assert finite == pytest.approx(want)
    drawn = svg(message)
    assert drawn.count("<rect") + drawn.count("<text") == 2 * len(numbers[0])
    assert "nan" not in drawn.replace(">nan<", "").replace("aria", "").partition(">")[2][:40]


def cells(text):
    return list(csv.reader(io.StringIO(text)))


def graded(student, **change):
    return replace(RECORD, student=student, **change)


def test_no_cell_of_a_table_is_a_formula_and_no_unsure_grade_is_a_zero():
    names = ["=1+1_12", "+x", "-x", "@x", "  =x", "\t=x", "Ada, Jr_7", "ben"]
    records = [graded(name) for name in names]
    records.append(graded("cem_9", status="needs review", reason="=cmd|' /C calc'!A0"))
    records.append(graded("dan_8", status="refused", score=None, questions=()))
    for system in ("plain", "canvas", "moodle"):
        rows = cells(table(records, system))
        assert not [c for row in rows for c in row if c.lstrip(" \t")[:1] in ("=", "+", "-", "@")]
    canvas = {row[0]: row for row in cells(table(records, "canvas"))}
    assert canvas["Ada, Jr"] == ["Ada, Jr", "7", "", "", "", "1"]
    assert canvas["Points Possible"][-1] == "20"
    assert canvas["cem"][-1] == canvas["dan"][-1] == ""
    moodle = {row[1]: row for row in cells(table(records, "moodle"))}
    assert moodle["Ada, Jr"][:3] == ["Participant 7", "Ada, Jr", "1"]
    plain = {row[0]: row for row in cells(table(records, "plain"))}
    assert plain["student"][3] == "q1"
    assert plain["ben"][1:4] == ["1", "20", "1"]


def test_a_table_for_the_wrong_platform_is_told():
    canvas = graded("ada_12", file="ada_LATE_12_345_hw01.ipynb")
    moodle = graded("Ben B_34", file="Ben B_34_assignsubmission_file_/hw01.ipynb")
    refused = graded("cem", status="refused")
    for record, system, other in ((canvas, "canvas", "moodle"), (moodle, "moodle", "canvas")):
        assert not misfits([record, refused], system)
        assert not misfits([record], "plain")
        told = misfits([record], other)
        assert f"{record.student}: their files are named as {system} does" in told
    told = misfits([canvas, graded("dan", file="dan.ipynb")], "canvas")
    assert "1 of 2 students, such as dan: their files have no number" in told


def test_gradescope_gets_public_messages_and_a_score(tmp_path):
    gradescope.write_results(RECORD, tmp_path / "results.json")
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["score"] == 1
    assert "SECRET" not in json.dumps(results)
    assert "\\u001b" not in json.dumps(results)
    shown = [test["visibility"] for test in results["tests"]]
    assert shown == ["visible", "visible", "after_published", "after_published"]
    assert sum(test["score"] for test in results["tests"]) == results["score"]


def test_gradescope_is_left_without_results_where_the_judge_fails(submissions, tmp_path):
    folder, out = submissions(ada="q1 good"), tmp_path / "results.json"
    words = ["gradescope", "hw01", "--submission", str(folder), "--results", str(out)]
    assert main(words, make) == 0
    assert json.loads(out.read_text())["score"] == 4
    out.unlink()
    submissions(ada="wrong")
    assert main(words, make) == 3
    assert not out.exists()
    submissions(ben="q2 good")
    assert main(words, make) == 0
    results = json.loads(out.read_text())
    assert results["score"] == 0
    assert "several notebooks that differ" in results["output"]


def test_the_archive_for_gradescope_holds_what_its_scripts_name(tmp_path):
    out = tmp_path / "a.zip"
    assert main(["gradescope", "hw01", "--out", str(out), "--variant", "v3"]) == 0
    with zipfile.ZipFile(out) as archive:
        names = set(archive.namelist())
        start = archive.read("run_autograder").decode()
        modes = {each.filename: each.external_attr >> 16 for each in archive.infolist()}
    assert "gradescope hw01_recurrence" in start
    assert "--variant v3" in start
    assert {"setup.sh", "salt", "requirements.txt", "course_lib/grading/judge.py"} <= names
    assert {name for name in names if name.startswith("homework/")} == {
        "homework/hw01_recurrence/hw01_recurrence.py",
        "homework/hw01_recurrence/variants.txt",
    }
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    assert modes["salt"] == 0o600
    assert out.stat().st_mode & 0o077 == 0


def test_an_archive_that_is_there_is_kept_and_git_does_not_show_a_new_one(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gradescope, "write_archive", lambda name, out, *_: out.write_text(name))
    out = tmp_path / "_build" / "hw01_recurrence.zip"
    assert main(["gradescope", "hw01"]) == 0
    out.write_text("mine")
    assert main(["gradescope", "hw01"]) == 2
    assert "say --force" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert main(["gradescope", "hw01", "--force"]) == 0
    assert out.read_text() == "hw01_recurrence"


HOME = load("hw01_recurrence", HOMEWORK)


def handed_in(student, change=lambda text: text):
    notebook = read_cells(HOME.solution())
    for cell in notebook["cells"]:
        cell["source"] = change(cell["source"])
    return Submission(student, notebook=notebook)


def test_a_copy_with_other_names_and_comments_is_flagged_and_the_given_text_is_not():
    def disguised(text):
        return text.replace("h = torch.where", "# mine\n        h = torch.where").replace(
            "real", "ok"
        )

    start = Submission("untouched", notebook=read_cells(HOME.start()))
    also = Submission("also untouched", notebook=read_cells(HOME.start()))
    own = Submission(
        "own", notebook={"cells": [{"cell_type": "code", "source": "def rnn(x): x +"}]}
    )
    sent = [handed_in("eve", disguised), start, also, own, Submission("none")]
    (pair,) = similarity.compare(sent, HOME)
    assert (pair.first, pair.second) == ("eve", similarity.SOLUTION)
    assert pair.share > 0.9
    assert {"rnn", "clip", "gru"} <= set(pair.functions)
    assert "100 %  eve" in similarity.as_text([pair])


def test_a_blank_notebook_is_like_no_other():
    blank = read_notebook((HOMEWORK / HOME.name / "student" / f"{HOME.name}.ipynb").read_bytes())
    sent = [Submission(name, notebook=blank) for name in ("ada", "ben")]
    assert not similarity.compare([*sent, handed_in("eve", lambda text: "")], HOME)


def test_what_many_write_alike_gives_no_pairs_and_is_told_as_a_group():
    sent = [handed_in(f"s{number}") for number in range(12)]
    pairs = similarity.compare(sent, HOME)
    assert [pair.second for pair in pairs] == [similarity.SOLUTION] * 12, "which is public"
    (group,) = similarity.shared(sent, HOME)
    assert len(group.students) == 13
    assert "12 submissions share `rnn`, " in similarity.as_text(pairs, [group])
    assert not similarity.shared(sent[:7], HOME), "whose pairs are listed"
