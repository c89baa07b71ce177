"""From a folder of notebooks to pages and a table, with the real judge, by the commands alone."""

import csv
import io
import json
import sys

import pytest

from course_lib.grading.assignment import load
from course_lib.grading.cli import main
from course_lib.grading.run import read_records

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a jail needs Linux")


@pytest.fixture
def folder(tmp_path):
    """A right notebook, one whose clip raises, and one that was copied from the public variant."""
    if main(["doctor"]) != 0:
        pytest.skip("no jail can be had here")
    folder = tmp_path / "submissions"
    folder.mkdir()
    right = json.dumps(load("hw01", variant="v2").solution())
    wrong = right.replace("norm = whole", "raise ValueError('<mine>')\\n    norm = whole")
    public = json.dumps(load("hw01").solution())
    for name, content in {"ada": right, "ben": wrong, "eve": public}.items():
        (folder / f"{name}.ipynb").write_text(content)
    return folder


def test_a_folder_is_graded_told_and_listed(folder, tmp_path, capsys):
    run = tmp_path / "run"
    words = ["--submissions", str(folder), "--out", str(run), "--variant", "v2"]
    assert main(["grade", "hw01", *words]) == 0
    ada, ben, eve = read_records(run)
    assert (ada.score, ben.score, eve.score) == (20, 17, 18)
    assert ada.salt
    assert ada.jail == ben.jail
    (clip,) = (question for question in ben.questions if question.name == "q3")
    assert all("raise ValueError" in test.line for test in clip.tests)
    capsys.readouterr()
    assert main(["csv", str(run)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["score"] for row in rows] == ["20", "17", "18"]
    assert main(["report", str(run)]) == 0
    (page,) = (run / "report" / "students").glob("ben-*.html")
    assert "raise ValueError(&#x27;&lt;mine&gt;&#x27;)" in page.read_text()
    assert main(["regrade", str(run), "--question", "q3"]) == 0
    assert [record.score for record in read_records(run)] == [20, 17, 18]
