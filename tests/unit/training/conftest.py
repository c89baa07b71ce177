"""What tests of training share."""

import pytest
import torch


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """The rounding of a sum depends on how many threads share it."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
