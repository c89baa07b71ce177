"""The checksum of a tensor file is neither optional nor blind to names."""

import json

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from course_lib.errors import CourseError
from course_lib.training.checkpoint import read_tensors, write_tensors

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
