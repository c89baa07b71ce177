"""Whatever goes wrong while training: one clear line, and the last good checkpoint stays."""

import errno
import json
import os
import random
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import torch

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.tokens.tokenizer import END
from course_lib.errors import CourseError
from course_lib.models.registry import build
from course_lib.training import fit as fit_module
from course_lib.training.checkpoint import read_tensors
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.run_folder import read_history

VOCABULARY = 8


def copy_task(count=12, seed=0):
    draw = random.Random(seed)
    lines = [draw.choices(range(4, VOCABULARY), k=draw.randint(1, 5)) for _ in range(count)]
    return Batches([EncodedPair([*line, END], line) for line in lines], pairs_per_batch=4)


def small(hidden=6):
    config = {"source_vocabulary": VOCABULARY, "target_vocabulary": VOCABULARY}
    config |= {"embedding": 5, "hidden": hidden}
    return build("dot", config, torch.Generator().manual_seed(0))


def train(model, folder=None, steps=6, batches=None, **options):
    config = FitConfig(steps=steps, validate_every=2)
    batches = copy_task() if batches is None else batches
    return fit(
        model, batches, None, config, directory=folder, device="cpu", progress=False, **options
    )


class Breaking(Batches):
    """Gives the batches unchanged, and calls `action` before number `at` (counted from 1)."""

    def __init__(self, at, action):
        found = copy_task()
        super().__init__(found._encoded, pairs_per_batch=4)
        self.count, self.at, self.action = 0, at, action

    def epoch(self, n, start=0):
        for batch in super().epoch(n, start):
            self.count += 1
            # The very first batch is looked at once more, for its checksum.
            if self.count == self.at:
                self.action()
            yield batch


def spoil(model, number):
    def action():
        with torch.no_grad():
            next(iter(model.parameters())).fill_(number)

    return action


def whole_files(folder):
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_loss_that_is_not_finite_stops_and_keeps_the_checkpoint(tmp_path, number):
    model = small()
    with pytest.raises(CourseError) as caught:
        train(model, tmp_path, batches=Breaking(6, spoil(model, number)))
    message = str(caught.value)
    assert "want a finite training loss; got nan at step 5" in message
    assert "lower the learning rate" in message
    assert f"checkpoint of step 4 in {tmp_path} is kept" in message
    assert "\n" not in message
    tensors, record = read_tensors(tmp_path / "last.safetensors")
    assert record["progress"]["step"] == 4
    assert all(bool(tensor.isfinite().all()) for tensor in tensors.values())


def test_a_bad_loss_that_is_read_late_as_on_a_gpu_is_still_never_saved(tmp_path, monkeypatch):
    monkeypatch.setitem(fit_module._READ_TOGETHER, "cpu", 50)
    model = small()
    with pytest.raises(CourseError, match="want a finite training loss; got nan at step 5"):
        train(model, tmp_path, batches=Breaking(6, spoil(model, float("nan"))))
    assert read_tensors(tmp_path / "last.safetensors")[1]["progress"]["step"] == 4


def test_a_gradient_that_is_not_finite_stops_before_the_weights_are_touched():
    model = small()
    parameter = next(iter(model.parameters()))
    parameter.register_hook(lambda gradient: gradient * float("inf"))
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    with pytest.raises(CourseError, match=r"finite gradient norm; got (nan|inf) at step 1"):
        train(model)
    assert all(torch.equal(before[name], t) for name, t in model.state_dict().items())


def test_weights_that_are_not_finite_are_never_saved(tmp_path):
    model = small()

    def metric(trained):
        spoil(trained, float("nan"))()
        return 1.0

    with pytest.raises(CourseError, match="that is infinite or NaN after step 2"):
        train(model, tmp_path, metric=metric)
    assert whole_files(tmp_path) == {}


@pytest.mark.parametrize("number", [float("nan"), float("-inf")])
def test_a_score_that_is_not_finite_stops(number):
    with pytest.raises(CourseError, match=r"finite validation metric; got .* at step 2"):
        train(small(), metric=lambda _: number)


