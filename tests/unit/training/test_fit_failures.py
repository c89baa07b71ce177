"""Whatever goes wrong while training: one clear line, and the last good checkpoint stays."""

import errno
import json
import os
import random
from pathlib import Path

import pytest
import torch

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.tokens.tokenizer import END
from course_lib.errors import CourseError
from course_lib.models.registry import build
from course_lib.training.checkpoint import read_history, read_tensors
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit

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
        train(model, tmp_path, batches=Breaking(5, spoil(model, number)))
    message = str(caught.value)
    assert "want a finite training loss; got nan at step 5" in message
    assert "lower the learning rate" in message
    assert "\n" not in message
    tensors, record = read_tensors(tmp_path / "last.safetensors")
    assert record["progress"]["step"] == 4
    assert all(bool(tensor.isfinite().all()) for tensor in tensors.values())


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
    assert whole_files(tmp_path) == {".lock": b""}


def test_a_folder_with_a_run_is_not_trained_over(tmp_path):
    train(small(), tmp_path)
    before = whole_files(tmp_path)
    with pytest.raises(CourseError, match=r"already holds a run .*--resume.* another folder"):
        train(small(), tmp_path)
    assert whole_files(tmp_path) == before


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
    with pytest.raises(CourseError, match="No space left") as caught:
        train(small(), tmp_path, metric=lambda _: 0.0)
    assert "\n" not in str(caught.value)
    monkeypatch.undo()
    assert not list(tmp_path.glob(".*.part.*"))
    for path in tmp_path.glob("[!.]*"):
        assert path.name in {"last.safetensors", "best.safetensors", "history.json"}
        if path.suffix == ".json":
            json.loads(path.read_text())
        else:
            read_tensors(path)
    assert train(small(), tmp_path, resume=True, metric=lambda _: 0.0).steps == 6
    assert read_history(tmp_path).stopped == "finished"
