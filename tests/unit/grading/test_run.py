"""A folder becomes records: nothing is graded twice, lost or mixed up, whatever the judge does."""

import multiprocessing
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from course_lib.errors import CourseError
from course_lib.grading import processes
from course_lib.grading import run as module
from course_lib.grading.assignment import HOMEWORK
from course_lib.grading.cli import main
from course_lib.grading.collect import Submission
from course_lib.grading.plan import Plan
from course_lib.grading.record import read
from course_lib.grading.run import begin, place, read_records, submissions_of
from tests.unit.grading.stand_in import make

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.usefixtures("quick")


def grade(folder, run, *options, command="grade", make=make):
    words = {"grade": ["grade", "hw01", "--submissions", str(folder), "--out", str(run)]}
    return main([*words.get(command, [command, str(run)]), *options], make)


def scores(run):
    return {record.student: record.score for record in read_records(run)}


def test_each_submission_has_its_record(submissions, tmp_path, capsys):
    folder = submissions(ada="q1 good; q2 good", ben="q5 good")
    (folder / "cem.ipynb").write_text("")
    run = tmp_path / "run"
    assert grade(folder, run, "--jobs", "2") == 0
    assert scores(run) == {"ada": 10, "ben": 4, "cem": None}
    ada, _, cem = read_records(run)
    assert ada.file == "ada.ipynb"
    assert len(ada.sha256) == 64
    assert ada.points == cem.points == 20
    assert (cem.status, cem.reason) == ("refused", "cem.ipynb: the file is empty")
    told = capsys.readouterr()
    assert "Ask who is refused" in told.out
    assert "2 graded, 1 refused, mean 7.0 of 20" in told.out
    assert "3/3" in told.err
    assert stat.S_IMODE((run / "salt").stat().st_mode) == 0o600
    assert stat.S_IMODE(run.stat().st_mode) == 0o700


def test_no_rows_to_look_at_are_not_announced(submissions, tmp_path, capsys):
    assert grade(submissions(ada="q1 good"), tmp_path / "run") == 0
    assert capsys.readouterr().out.endswith("next report, csv, similarity\n")


def test_resume_grades_what_is_new_changed_or_failed_and_nothing_else(submissions, tmp_path):
    given = {"ada": "q1 good", "ben": "q2 good", "cem": "raise", "eva": "raise"}
    folder, run = submissions(**given), tmp_path / "run"
    assert grade(folder, run) == 3
    kept, failed = (place(run, name).stat().st_mtime_ns for name in ("ada", "eva"))
    submissions(ben="q2 good; q3 good", cem="q1 good", dan="q5 good")
    assert grade(folder, run) == 2
    assert grade(folder, run, "--resume") == 3
    assert scores(run) == {"ada": 4, "ben": 9, "cem": 4, "dan": 4, "eva": None}
    assert place(run, "ada").stat().st_mtime_ns == kept
    assert place(run, "eva").stat().st_mtime_ns > failed, "the judge failed: it is tried again"


def test_a_judge_that_raises_or_dies_costs_that_submission_alone(
    submissions, tmp_path, monkeypatch, capfd
):
    monkeypatch.setattr(processes, "CONTEXT", multiprocessing.get_context("spawn"))  # as it is used
    folder, run = (
        submissions(a="q1 good", b="die", c="raise", d="wrong", e="q1 good"),
        tmp_path / "r",
    )
    assert grade(folder, run) == 3
    records = {record.student: record for record in read_records(run)}
    assert scores(run) == {"a": 4, "b": None, "c": None, "d": None, "e": 4}
    assert [records[name].status for name in "bcd"] == ["error"] * 3
    assert "stopped with code 7" in records["b"].reason
    assert "ZeroDivisionError: judge's own" in records["c"].reason
    assert "Traceback" in capfd.readouterr().err, "whoever maintains the judge needs it"


def test_a_judge_that_hangs_is_given_up(submissions, tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "LONGEST", 0.1)
    folder, run = submissions(a="hang"), tmp_path / "run"
    assert grade(folder, run) == 3
    assert "took longer" in read_records(run)[0].reason


def test_what_takes_long_is_told_meanwhile(submissions, monkeypatch, capsys):
    monkeypatch.setattr(processes, "SILENT", 0.2)
    assert main(["check", str(submissions(ada="slow") / "ada.ipynb")], make) == 0
    assert "grading ada: q1, 0 s so far" in capsys.readouterr().err


