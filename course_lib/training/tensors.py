"""Named tensors in one safetensors file, with a JSON record beside them: never a pickle.

A pickle runs whatever code its author put into it. A safetensors file is a table and numbers.
"""

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from course_lib.atomic import atomic_write
from course_lib.errors import CourseError
from course_lib.models.protocol import unwrapped
from course_lib.parse import parse_json

FORMAT = 2
"""Since 2 the checksum covers the record too, and a run knows its tokenizers' files."""
WEIGHTS = "weights/"
"""Prefix of the model's own tensors in last.safetensors."""

# One key alone: safetensors writes several in an order that changes from run to run.
_KEY = "course"


def write_tensors(path: Path | str, tensors: Mapping[str, Tensor], record: dict[str, Any]) -> None:
    """Writes tensors and their record, whole or not at all.

    The same tensors and record give the same bytes.

    Raises:
        CourseError: the file cannot be written; what stood there before is unchanged.
    """
    on_cpu = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    record = json.loads(json.dumps(record, allow_nan=False))
    header = {"format": FORMAT, "checksum": _checksum(on_cpu, record), "record": record}
    # Not safetensors' own save_file: it makes the file unreadable for other users, and leaves a
    # half-written one under a name of its own if the process is killed.
    atomic_write(path, save(on_cpu, metadata={_KEY: json.dumps(header)}))


def read_tensors(path: Path | str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Reads what `write_tensors` wrote, to the CPU.

    Raises:
        CourseError: the file is missing, truncated, changed, of another kind or of a newer format.
    """
    path = Path(path)
    try:
        with safe_open(path, framework="pt", device="cpu") as file:
            header = parse_json((file.metadata() or {}).get(_KEY, "null"))
            # Copied out of the mapped file into memory of torch's own alignment, on which the
            # rounding of matrix products may depend.
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise CourseError(f"there is no {path}; name a file that training wrote") from None
    except OSError as error:
        raise CourseError(f"cannot read {path}: {error}") from error
    except (SafetensorError, ValueError) as error:
        raise CourseError(
            f"{path} is truncated or no safetensors file; delete it and train again, "
            f"or restore a copy ({str(error).splitlines()[0]})"
        ) from error
    if not isinstance(header, dict) or "format" not in header:
        raise CourseError(f"{path} was not written by this course; name a file that it wrote")
    require_format(path, header["format"])
    record = header.get("record")
    covered = record if header["format"] > 1 else None
    if not isinstance(record, dict) or header.get("checksum") != _checksum(tensors, covered):
        raise CourseError(
            f"{path} is damaged: its content does not match its checksum; delete it and train "
            "again, or restore a copy"
        )
    return tensors, record


def require_format(path: Path | str, number: object) -> None:
    """Raises CourseError unless this version of the course can read the format."""
    if type(number) is not int or number < 1:
        raise CourseError(f"{path} names no format: wanted {FORMAT}, got {number!r}")
    if number > FORMAT:
        raise CourseError(
            f"{path} has format {number}, this course_lib reads up to {FORMAT}; "
            "install a newer course_lib"
        )


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """A model's parameters and persistent buffers, each once, under its first name.

    Weights that are tied appear in `state_dict` under several names. They are the model's own
    tensors, not copies. A wrapper around the model, or a part that was compiled on its own,
    changes no name.
    """
    seen: set[int] = set()
    weights = {}
    for name, tensor in unwrapped(model).state_dict(keep_vars=True).items():
        if id(tensor) not in seen:
            seen.add(id(tensor))
            weights[name.replace("._orig_mod.", ".")] = tensor
    return weights


def load_weights(model: nn.Module, tensors: Mapping[str, Tensor], origin: Path | str) -> None:
    """Copies weights into a model, all or none.

    Args:
        model: stays on its device.
        tensors: as `weights_of` of an equal model.
        origin: where they came from, for the message.

    Raises:
        CourseError: names, shapes or types do not fit the model.
    """
    require_fit(model, tensors, origin)
    with torch.no_grad():
        for name, tensor in weights_of(model).items():
            tensor.copy_(tensors[name])


def require_fit(model: nn.Module, tensors: Mapping[str, Tensor], origin: Path | str) -> None:
    """Raises CourseError unless names, shapes and types are those of `weights_of(model)`."""
    wanted = weights_of(model)
    for name in [*wanted, *tensors]:
        there = _describe(tensors.get(name))
        here = _describe(wanted.get(name))
        if there != here:
            raise CourseError(
                f"{origin} does not fit this model: {name} is {there} in the file and {here} in "
                "the model; build the model with the settings that it was trained with"
            )


def all_finite(tensors: Mapping[str, Tensor]) -> bool:
    """Whether no number in them is infinite or NaN."""
    return all(bool(torch.isfinite(tensor).all()) for tensor in tensors.values())


def _describe(tensor: Tensor | None) -> str:
    if tensor is None:
        return "missing"
    return f"{str(tensor.dtype).removeprefix('torch.')} of shape {tuple(tensor.shape)}"


def _checksum(tensors: Mapping[str, Tensor], record: dict[str, Any] | None) -> int:
    total = 0 if record is None else zlib.crc32(json.dumps(record, sort_keys=True).encode())
    for name in sorted(tensors):
        total = zlib.crc32(name.encode(), total)
        if tensors[name].numel():
            total = zlib.crc32(tensors[name].reshape(-1).view(torch.uint8).numpy(), total)
    return total
