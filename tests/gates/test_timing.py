"""What a benchmark keeps beside its numbers: on which machine they were taken."""

import json

import pytest
import torch

from benchmarks import _timing


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Keeps no numbers, and gives what stands in the file of the machine."""
    monkeypatch.setattr(_timing, "RESULTS", tmp_path / "results")

    def read(device):
        _timing.keep("some", torch.device(device), [])
        return json.loads((tmp_path / "results" / "some.json").read_text())["machine"]

    return read


def test_a_gpu_is_named_and_not_only_its_kind(kept, monkeypatch):
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "NVIDIA H100 80GB HBM3")
    assert kept("cuda")["device"].startswith("cuda: NVIDIA H100 80GB HBM3, ")


def test_of_the_cpu_its_kind_and_its_threads_are_kept(kept):
    machine = kept("cpu")
    assert machine["device"].startswith("cpu: ")
    assert machine["threads"] == torch.get_num_threads()