def test_a_judge_that_cannot_be_made_is_one_line(submissions, tmp_path, capsys):
    assert grade(submissions(a="x"), tmp_path / "run", "--allow-weak") == 2
    assert capsys.readouterr().err == "error: the stand-in allows nothing weak\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_ran_out_of_time_is_tried_again_once_when_nothing_else_runs(
    submissions, tmp_path, jobs
):
    folder, run, log = submissions(a="late", b="slow", c="slow"), tmp_path / "run", tmp_path / "log"
    noting = partial(make, log=log)
    assert grade(folder, run, "--jobs", jobs, make=noting) == 0
    assert [r.status for r in read_records(run)] == ["needs review", "graded", "graded"]
    lines = log.read_text().split("\n")[:-1]
    assert lines[-2:] == ["begin a", "end a"]
    assert lines.count("begin a") == 2
    assert main(["check", str(folder / "a.ipynb")], noting) == 0
    assert log.read_text().count("begin a") == 4


def test_shards_share_the_work_and_the_salt(submissions, tmp_path, capsys):
    folder = submissions(**{f"s{number}": f"q{number % 5 + 1} good" for number in range(12)})
    run, key = tmp_path / "run", tmp_path / "key"
    key.write_bytes(b"0123456789abcdef")
    assert grade(folder, run, "--shard", "1/3") == 2
    assert "want --salt-file with --shard" in capsys.readouterr().err
    for number in (1, 2, 3):
        assert grade(folder, run, "--salt-file", str(key), "--shard", f"{number}/3") == 0
    assert len(scores(run)) == 12
    assert len({record.salt for record in read_records(run)}) == 1
    plan = module.read_plan(run)
    each = [{s.student for s in submissions_of(plan, (number, 3))} for number in (1, 2, 3)]
    assert sum(map(len, each)) == 12
    assert set.union(*each) == set(scores(run))


def test_regrade_changes_one_question_and_says_so(submissions, tmp_path, capsys):
    folder, run = submissions(ada="q1 good", ben="raise", cem="q3 good"), tmp_path / "run"
    grade(folder, run)
    before = read(place(run, "ada"))
    submissions(cem="changed since")
    better = partial(make, good="q3")
    assert grade(folder, run, "--question", "q3", command="regrade", make=better) == 0
    assert scores(run) == {"ada": 7, "ben": None, "cem": 3}
    after = read(place(run, "ada"))
    assert [q.name for q in after.questions] == ["q1", "q2", "q3", "q4", "q5"]
    assert after.questions[0] == before.questions[0]
    assert after.salt == before.salt
    told = capsys.readouterr()
    assert "7/20  (was 4/20)" in told.err
    assert "2 others are as they were" in told.err
    assert "\nscores that changed: 1\n  ada  7/20  (was 4/20)\nThe report and the table" in told.out
    assert grade(folder, run, "--question", "q9", command="regrade") == 2
    assert "want one of the questions q1, q2" in capsys.readouterr().err


def test_a_run_whose_tests_changed_says_so(submissions, tmp_path, capsys):
    folder, run = submissions(ada="q1 good", ben="q1 good"), tmp_path / "run"
    home = Path(
        shutil.copytree(HOMEWORK / "hw01_recurrence", tmp_path / "home" / "hw01_recurrence")
    )
    source, words = home / "hw01_recurrence.py", ("--homework", str(home.parent))
    assert grade(folder, run, *words) == 0
    assert "warning" not in capsys.readouterr().err
    text = source.read_text()
    test = (
        "def test_" + text[text.index("# name: q3") :].partition("def test_")[2].partition("(")[0]
    )
    source.write_text(text.replace(test, test + "_now"))
    submissions(cem="q1 good")
    says = f"warning: graded by tests that have changed since: q3 of 2; regrade {run} --question q3"
    assert grade(folder, run, "--resume", *words) == 0
    assert says in capsys.readouterr().err
    assert grade(folder, run, command="report") == 0
    assert says in capsys.readouterr().err
    assert grade(folder, run, "--question", "q3", command="regrade") == 0
    assert "warning" not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["csv", "report"])
def test_what_is_not_graded_yet_is_told(submissions, tmp_path, capsys, command):
    folder, run = submissions(ada="q1 good", ben="q1 good"), tmp_path / "run"
    assert grade(folder, run) == 0
    assert grade(folder, run, command=command) == 0
    assert "not graded yet" not in capsys.readouterr().err
    submissions(cem="q1 good")
    assert grade(folder, run, command=command) == 0
    assert "not graded yet: 1 of 3 submissions; use --resume" in capsys.readouterr().err
    shutil.rmtree(folder)
    assert grade(folder, run, command=command) == 0


def test_a_folder_that_is_another_run_or_no_run_is_left_alone(submissions, tmp_path, capsys):
    folder, run, key = submissions(ada="x"), tmp_path / "run", tmp_path / "key"
    assert grade(folder, run) == 0
    key.write_bytes(b"another salt, long enough")
    assert grade(folder, run, "--resume", "--salt-file", str(key)) == 2
    assert "another salt" in capsys.readouterr().err
    assert grade(folder, run, "--resume", "--variant", "v1") == 2
    assert "begun for hw01_recurrence, variant v0" in capsys.readouterr().err
    assert grade(folder, folder) == 2
    assert sorted(path.name for path in folder.iterdir()) == ["ada.ipynb"]
    key.write_bytes(b"short")
    assert grade(folder, tmp_path / "other", "--salt-file", str(key)) == 2
    assert "16 bytes or more" in capsys.readouterr().err
    assert grade(folder, tmp_path / "none", command="report") == 2
    assert "want the folder of a run" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["../../etc", "a" * 300, "Mira\n", "mira", "MIRA", "a/b", ".."])
