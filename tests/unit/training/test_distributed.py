"""Two processes make the run that one makes, also after one of them was killed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from course_lib.training import distributed
from course_lib.training.checkpoint import read_tensors
from tests.unit.training.distributed_worker import train

if not (hasattr(os, "fork") and torch.distributed.is_available()):
    pytest.skip("needs fork, SIGKILL and torch.distributed", allow_module_level=True)

ROOT = Path(__file__).parents[3]
WORKER = Path(__file__).with_name("distributed_worker.py")


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """The folder of the trainings by two processes, and how each training ended."""
    folder = tmp_path_factory.mktemp("two")
    done = subprocess.run(
        [sys.executable, str(WORKER), str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return folder, {entry["what"]: entry for entry in found}


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The same training by one process."""
    folder = tmp_path_factory.mktemp("one") / "run"
    train(folder)
    return folder


def last(folder):
    return read_tensors(folder / "last.safetensors")


def test_their_weights_are_those_of_one_process_to_1e_4(ended, alone):
    folder, how = ended
    assert how["whole"] == {"what": "whole", "codes": [0, 0], "said": [[], []]}
    expected, _ = last(alone)
    found, _ = last(folder / "whole")
    assert found.keys() == expected.keys()
    for name, tensor in expected.items():
        torch.testing.assert_close(found[name], tensor, rtol=0, atol=1e-4, msg=name)


def test_so_is_what_they_measured_and_what_a_checkpoint_knows_of_the_run(ended, alone):
    (_, found), (_, expected) = last(ended[0] / "whole"), last(alone)
    assert found["settings"] == expected["settings"]
    records = found["progress"]["records"], expected["progress"]["records"]
    assert len(records[0]) == 2
    for one, other in zip(*records, strict=True):
        assert one.keys() == other.keys()
        for name in one.keys() - {"seconds"}:
            assert one[name] == pytest.approx(other[name], rel=1e-4), name


def test_both_end_with_the_same_weights_and_the_first_alone_validates(ended):
    folder, _ = ended
    first, second = (read_tensors(folder / f"whole-{number}.safetensors")[0] for number in (0, 1))
    assert all(torch.equal(second[name], tensor) for name, tensor in first.items())
    assert (folder / "whole.validated").read_text().split() == ["0", "0"]


def test_when_one_is_killed_the_other_ends_with_an_error(ended):
    survivor, killed = ended[1]["kill"]["codes"]
    assert survivor not in (0, None)
    assert killed == -signal.SIGKILL


def test_begun_again_both_come_to_the_weights_of_the_unbroken_run_bit_for_bit(ended):
    folder, how = ended
    assert how["resume"] == {"what": "resume", "codes": [0, 0], "said": [[], []]}
    (found, _), (expected, _) = last(folder / "killed"), last(folder / "whole")
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], tensor) for name, tensor in expected.items())


def test_without_torchrun_there_is_one_process(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "4")  # as some clusters set it
    with distributed.process_group(torch.device("cpu")):
        assert (distributed.world_size(), distributed.rank()) == (1, 0)
        assert distributed.any_process(True)
        assert not distributed.any_process(False)
        assert distributed.from_first("word") == "word"
