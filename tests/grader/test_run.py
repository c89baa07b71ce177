"""Runs: what was handed in, what is kept, what a teacher reads, and what happens without a jail."""

import csv
import io
import json
import os
import unicodedata
import zipfile
from dataclasses import replace

import pytest

from course_grader import GraderError, collect, jail, report
from course_grader.cli import main
from course_grader.jail import LIMITS, WEAK, Jail
from course_grader.judge import Judge, Outcome, suspicious
from course_grader.run import ERROR, Record, grade, grade_one, read_records, salt_of
from tests.grader.conftest import assignment, notebook

NAME = "hw01_recurrence"
EVIL = "<script>alert(1)</script>\x1b[2J"
TESTS = (
    Outcome("q1", "test_a", False, "A.", 1.0, "passed"),
    Outcome("q1", "test_b", False, "B.", 2.0, "failed", f"want 1; got {EVIL}"),
    Outcome("q2", "test_c", True, "Long sentences.", 1.0, "stopped", "SECRET"),
)
RECORD = Record(NAME, f"=mira{EVIL}", "7", "mira.ipynb", "0", points=4.0, tests=TESTS)


def test_a_run_grades_resumes_and_grades_again_what_changed(jail, written, tmp_path, capfd):
    """The student's warnings and prints are not among the lines of progress."""
    noisy = "import warnings, sys\nwarnings.warn('loud'); print('loud', file=sys.stderr)\n"
    right, wrong = "def double(x): return 2 * x", "def double(x): return x"
    folder, run = written(ada=noisy + right, ben=wrong), tmp_path / "run"
    judge = Judge(assignment("double"), jail, salt_of(run))

    def graded():
        found = collect.collect(folder, NAME)
        return {r.student: (r.score, r.seconds) for r in grade(run, judge, found, 1)}

    first = graded()
    assert {name: score for name, (score, _) in first.items()} == {"ada": 1, "ben": 0}
    assert graded() == first, "nothing is run again"
    written(ben=right)
    again = graded()
    assert (again["ada"], again["ben"][0]) == (first["ada"], 1)
    assert [record.score for record in read_records(run)] == [1, 1]
    assert {record.jail for record in read_records(run)} == {"bubblewrap"}
    assert capfd.readouterr() == ("", "")


def test_the_commands_from_notebooks_to_page_and_table(jail, written, tmp_path, capsys):
    folder = written(ada="1 / 0")
    source = tmp_path / "sources" / NAME / f"{NAME}.py"
    source.parent.mkdir(parents=True)
    test = (
        '"""x = 1"""\n\ndef test_x(double):\n    """Ask."""\n    assert double(1) == 2, "want 2"\n'
    )
    mark = "# %% [raw]\n# # BEGIN "
    source.write_text(f"{mark}QUESTION\n# name: q1\n\n{mark}TESTS\n\n# %%\n{test}")
    words = ["--sources", str(tmp_path / "sources")]
    assert main(["grade", str(folder), *words]) == 0
    assert "cell 2: ZeroDivisionError: division by zero" in capsys.readouterr().out
    assert main(["grade", str(folder), *words]) == 2
    assert "add --resume" in capsys.readouterr().err
    run = folder.with_name("submissions-graded")
    assert (run / "grades.csv").read_text().startswith("student,id,score,points,q1,status,")
    assert "name &#x27;double&#x27; is not defined" in (run / "report.html").read_text()
    assert main(["csv", str(run)]) == main(["report", str(run)]) == 0
    results = tmp_path / "results.json"
    words += ["--assignment", "hw01", "--results", str(results)]
    assert main(["check", str(folder), *words]) == 0
    assert "test_x: failed" in capsys.readouterr().out
    assert json.loads(results.read_text())["score"] == 0


def test_cells_that_end_are_left_out_and_a_stopped_test_leaves_its_questions_others(judge):
    cells = [
        "import os\nos._exit(0)",
        "def first(x):\n    while True: pass",
        "def second(x): return 2 * x",
    ]
    known = assignment("first", "second")
    known = known._replace(cases=(known.cases[0], *known.cases))
    outcomes, remarks = judge(known, test=3.0).grade(notebook(*cells))
    assert [outcome.status for outcome in outcomes] == ["stopped", "stopped", "passed"]
    assert "a test of this question was stopped before" in outcomes[1].message
    assert remarks == [
        "cell 1: left out: your code ended the process in which it ran (it begins: import os)"
    ]
    outcomes, _ = judge("second", notebook=1e-3).grade(notebook())
    assert outcomes[0].message.startswith("not run: the notebook took")


def test_a_kernel_that_does_not_start_is_the_graders_error(written):
    broken = Jail("container none (false)", engine="false", image="none")
    judge = Judge(assignment("double"), broken)
    record = grade_one(judge, collect.collect_one(written(ada="1") / "ada.ipynb"))
    assert (record.status, record.score) == (ERROR, None)
    assert "a kernel does not start" in record.remarks[0]


def test_replaced_functions_are_flagged():
    cells = {
        1: "import torch.nn.functional as F\nF.softmax = print",
        2: "torch.backends.cudnn.deterministic = True\nassert torch.e == torch.e",
        3: "setattr(torch, 'equal', print)",
    }
    replaced = ["look at cell 1: it replaces F.softmax", "look at cell 3: it replaces torch"]
    assert suspicious(cells) == replaced


