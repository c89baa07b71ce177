"""A stopped or killed run that is resumed equals an unbroken one; no other run is taken for it."""

import json
import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.tokens.tokenizer import END
from course_lib.errors import CourseError
from course_lib.models.registry import build
from course_lib.training import fit as fit_module
from course_lib.training.checkpoint import read_history, read_tensors
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit

VOCABULARY = 9
CONFIG = FitConfig(
    steps=14, validate_every=4, learning_rate=0.02, schedule="cosine", warmup=3, weight_decay=0.1
)


@pytest.fixture(autouse=True, scope="module")
def ctrl_c_is_heard():
    """What a shell starts in the background (`make test &`) ignores Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def copy_task(count=20, seed=0, size=4):
    draw = random.Random(seed)
    lines = [draw.choices(range(4, VOCABULARY), k=draw.randint(1, 6)) for _ in range(count)]
    pairs = [EncodedPair([*line, END], line) for line in lines]
    return Batches(pairs, pairs_per_batch=size, seed=seed)


def small(seed=0, **settings):
    config = {"source_vocabulary": VOCABULARY, "target_vocabulary": VOCABULARY}
    config |= {"embedding": 5, "hidden": 6, "dropout": 0.3} | settings
    return build("dot", config, torch.Generator().manual_seed(seed))


def train(folder, model=None, config=CONFIG, batches=None, valid=None, resume=True, **options):
    model = small() if model is None else model
    batches = copy_task() if batches is None else batches
    valid = copy_task(6, seed=5) if valid is None else valid
    options = {"device": "cpu", "progress": False} | options
    return model, fit(model, batches, valid, config, directory=folder, resume=resume, **options)


class Watched(Batches):
    """Calls `action(number)` before each batch of training that it gives."""

    def __init__(self, action):
        super().__init__(copy_task()._encoded, pairs_per_batch=4, seed=0)
        self.action, self.count = action, 0

    def epoch(self, n, start=0):
        for batch in super().epoch(n, start):
            self.count += 1
            self.action(self.count)
            yield batch


def interrupt_before(*numbers):
    return Watched(lambda n: [os.kill(os.getpid(), signal.SIGINT) for _ in range(numbers.count(n))])


def state(folder):
    """All that a run leaves behind, apart from the time it took."""
    tensors, record = read_tensors(folder / "last.safetensors")
    found = {name: tensor.numpy().tobytes() for name, tensor in tensors.items()}
    progress = {**record["progress"], "seconds": None}
    progress["records"] = [{**line, "seconds": None} for line in progress["records"]]
    history = read_history(folder)
    lines = [replace(line, seconds=0.0) for line in history.records]
    best = (folder / "best.safetensors").read_bytes()
    return found, progress, best, replace(history, records=tuple(lines), seconds=0.0)


def weights(model):
    return {name: tensor.numpy().tobytes() for name, tensor in model.state_dict().items()}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unbroken") / "run"
    model, _ = train(folder, resume=False)
    return weights(model), state(folder)


@pytest.mark.parametrize("before", [1, 5, 9])
def test_after_ctrl_c_it_goes_on_from_the_very_step(tmp_path, unbroken, before):
    folder = tmp_path / "run"
    _, history = train(folder, batches=interrupt_before(before))
    # The signal waits for the step in hand.
    assert history.interrupted
    assert history.steps == before
    # Other first weights: all of them must come from the checkpoint.
    model, history = train(folder, small(seed=7))
    assert history.stopped == "finished"
    assert (weights(model), state(folder)) == unbroken


def test_ctrl_c_while_validating_loses_nothing(tmp_path):
    folder = tmp_path / "run"
    calls = []

    def metric(model):
        calls.append(1)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return 0.0

    plain = tmp_path / "plain"
    expected, _ = train(plain, metric=lambda _: 0.0)
    _, history = train(folder, metric=metric)
    assert history.interrupted
    assert [record.step for record in history.records] == [4, 8]
    assert read_tensors(folder / "last.safetensors")[1]["progress"]["step"] == 8
    model, history = train(folder, metric=lambda _: 0.0)
    assert [record.step for record in history.records] == [4, 8, 12, 14]
    assert (weights(model), state(folder)) == (weights(expected), state(plain))


def test_a_second_ctrl_c_stops_at_once_and_the_checkpoint_is_whole(tmp_path, unbroken):
    folder = tmp_path / "run"
    _, history = train(folder, batches=interrupt_before(7, 7))
    assert history.interrupted
    assert read_tensors(folder / "last.safetensors")[1]["progress"]["step"] == 4
    model, _ = train(folder)
    assert (weights(model), state(folder)) == unbroken


@pytest.mark.parametrize("stops", [(1,), (6,), (8,), (3, 9, 11)])
def test_time_is_a_budget_and_a_larger_one_goes_on(tmp_path, monkeypatch, unbroken, stops):
    clock = [100.0]

    def advance(_):
        clock[0] += 60.0

    monkeypatch.setattr(fit_module, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    folder = tmp_path / "run"
    for minutes in stops:
        clock[0] += 12345.0  # between two runs no training time goes by
        _, history = train(
            folder, config=replace(CONFIG, max_minutes=float(minutes)), batches=Watched(advance)
        )
        assert history.stopped == "time"
        assert history.steps == minutes
        assert history.seconds == 60.0 * minutes
        assert (folder / "best.safetensors").exists()
    model, history = train(folder, batches=Watched(advance))
    assert history.seconds == 60.0 * 14
    assert (weights(model), state(folder)) == unbroken


def test_patience_is_carried_over(tmp_path):
    config = replace(CONFIG, steps=100, schedule="constant", patience=3)
    _, whole = train(tmp_path / "whole", config=config, metric=lambda _: 0.0)
    assert (whole.stopped, whole.steps) == ("patience", 16)
    train(tmp_path / "run", config=config, batches=interrupt_before(9), metric=lambda _: 0.0)
    _, resumed = train(tmp_path / "run", config=config, metric=lambda _: 0.0)
    assert (resumed.stopped, resumed.steps) == ("patience", 16)


def test_the_best_weights_are_carried_over(tmp_path):
    seen = []

    def metric(model):
        seen.append(weights(model))
        return -float(len(seen))

    train(tmp_path, batches=interrupt_before(6), metric=metric)
    assert len(seen) == 1
    model, history = train(tmp_path, small(seed=7), metric=metric)
    assert (history.stopped, history.best_step) == ("finished", 4)
    assert weights(model) == seen[0] != seen[-1]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"config": replace(CONFIG, learning_rate=0.5)}, "learning_rate is 0.02 there, 0.5 was"),
        ({"config": replace(CONFIG, seed=4)}, "seed is 0 there, 4 was"),
        ({"config": replace(CONFIG, betas=(0.5, 0.9))}, "betas"),
        ({"config": replace(CONFIG, steps=20)}, "steps is 14 there, 20 was"),
        ({"model": {"hidden": 8}}, "hidden is 6 there, 8 was"),
        ({"model": {"dropout": 0.1}}, "dropout is 0.3 there, 0.1 was"),
        ({"batches": copy_task(21)}, "number of training pairs is 20 there, 21 was"),
        ({"batches": copy_task(20, size=5)}, "number of batches in the first epoch"),
        ({"valid": copy_task(7, seed=5)}, "number of validation pairs"),
    ],
)
def test_another_run_is_refused_by_the_name_of_what_differs(tmp_path, change, word):
    train(tmp_path, batches=interrupt_before(5))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    settings = {name: value for name, value in change.items() if name != "model"}
    with pytest.raises(CourseError, match=word) as caught:
        train(tmp_path, small(**change.get("model", {})), **settings)
    assert "choose another folder" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


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
    assert len(killed) >= 7
    # The kills are spread over the run, not all before its first checkpoint or after its end.
    assert len({attempt["saved"] for attempt in killed} - {None, 35}) >= 3
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
        found.append((content, progress, record["settings"]))
    assert found[0] == found[1]
    assert any(name.startswith("optimizer/") for name in found[0][0])


def test_the_clock_went_on_and_nothing_half_written_is_left(runs):
    folder, _ = runs
    seconds = [record.seconds for record in read_history(folder / "killed").records]
    assert seconds == sorted(seconds)
    assert sorted(path.name for path in (folder / "killed").iterdir()) == [
        ".lock",
        "best.safetensors",
        "final.safetensors",
        "history.json",
        "last.safetensors",
    ]
