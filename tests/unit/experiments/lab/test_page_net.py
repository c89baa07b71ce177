"""The file of a network that runs in a page."""

import pytest
import torch

from course_lab.experiments.lab.page_net import command, load_net, save_net


def test_what_is_written_is_read_again_and_numbers_are_half_as_long(tmp_path):
    path = tmp_path / "net.safetensors"
    tensors = {
        "wide": torch.tensor([[1.5, 1 + 2**-12], [0.25, -2.0]]).T,
        "small": torch.tensor([[-3, 127]], dtype=torch.int8),
    }
    save_net(path, tensors, {"words": ["für", "<s>"]})
    found, told = load_net(path)
    assert told == {"words": ["für", "<s>"]}
    assert found["wide"].tolist() == [[1.5, 0.25], [1.0, -2.0]]  # 2^-12 is lost in half precision
    assert found["wide"].dtype == torch.float32
    assert torch.equal(found["small"], tensors["small"])
    assert found["small"].dtype == torch.int8
    again = tmp_path / "again.safetensors"
    save_net(again, found, told)
    assert again.read_bytes() == path.read_bytes()


def test_nothing_told_is_an_empty_record(tmp_path):
    save_net(tmp_path / "net", {"a": torch.ones(1)})
    assert load_net(tmp_path / "net")[1] == {}


def test_the_command_makes_the_file_or_another(tmp_path):
    def write(path, made):
        path.write_text(f"seed {made}", encoding="utf-8")

    stored, other = tmp_path / "stored", tmp_path / "other"
    command("Makes it.", stored, lambda seed: seed, write, [])
    command("Makes it.", stored, lambda seed: seed, write, ["--file", str(other), "--seed", "3"])
    assert (stored.read_text(), other.read_text()) == ("seed 0", "seed 3")
    with pytest.raises(SystemExit):
        command("Makes it.", stored, lambda seed: seed, write, ["--se", "3"])
