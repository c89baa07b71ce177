"""Killed by SIGKILL, anywhere and often, a run ends with the weights of one that was not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.training.checkpoint import read_history
from course_lib.training.tensors import read_tensors

if not hasattr(os, "fork"):
    pytest.skip("needs fork and SIGKILL, which Windows lacks", allow_module_level=True)

WORKER = Path(__file__).with_name("resume_worker.py")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    done = subprocess.run(
        [sys.executable, str(WORKER), str(folder)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    return folder, [json.loads(line) for line in done.stdout.splitlines()]


def test_it_was_killed_at_every_kind_of_moment_and_went_on(runs):
    _, attempts = runs
    killed = [attempt for attempt in attempts if attempt["killed"]]
    places = {tuple(attempt["place"] or ["any moment"]) for attempt in killed}
    assert len(places) == 7
    assert len(killed) >= 15
    # The kills are spread over the run, not all before its first checkpoint or after its end.
    assert len({attempt["saved"] for attempt in killed} - {None, 70}) >= 6
    saved = [attempt["saved"] or 0 for attempt in attempts]
    assert saved == sorted(saved)


def test_the_final_weights_are_the_same_bit_for_bit(runs):
    folder, _ = runs
    for name in ("final.safetensors", "best.safetensors"):
        killed, unbroken = ((folder / run / name).read_bytes() for run in ("killed", "unbroken"))
        assert killed == unbroken


def test_so_are_the_optimizer_and_the_history(runs):
    folder, _ = runs
    found = []
    for run in ("killed", "unbroken"):
        tensors, record = read_tensors(folder / run / "last.safetensors")
        progress = record["progress"] | {"seconds": None}
        progress["records"] = [line | {"seconds": None} for line in progress["records"]]
        content = {name: tensor.numpy().tobytes() for name, tensor in tensors.items()}
        found.append((content, progress, record["identity"]))
    assert found[0] == found[1]
    assert any(name.startswith("optimizer/") for name in found[0][0])


def test_the_clock_went_on_and_nothing_half_written_is_left(runs):
    folder, _ = runs
    seconds = [record.seconds for record in read_history(folder / "killed").records]
    assert seconds == sorted(seconds)
    assert sorted(path.name for path in (folder / "killed").iterdir()) == [
        "best.safetensors",
        "final.safetensors",
        "history.json",
        "last.safetensors",
    ]