def test_a_students_name_never_leaves_the_folder(tmp_path, name):
    path = place(tmp_path, name)
    assert path.parent == tmp_path / "records"
    assert len(path.name) < 100
    assert path.name.lower() != place(tmp_path, name + "x").name.lower()


def test_names_that_differ_in_case_alone_have_two_records(tmp_path):
    assert place(tmp_path, "mira").name.lower() != place(tmp_path, "MIRA").name.lower()


def test_a_run_that_is_interrupted_stops_at_once_and_is_taken_up_again(submissions, tmp_path):
    folder = submissions(**{f"s{number}": "slow; q1 good" for number in range(6)})
    submissions(s0="q1 good")
    run = tmp_path / "run"
    code = (
        "import sys; from functools import partial; from course_lib.grading.cli import main; "
        "from tests.unit.grading.stand_in import make; "
        # On a busy machine the signal comes seconds after the first line.
        "sys.exit(main(sys.argv[1:], partial(make, slow=5)))"
    )
    words = ["grade", "hw01", "--submissions", str(folder), "--out", str(run), "--resume"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert "1/6" in process.stderr.readline()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all of them
    begun = time.monotonic()
    assert "--resume grades the rest" in process.communicate(timeout=20)[1]
    assert process.returncode == 130
    assert time.monotonic() - begun < 10
    done = len(read_records(run))
    assert 1 <= done < 6
    assert grade(folder, run, "--resume") == 0
    assert set(scores(run).values()) == {4}


def test_begin_is_the_same_for_those_who_come_at_once(tmp_path):
    plan = Plan("hw01_recurrence", "v0", str(tmp_path), str(HOMEWORK))
    salts = {begin(tmp_path / "run", plan) for _ in range(3)}
    assert len(salts) == 1
    with pytest.raises(CourseError, match="begun for"):
        begin(tmp_path / "run", replace(plan, allow_weak=True))


def test_a_refused_submission_that_was_graded_before_is_refused(submissions, tmp_path):
    folder, run = submissions(ada="q1 good"), tmp_path / "run"
    grade(folder, run)
    (folder / "ada.ipynb").write_text("no more")
    assert grade(folder, run, "--resume") == 0
    assert scores(run) == {"ada": None}
    assert isinstance(submissions_of(module.read_plan(run))[0], Submission)


@pytest.mark.parametrize(("jail", "code"), [(True, 0), (False, 2)])
def test_doctor_says_what_holds(monkeypatch, capsys, jail, code):
    found = [("bubblewrap", False, "not installed"), ("jail", jail, "landlock")]
    monkeypatch.setattr("course_lib.grading.jail.doctor", lambda: found)
    assert main(["doctor"]) == code
    assert "no   bubblewrap: not installed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["grade", "hw01"], "the following arguments are required: --submissions, --out"),
        (["grade", "hw77", "--submissions", ".", "--out", "x"], "want a homework of"),
        (["grade", "hw01", "--submissions", "none", "--out", "x"], "cannot read the folder of"),
        (["grade", "hw01", "--submissions", ".", "--out", "x", "--shard", "5/4"], "such as 1/4"),
        (["grade", "hw01", "--submissions", ".", "--out", "x", "--jobs", "0"], "from 1 to 999"),
        (["check", "none.ipynb"], "there is no none.ipynb"),
        (["check", "pyproject.toml"], "there is no notebook (there is pyproject.toml)"),
        (["csv", "."], "want the folder of a run"),
        (["csv", ".", "--for", "excel"], "invalid choice: 'excel'"),
        (["gradescope", "hw01", "--submission", "."], "want --results FILE"),
        (["gradescope", "hw01", "--homework", "."], "holds no homework's source"),
        (["nothing"], "invalid choice"),
    ],
)
def test_a_mistake_is_one_line_and_changes_nothing(words, says, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "a.ipynb").write_text("")
    assert main(words, make) == 2
    told = capsys.readouterr()
    assert says in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""
    assert len(list(tmp_path.iterdir())) == 2


def test_check_shows_a_teacher_everything(submissions, capsys):
    folder = submissions(ada="q1 good", ben="raise")
    assert main(["check", str(folder / "ada.ipynb")], make) == 0
    told = capsys.readouterr().out
    assert "ada: graded; 4 of 20 points" in told
    assert "the secret" in told
    assert main(["check", str(folder / "ben.ipynb")], make) == 3
    told = capsys.readouterr()
    assert "ZeroDivisionError" in told.out
    assert "points" not in told.out