def test_a_validation_loss_that_is_not_finite_stops():
    class Fragile(type(small())):
        def forward(self, source, source_mask, target_in):
            output = super().forward(source, source_mask, target_in)
            return output if self.training else output._replace(logits=output.logits / 0)

    model = small()
    model.__class__ = Fragile
    config = FitConfig(steps=2)
    with pytest.raises(CourseError, match="finite validation loss; got nan at step 2"):
        fit(model, copy_task(), copy_task(), config, device="cpu", progress=False)


def test_a_folder_with_a_run_is_not_trained_over(tmp_path):
    train(small(), tmp_path)
    before = whole_files(tmp_path)
    with pytest.raises(CourseError, match=r"already holds a run; resume it .* another folder"):
        train(small(), tmp_path)
    assert whole_files(tmp_path) == before


def test_weights_without_a_checkpoint_are_not_trained_over_even_when_resuming(tmp_path):
    train(small(), tmp_path)
    (tmp_path / "last.safetensors").unlink()
    before = whole_files(tmp_path)
    with pytest.raises(CourseError, match="already holds a run"):
        train(small(), tmp_path, resume=True)
    assert whole_files(tmp_path) == before


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CourseError, match="cannot make the folder"):
        train(small(), tmp_path / "file" / "run")


@pytest.mark.parametrize("fails_at", [1, 2, 3, 4, 5, 6])
def test_a_full_disk_keeps_each_file_whole(tmp_path, monkeypatch, fails_at):
    calls = []
    write = Path.write_bytes

    def refuse(path, data):
        calls.append(path)
        if len(calls) < fails_at:
            return write(path, data)
        write(path, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", refuse)
    with pytest.raises(CourseError, match="the disk is full") as caught:
        train(small(), tmp_path, metric=lambda _: 0.0)
    assert "\n" not in str(caught.value)
    assert ("is kept" in str(caught.value)) == (fails_at > 1)
    monkeypatch.undo()
    for path in tmp_path.iterdir():
        assert path.name in {"last.safetensors", "best.safetensors", "history.json"}
        if path.suffix == ".json":
            json.loads(path.read_text())
        else:
            read_tensors(path)
    assert train(small(), tmp_path, resume=True, metric=lambda _: 0.0).steps == 6
    assert read_history(tmp_path).stopped == "finished"


REALLY_FULL = """
    import sys, torch
    sys.path.insert(0, sys.argv[2])
    from test_fit_failures import CourseError, Path, read_tensors, small, train
    folder = Path(sys.argv[1]) / "run"
    try:
        train(small(hidden=16), folder)
    except CourseError as error:
        print(error)
    print(sorted(path.name for path in folder.iterdir()))
    print(read_tensors(folder / "last.safetensors")[1]["progress"]["step"])
"""


def test_on_a_disk_that_is_really_full(tmp_path):
    # A file system of 64 kB, seen by this one process: two checkpoints do not fit.
    if shutil.which("unshare") is None:
        pytest.skip("needs Linux's unshare for a small file system of its own")
    mount = f"mount -t tmpfs -o size=64k none {tmp_path}"
    namespace = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    if subprocess.run([*namespace, mount], capture_output=True, check=False).returncode:
        pytest.skip("this machine does not let users mount a file system of their own")
    command = f'{mount} && exec "$@"'
    script = textwrap.dedent(REALLY_FULL)
    arguments = [sys.executable, "-c", script, str(tmp_path), str(Path(__file__).parent)]
    done = subprocess.run(
        [*namespace, command, "sh", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    message, names, step = done.stdout.splitlines()
    assert "last.safetensors: the disk is full" in message
    assert "checkpoint of step 2" in message
    assert "last.safetensors" in names
    assert ".part" not in names
    assert step == "2"


@pytest.mark.skipif(os.name != "posix", reason="locked as on POSIX")
def test_a_folder_in_which_another_trains_is_left_alone(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path / ".lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(CourseError, match="another training is going on"):
            train(small(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]
