"""The device is the CPU unless asked, and asking for what is not there says what is."""

import pytest
import torch

from course_lib.device import available, get_device, mixed_seed
from course_lib.errors import CourseError


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch):
    """Pretends that the machine has these accelerators, and sets COURSE_DEVICE."""

    def pretend(*, cuda: bool = False, mps: bool = False, asked: str | None = None) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
        if asked is None:
            monkeypatch.delenv("COURSE_DEVICE", raising=False)
        else:
            monkeypatch.setenv("COURSE_DEVICE", asked)

    return pretend


@pytest.mark.parametrize("asked", [None, "", "  ", "cpu", "CPU "])
def test_the_cpu_is_the_default_even_beside_a_gpu(machine, asked) -> None:
    machine(cuda=True, mps=True, asked=asked)
    assert get_device() == torch.device("cpu")


@pytest.mark.parametrize(
    ("cuda", "mps", "chosen"), [(False, False, "cpu"), (True, False, "cuda"), (False, True, "mps")]
)
def test_auto_takes_the_accelerator_that_is_there(machine, cuda, mps, chosen) -> None:
    machine(cuda=cuda, mps=mps, asked="auto")
    assert get_device().type == chosen


@pytest.mark.parametrize("word", ["cuda", "mps"])
def test_what_is_there_may_be_named(machine, word) -> None:
    machine(**{word: True}, asked=word.upper())
    assert get_device().type == word
    assert available() == ["cpu", word]


@pytest.mark.parametrize(("asked", "has"), [("cuda", "mps"), ("mps", "cuda")])
def test_what_is_not_there_is_one_line_that_says_what_is(machine, asked, has) -> None:
    machine(**{has: True}, asked=asked)
    with pytest.raises(CourseError) as caught:
        get_device()
    message = str(caught.value)
    assert f"'{asked}'" in message
    assert f"cpu, {has}" in message
    assert "COURSE_DEVICE" in message
    assert "\n" not in message


def test_mixed_seeds_are_fixed_and_all_different():
    assert mixed_seed(0, 0) == 5903642253403033523
    found = {mixed_seed(seed, number) for seed in range(-2, 30) for number in range(-2, 30)}
    assert len(found) == 32 * 32
    assert all(0 <= number < 2**63 for number in found)
