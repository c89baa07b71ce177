"""Hostile submissions gain nothing, harm no other, and leave no process."""

import json
import os
import socket
from pathlib import Path

import pytest

from course_lib.grading import jail
from course_lib.grading.jail import LANDLOCK, NAMESPACES, Limits
from course_lib.grading.judge import Judge
from course_lib.grading.record import to_json
from tests.unit.grading.hostile import KINDS
from tests.unit.grading.small import FOURFOLD, RIGHT, SOURCE, notebook

LIMITS = Limits(cpu=3.0, wall=15.0, memory=256 << 20, disk=4 << 20, processes=12, cells=20.0)


@pytest.fixture(scope="module", params=[NAMESPACES, LANDLOCK])
def judge(request, tmp_path_factory):
    missing = {
        NAMESPACES: jail._without_namespaces(),
        LANDLOCK: jail._without_landlock(),
    }[request.param]
    if missing:
        pytest.skip(missing)
    folder = tmp_path_factory.mktemp("homework")
    (folder / "hw99_small").mkdir()
    (folder / "hw99_small" / "hw99_small.py").write_text(SOURCE, encoding="utf-8")
    os.environ["SECRET"] = "of-the-judge"
    with Judge("hw99", jail=request.param, homework=folder, limits=LIMITS, salt=b"s" * 16) as made:
        made.folder = folder
        yield made
    del os.environ["SECRET"]


def sleepers():
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            found += [number] * (b"98765" in Path("/proc", number, "cmdline").read_bytes())
        except OSError:
            continue
    return found


@pytest.mark.parametrize("name", KINDS)
def test_a_hostile_kind_gains_nothing(judge, name, tmp_path):
    kind = KINDS[name]
    if judge.jail == LANDLOCK and not kind.both:
        pytest.skip("not a matter of the rung")
    mark = tmp_path / "mark"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        cells = [
            cell.replace("@HOMEWORK@", str(judge.folder))
            .replace("@MARK@", str(mark))
            .replace("@PORT@", str(port))
            for cell in kind.cells
        ]
        record = judge.grade(notebook(*cells), student=name)
    first = record.questions[0].tests[0]
    told = f"{first.message} {' '.join(record.cells)}"
    assert record.score <= kind.score, record
    if kind.statuses == ("passed",):
        assert record.score == kind.score, record
    assert len(first.message) < 12_000
    assert first.status in kind.statuses, record
    assert kind.says in told
    assert kind.absent not in told
    assert not mark.exists()
    assert not sleepers()
    json.loads(to_json(record))


def test_the_next_submission_is_graded_as_if_alone(judge):
    record = judge.grade(notebook(RIGHT, FOURFOLD), student="right")
    assert (record.score, record.status, record.jail) == (20, "graded", judge.jail), record


def test_what_one_submission_writes_no_other_finds(judge):
    leave = "import os\nfor top in ('.', '/tmp', '/dev/shm', '/submission'):\n"
    leave += (
        "    try: open(os.path.join(top, 'answer'), 'w').write('2')\n    except OSError: pass\n"
    )
    judge.grade(notebook(leave, RIGHT, FOURFOLD), student="one")
    look = "def double(x):\n    import os\n    tops = ('.', '/tmp', '/dev/shm', '/submission')\n"
    look += "    raise ValueError([t for t in tops if os.path.exists(os.path.join(t, 'answer'))])\n"
    record = judge.grade(notebook(look), student="other")
    assert "[]" in record.questions[0].tests[0].message
