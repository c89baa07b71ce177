"""A run's folder gives the model back as it was, or says in one line why it cannot."""

import io
import json
import os
import pickle
import signal
import subprocess
import sys
import textwrap
from dataclasses import asdict

import numpy as np
import pytest
import safetensors.torch
import torch
from torch import nn

from course_lib.data.batch import Batches, encode_pairs
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.errors import CourseError
from course_lib.models.registry import build
from course_lib.training.checkpoint import (
    load_run,
    load_weights,
    locked,
    read_tensors,
    save_run,
    weights_of,
    write_tensors,
)
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit

TOKENIZERS = (
    WordVocabulary.from_sentences([["ein", "Haus"], ["zwei", "Häuser"]]),
    WordVocabulary.from_sentences([["a", "house"], ["two", "houses", "."]]),
)
SETTINGS = {
    "source_vocabulary": len(TOKENIZERS[0]),
    "target_vocabulary": len(TOKENIZERS[1]),
    "embedding": 4,
    "hidden": 6,
}


def model(seed=1, **settings):
    return build("dot", SETTINGS | settings, torch.Generator().manual_seed(seed))


def save(folder, **changes):
    arguments = {
        "name": "dot",
        "model_config": SETTINGS,
        "data": {"name": "sentences", "pairs": 2, "languages": ("de", "en")},
        "training": {"steps": 10, "seed": 0, "max_minutes": 1.0},
        "tokenizers": TOKENIZERS,
    }
    save_run(folder, **arguments | changes)


@pytest.fixture
def run(tmp_path):
    """A folder with weights in it, and these weights."""
    folder = tmp_path / "run"
    save(folder)
    trained = model()
    write_tensors(folder / "best.safetensors", weights_of(trained), {"step": 3})
    return folder, trained


def error_of(call, *arguments, **options):
    with pytest.raises(CourseError) as caught:
        call(*arguments, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


def whole_files(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def change(path, **values):
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | values))


# What fit wrote alone


def trained_alone(folder):
    """What `fit` leaves where nobody called `save_run` before."""
    pairs = [("ein Haus", "a house"), ("zwei Häuser", "two houses .")]
    batches = Batches(encode_pairs(pairs, *TOKENIZERS), pairs_per_batch=2)
    net = model()
    fit(net, batches, batches, FitConfig(steps=2), directory=folder, progress=False)
    return net


def test_a_run_that_fit_wrote_can_be_completed_afterwards(tmp_path):
    net = trained_alone(tmp_path)
    assert "there is no config.json" in error_of(load_run, tmp_path, build=build)
    before = whole_files(tmp_path)
    save(tmp_path, model_config=asdict(net.config), data={})
    assert before.items() <= whole_files(tmp_path).items()
    run = load_run(tmp_path, build=build)
    torch.testing.assert_close(weights_of(run.model), weights_of(net))
    assert "already holds a run" in error_of(save, tmp_path)


# Round trips


def test_a_run_comes_back_as_it_was_saved(run):
    folder, trained = run
    found = load_run(folder, build=build)
    assert found.config["model"] == "dot"
    assert found.config["model_config"] == SETTINGS
    assert found.config["data"] == {"name": "sentences", "pairs": 2, "languages": ["de", "en"]}
    assert not found.model.training
    for name, tensor in trained.state_dict().items():
        assert torch.equal(tensor, found.model.state_dict()[name])
    for before, after in zip(TOKENIZERS, found.tokenizers, strict=True):
        assert before.encode(["Haus"]) == after.encode(["Haus"])


@pytest.mark.parametrize(
    "tensor",
    [
        torch.tensor(3.5),
        torch.empty(0, 4),
        torch.randn(3, 4).T,
        torch.randn(5, dtype=torch.float64),
        torch.randn(5).to(torch.bfloat16),
        torch.tensor([float("nan"), float("inf"), -0.0]),
        torch.tensor([True, False]),
        torch.tensor([2**62]),
    ],
    ids=["number", "empty", "transposed", "double", "bfloat16", "special", "bool", "int"],
)
def test_tensors_come_back_bit_for_bit(tmp_path, tensor):
    write_tensors(tmp_path / "x.safetensors", {"x": tensor, "y": torch.ones(1)}, {"n": [1, None]})
    found, record = read_tensors(tmp_path / "x.safetensors")
    assert (found["x"].dtype, found["x"].shape) == (tensor.dtype, tensor.shape)
    flat = [t.reshape(-1).contiguous().view(torch.uint8) for t in (found["x"], tensor)]
    assert torch.equal(*flat)
    assert record == {"n": [1, None]}


def test_tied_weights_are_stored_once_and_stay_tied():
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Linear(3, 3), nn.Linear(3, 3)
            self.second.weight = self.first.weight
            self.register_buffer("count", torch.tensor(2))

    one, other = Tied(), Tied()
    assert set(weights_of(one)) == {"first.weight", "first.bias", "count", "second.bias"}
    load_weights(other, weights_of(one), "memory")
    assert other.second.weight is other.first.weight
    assert torch.equal(other.second.weight, one.first.weight)


