"""What a GPU found and how fast the library is: files, and the page Speed that is made of them."""

import json
import math

import pytest
import torch

from tools import gpu_lane, speed
from tools.notebooks import deviation
from tools.project import ROOT, TaskError

REPORT = """<testsuite><testcase file="x/04_one.ipynb" time="2.5"/>
<testcase file="x/04_one.ipynb" time="1.25"/>
<testcase file="x/05_two.ipynb" time="1"/></testsuite>"""


@pytest.mark.parametrize(
    ("stored", "new", "off"),
    [
        ("loss 2.00 after 3", "loss 2.00 after 3", 0.0),
        ("loss 2.00 after 3", "loss 2.50 after 3", 0.2),
        ("a 1.0 b 4", "a 1.0 b 2", 0.5),
        ("nan and 1", "nan and 1", 0.0),
        ("1.0", "inf", math.inf),
        ("yes 1.0", "no 1.0", math.inf),
    ],
)
def test_a_deviation_is_relative_and_of_other_words_infinite(stored, new, off):
    assert deviation.deviation(stored, new) == pytest.approx(off)


def test_chapters_have_their_seconds_and_the_cells_that_are_off(tmp_path, monkeypatch):
    report = tmp_path / gpu_lane.REPORT.relative_to(ROOT)
    report.parent.mkdir(parents=True)
    report.write_text(REPORT)
    monkeypatch.setenv(deviation.VARIABLE, str(gpu_lane._deviations(tmp_path)))
    deviation.note("04_one", 7, "1.000", "1.001", True)
    deviation.note("04_one", 8, "1.0", "2.0", False)
    deviation.note("04_one", 9, "yes", "no", False)
    deviation.note("04_one", 9, "yes", "yes", True)
    found = gpu_lane.chapters(tmp_path)
    assert found["04_one"] == {"seconds": 3.8, "largest": 0.5, "cells": [[8, 0.5], [9, None]]}
    assert found["05_two"] == {"seconds": 1.0, "largest": 0.0, "cells": []}


@pytest.fixture
def lane(tmp_path, monkeypatch):
    """The lane with a GPU that is not there and parts that take no time."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "A card")
    monkeypatch.setattr(gpu_lane, "PARTS", {"good": ["timeit", "-n1", "1"], "bad": ["nothing"]})
    (tmp_path / "book").mkdir()
    return tmp_path


def test_what_passed_is_not_run_again_and_the_page_shows_it(lane, monkeypatch):
    assert gpu_lane.run([], lane) == 1
    told = json.loads((lane / speed.GPU).read_text())
    assert told["device"] == "A card"
    assert [part["passed"] for part in told["parts"].values()] == [True, False]
    text = (lane / speed.PAGE).read_text()
    assert "A card; Python" in text
    assert "| good | passed |" in text
    monkeypatch.setattr(gpu_lane, "PARTS", {"good": ["nothing"], "bad": ["timeit", "-n1", "1"]})
    assert gpu_lane.run([], lane) == 0


def test_without_a_gpu_it_says_so(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(TaskError, match="no GPU"):
        gpu_lane.run([])


def test_the_page_in_the_book_is_what_its_files_say():
    assert (ROOT / speed.PAGE).read_text(encoding="utf-8") == speed.page(ROOT)