def packed(content):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("hw01.ipynb", content)
    return data.getvalue()


def test_what_was_handed_in(tmp_path, written, monkeypatch):
    """A student each, in whatever way; names are compared in one Unicode form."""
    folder = written(ada="x = 1", doejane_LATE_12_34_hw01="x = 1", other="x = 1")
    content = (folder / "ada.ipynb").read_text()
    (folder / "other.ipynb").write_text(content.replace(NAME, "hw03_alignment"))
    for form, file in (("NFC", "hw01.ipynb"), ("NFD", "hw01 (1).ipynb")):
        kind = "file" if form == "NFC" else "onlinetext"
        place = folder / unicodedata.normalize(form, f"Jörg_123_assignsubmission_{kind}")
        place.mkdir()
        (place / file).write_text(content)
        (place / "Thumbs.db").write_bytes(b"x")
    for litter in ("desktop.ini", "~$hw01.ipynb", ".DS_Store", "Thumbs.db"):
        (folder / litter).write_bytes(b"x")
    (folder / "zip.zip").write_bytes(packed(content))
    (folder / "damaged.zip").write_bytes(packed(content)[:60])
    (folder / "large.zip").write_bytes(packed(content + " " * 5000))
    (folder / "empty.ipynb").write_bytes(b"")
    (folder / "list.ipynb").write_bytes(b"[1]")
    (folder / "deep.ipynb").write_bytes(b"[" * 3000)
    (folder / "link.ipynb").symlink_to("ada.ipynb")
    (folder / "paper.pdf").write_bytes(b"x")
    os.mkfifo(folder / "pipe.ipynb")
    (folder / "two").mkdir()
    (folder / "two" / "a.ipynb").write_text(content)
    (folder / "two" / "b.ipynb").write_text(content.replace("x = 1", "x = 2"))
    monkeypatch.setattr(collect, "LARGEST", 4000)
    found = {each.student: each for each in collect.collect(folder, NAME)}
    good = {name for name, each in found.items() if each.notebook}
    assert good == {"ada", "doejane", "Jörg", "zip"}
    assert (found["Jörg"].id, found["doejane"].id, found["ada"].id) == ("123", "12", "")
    assert found["zip"].file == "zip.zip/hw01.ipynb"
    reasons = {
        "other": "hw03_alignment; want hw01_recurrence",
        "damaged": "damaged or locked",
        "large": "holds more than",
        "empty": "the file is empty",
        "list": "it is no notebook",
        "deep": "it is no notebook",
        "link": "a link, which is not followed",
        "paper.pdf": "there is no notebook",
        "pipe": "no regular file",
        "two": "several notebooks that differ: two/a.ipynb, two/b.ipynb",
    }
    assert reasons.keys() | good == found.keys()
    for name, reason in reasons.items():
        assert reason in found[name].reason


def test_page_and_table_hold_nothing_that_runs():
    refused = replace(RECORD, student="paul", status="refused", tests=(), remarks=("no notebook",))
    page = report.page([RECORD, refused])
    assert "want 1; got &lt;script&gt;" in page
    assert "SECRET" in page, "it is for teachers"
    assert "<script" not in page
    assert "\x1b" not in page
    mira, paul = csv.DictReader(io.StringIO(report.table([RECORD, refused])))
    assert (mira["student"][:6], mira["id"], mira["score"]) == ("'=mira", "7", "1")
    assert (mira["q1"], mira["q2"], paul["score"], paul["status"]) == ("1", "0", "", "refused")
    weak = report.line(replace(RECORD, student="ada", jail=WEAK))
    assert weak == "ada  1/4  none (--allow-weak)"
    shown = report.gradescope(RECORD)
    assert shown["score"] == 1
    assert "SECRET" not in json.dumps(shown)
    assert [test["visibility"] for test in shown["tests"]] == ["visible"] * 2 + ["after_published"]


def test_without_bubblewrap_nothing_is_run_unless_somebody_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GraderError, match=r"bubblewrap is not installed\. .*--allow-weak"):
        jail.choose()
    with pytest.raises(GraderError, match="wants podman or docker"):
        jail.choose("course")
    assert jail.choose(allow_weak=True).name == WEAK
    (tmp_path / "docker").write_text("")
    (tmp_path / "docker").chmod(0o755)
    command = jail.choose("course").command(tmp_path, LIMITS)
    assert command[:2] == ["docker", "run"]
    assert command[command.index("--network") + 1] == "none"
    assert command[command.index("course") :][:3] == ["course", "python", "-m"]


def test_the_weak_jail_grades_as_well():
    outcomes, _ = Judge(assignment("double"), Jail(WEAK)).grade(
        notebook("double = lambda x: 2 * x")
    )
    assert [outcome.status for outcome in outcomes] == ["passed"]


def test_the_archive_for_gradescope_holds_what_its_container_needs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["gradescope", "hw04", "--variant", "v1"]) == 0
    with zipfile.ZipFile("hw04_bahdanau.zip") as archive:
        names, run = set(archive.namelist()), archive.read("run_autograder").decode()
    name = "hw04_bahdanau"
    wanted = {"setup.sh", "salt", "pyproject.toml", f"homework/{name}/{name}.py"}
    assert wanted | {"course_grader/cli.py", "course_lib/__init__.py"} <= names
    assert f"check /autograder/submission \\\n    --assignment {name} " in run
    assert "--variant v1" in run
    assert "--allow-weak" not in run