def test_before_the_first_validation_the_last_weights_are_used(run):
    folder, trained = run
    (folder / "best.safetensors").unlink()
    tensors = {f"weights/{name}": tensor for name, tensor in weights_of(trained).items()}
    tensors["optimizer/0/step"] = torch.ones(())
    write_tensors(folder / "last.safetensors", tensors, {})
    found = load_run(folder, build=build).model
    assert torch.equal(next(found.parameters()), next(trained.parameters()))


# Folders that hold a run


def test_a_run_is_not_saved_over(run):
    before = whole_files(run[0])
    message = error_of(save, run[0], training={"steps": 11})
    assert "already holds a run; go on by --resume, or choose another folder" in message
    (run[0] / "best.safetensors").unlink()  # killed before its first checkpoint
    assert "already holds a run" in error_of(save, run[0])
    (run[0] / "config.json").unlink()
    del before["config.json"], before["best.safetensors"]
    assert whole_files(run[0]) == before


# What is broken or missing


def test_a_configuration_of_another_version(run):
    change(run[0] / "config.json", format=2)
    assert "another version of course_lib" in error_of(load_run, run[0], build=build)


def test_a_tokenizer_of_another_run_is_refused(run):
    folder = run[0]
    path, other = folder / "source_tokenizer.json", folder / "target_tokenizer.json"
    before = path.read_bytes()
    # As many tokens as before, in another order: it would load, and every word mean another.
    words = json.loads(before)["tokens"][4:]
    WordVocabulary(words[::-1]).save(path)
    assert "not the file that this run was trained with" in error_of(load_run, folder, build=build)
    foreign(path, other.read_bytes())
    foreign(other, before)
    assert "source_tokenizer.json is not the file" in error_of(load_run, folder, build=build)


def foreign(path, content):
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("kept", [0, 7, 8, 100, -1, -200])
def test_a_truncated_file(run, kept):
    path = run[0] / "best.safetensors"
    foreign(path, path.read_bytes()[:kept])
    message = error_of(load_run, run[0], build=build)
    assert "best.safetensors is truncated, or no file that training wrote" in message
    assert "train again" in message


def test_a_safetensors_file_from_elsewhere(run):
    path = run[0] / "best.safetensors"
    foreign(path, safetensors.torch.save({"x": torch.ones(2)}))
    message = error_of(load_run, run[0], build=build)
    assert "no file that training wrote" in message


def test_weights_of_another_model(run):
    path = run[0] / "best.safetensors"
    write_tensors(path, weights_of(model(hidden=8)), {})
    message = error_of(load_run, run[0], build=build)
    assert "best.safetensors does not fit this model" in message
    assert "in the file and torch.float32 of shape" in message
    fewer = weights_of(model())
    name, tensor = fewer.popitem()
    write_tensors(path, fewer, {})
    assert f"{name} is missing in the file" in error_of(load_run, run[0], build=build)
    write_tensors(path, fewer | {name: tensor, "more": torch.ones(1)}, {})
    message = error_of(load_run, run[0], build=build)
    assert "more is torch.float32 of shape (1,) in the file and missing in the model" in message
    write_tensors(path, fewer | {name: tensor.double()}, {})
    assert f"{name} is torch.float64" in error_of(load_run, run[0], build=build)


# No pickle, neither read nor written


class Bomb:
    """Whoever unpickles it makes a folder."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_a_pickle_in_the_place_of_the_weights_is_not_opened(run, tmp_path):
    bomb = Bomb(tmp_path / "exploded")
    archive = io.BytesIO()
    torch.save({"x": bomb}, archive)
    numbers = io.BytesIO()
    np.save(numbers, np.array([bomb], dtype=object), allow_pickle=True)
    for content in (pickle.dumps(bomb), archive.getvalue(), numbers.getvalue()):
        for name in ("best.safetensors", "config.json", "source_tokenizer.json"):
            before = (run[0] / name).read_bytes()
            foreign(run[0] / name, content)
            assert name in error_of(load_run, run[0], build=build)
            (run[0] / name).write_bytes(before)
    assert not (tmp_path / "exploded").exists()
    pickle.loads(pickle.dumps(bomb))
    assert (tmp_path / "exploded").exists()


HOLD = """
    import sys, time
    from course_lib.training.checkpoint import locked
    with locked({folder!r}):
        print("held", flush=True)
        sys.stdin.readline()
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that trains in the folder until it is killed."""
    program = textwrap.dedent(HOLD.format(folder=str(tmp_path)))
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def enter(folder) -> None:
    with locked(folder):
        pass


@pytest.mark.skipif(os.name != "posix", reason="killed as on POSIX")
def test_two_trainings_in_one_folder_are_refused_until_the_first_is_dead(holder, tmp_path):
    with pytest.raises(CourseError, match=r"another training is going on in .*choose another"):
        enter(tmp_path)
    for name in (".config-0123456789ab.part.json", ".source_tokenizer-0123456789ab.part.json"):
        (tmp_path / name).write_text("half")
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    enter(tmp_path)
    enter(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]
