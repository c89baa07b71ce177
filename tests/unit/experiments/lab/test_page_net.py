"""The file of a network that runs in a page."""

import torch

from course_lab.experiments.lab.page_net import load_net, save_net


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
