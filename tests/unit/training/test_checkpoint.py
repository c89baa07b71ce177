"""The checksum of a tensor file is neither optional nor blind to names."""

import json

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from course_lib.errors import CourseError
from course_lib.training.checkpoint import load_weights, read_tensors, write_tensors

TENSORS = {"key": torch.arange(4.0), "query": torch.arange(4.0) + 10}


@pytest.fixture
def written(tmp_path):
    """A file, and its header, which can be put beside other tensors."""
    path = tmp_path / "weights.safetensors"
    write_tensors(path, TENSORS, {"step": 3})
    with safe_open(path, framework="pt") as file:
        ((key, header),) = file.metadata().items()

    def forge(tensors, **changes):
        content = {**json.loads(header), **changes}
        content = {name: value for name, value in content.items() if value != "left out"}
        save_file(tensors, path, metadata={key: json.dumps(content)})

    return path, forge


def test_a_forged_file_with_nothing_changed_is_read(written):
    path, forge = written
    forge(TENSORS)
    tensors, record = read_tensors(path)
    assert record == {"step": 3}
    assert all(torch.equal(tensors[name], TENSORS[name]) for name in TENSORS)


@pytest.mark.parametrize("checksum", ["left out", None, 0])
def test_a_file_without_its_checksum_is_refused(written, checksum):
    path, forge = written
    forge(TENSORS, checksum=checksum)
    with pytest.raises(CourseError, match="checksum"):
        read_tensors(path)


def test_numbers_under_each_others_names_are_refused(written):
    path, forge = written
    renamed = {"queries": TENSORS["query"], "key": TENSORS["key"]}
    for tensors in ({"key": TENSORS["query"], "query": TENSORS["key"]}, renamed):
        forge(tensors)
        with pytest.raises(CourseError, match="checksum"):
            read_tensors(path)


def test_weights_that_fit_only_in_part_change_nothing():
    model = torch.nn.Linear(3, 2)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    wrong = {"weight": torch.ones(2, 3), "bias": torch.ones(3)}
    with pytest.raises(CourseError, match=r"bias is float32 of shape \(3,\) in the file"):
        load_weights(model, wrong, "a file")
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())
