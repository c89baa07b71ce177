"""The device to compute on, and random numbers that are the same on every device."""

import hashlib
import os

import torch

from course_lib.errors import CourseError

VARIABLE = "COURSE_DEVICE"


def available() -> list[str]:
    """The values that COURSE_DEVICE may have on this machine, the CPU first."""
    words = ["cpu"]
    if torch.cuda.is_available():
        words.append("cuda")
    if torch.backends.mps.is_available():
        words.append("mps")
    return words


def get_device() -> torch.device:
    """The device to compute on: the CPU, or what COURSE_DEVICE (cpu, cuda, mps, auto) says.

    The CPU is the default even if there is a GPU, so that a chapter prints the same digits on every
    machine. CourseError for another value, or a device that this machine lacks.
    """
    word = os.environ.get(VARIABLE, "").strip().lower() or "cpu"
    here = available()
    if word == "auto":
        return torch.device(here[-1])
    if word not in ("cpu", "cuda", "mps"):
        raise CourseError(f"want {VARIABLE} to be cpu, cuda, mps or auto; got {word!r}")
    if word not in here:
        raise CourseError(
            f"want {VARIABLE} to name a device of this machine, {', '.join(here)}; got {word!r}; "
            f"set {VARIABLE} to one of these, or to auto"
        )
    return torch.device(word)


def describe_device(device: torch.device | None = None) -> str:
    """One line about a device, by default that of `get_device`."""
    device = get_device() if device is None else device
    if device.type == "cuda":
        return f"cuda: {torch.cuda.get_device_name(device)}, torch {torch.__version__}"
    if device.type == "cpu":
        threads = torch.get_num_threads()
        return f"cpu: {threads} thread{'' if threads == 1 else 's'}, torch {torch.__version__}"
    return f"{device.type}, torch {torch.__version__}"


def cpu_generator(seed: int) -> torch.Generator:
    """A random generator on the CPU with this seed, for which a GPU's own gives other numbers."""
    return torch.Generator(device="cpu").manual_seed(seed)


def mixed_seed(seed: int, number: int) -> int:
    """A generator's seed for one epoch, step or batch; neighbours give unrelated results."""
    digest = hashlib.blake2b(f"{seed} {number}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
