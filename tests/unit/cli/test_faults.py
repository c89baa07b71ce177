"""Whatever befalls a run from outside: one line, nothing lost, and it goes on."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.cli.conftest import run


def contents(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.mark.parametrize("fails_at", [2, 6])
def test_a_full_disk_stops_a_training_which_goes_on_once_there_is_space(
    fails_at, trained, tiny, complaint, tmp_path, monkeypatch
):
    """The files are two tokenizers, the configuration, and then last, best and history.

    That each stays whole is for tests/unit/training to show.
    """
    folder, calls, write = tmp_path / "run", [], Path.write_bytes

    def refuse(path, data):
        calls.append(path)
        if len(calls) < fails_at:
            return write(path, data)
        write(path, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", refuse)
        said = complaint("train", "cho", *tiny, "--run", folder)
    assert "No space left on device" in said
    again = ("train", "cho", *tiny) if fails_at == 2 else ("train",)
    assert run(*again, "--run", folder, "--resume") == 0
    best = "best.safetensors"
    assert (folder / best).read_bytes() == (trained["cho"] / best).read_bytes()


@pytest.mark.parametrize("name", ["last.safetensors", "best.safetensors", "config.json"])
def test_a_truncated_file_is_named_and_no_other_is_touched(name, trained, complaint, tmp_path):
    folder = Path(shutil.copytree(trained["cho"], tmp_path / "run"))
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[: len(whole) // 2])
    before = contents(folder)
    resume = ("train", "--run", folder, "--resume")
    said = complaint(*(("translate", folder, "der Hund .") if name.startswith("best") else resume))
    assert name in said
    assert contents(folder) == before
    (folder / name).write_bytes(whole)
    assert run(*resume) == 0


def test_weights_without_a_checkpoint_are_not_trained_over(trained, complaint, tmp_path):
    folder = Path(shutil.copytree(trained["cho"], tmp_path / "run"))
    (folder / "last.safetensors").unlink()
    before = contents(folder)
    said = complaint("train", "--run", folder, "--resume")
    assert "or choose another folder" in said
    assert contents(folder) == before
    assert run("translate", folder, "der Hund .") == 0


TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]


def test_torchrun_trains_with_two_processes_and_one_of_them_speaks(tiny, tmp_path):
    train = ["-m", "course_lib", "train", "cho", *tiny, "--folder", str(tmp_path / "run")]
    done = subprocess.run(
        [*TORCHRUN, *train],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("the run is in") == 1
    assert run("translate", tmp_path / "run", "der Hund .") == 0
