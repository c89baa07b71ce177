"""The folder of a run: its files, its lock, and how a trained model is read back from it.

config.json               the model's name and settings, the data, the training
source_tokenizer.json     how sentences become ids
target_tokenizer.json
best.safetensors          the best weights so far
last.safetensors          weights, optimizer and progress, from which `fit` resumes
history.json              what was measured during training
.lock                     empty; locked while a training is going on

Each file is written whole or not at all. Resuming depends on `last.safetensors` alone.
Tensors are stored in safetensors files with a JSON record beside them, never in a pickle, which
runs whatever code its author put into it.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import torch
from filelock import FileLock, Timeout
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from course_lib.data.tokens.tokenizer import Tokenizer, load_tokenizer
from course_lib.errors import CourseError
from course_lib.files import atomic_write
from course_lib.models.protocol import unwrapped
from course_lib.training import distributed
from course_lib.training.config import first_difference
from course_lib.training.history import History, Progress

CONFIG = "config.json"
TOKENIZERS = ("source_tokenizer.json", "target_tokenizer.json")
BEST = "best.safetensors"
LAST = "last.safetensors"
HISTORY = "history.json"

FORMAT = 1
# One key only: safetensors writes several keys in an order that changes from run to run.
_KEY = "course"
# Prefixes of the tensors in last.safetensors.
_WEIGHTS, _OPTIMIZER, _BEST, _AVERAGE = "weights/", "optimizer/", "best/", "average/"


class Run(NamedTuple):
    """A trained model, on the CPU in eval mode, with its config.json and its two tokenizers."""

    model: nn.Module
    config: dict[str, Any]
    tokenizers: tuple[Tokenizer, Tokenizer]


@contextmanager
def locked(directory: Path | str | None) -> Iterator[None]:
    """Make the folder of a run and keep other trainings out of it; CourseError if one is there.

    The operating system releases the lock when the process ends, however it ends. Half-written
    files of a killed run are removed. Of several processes the first one holds the lock.
    """
    if directory is None or distributed.rank() > 0:
        yield
        return
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock", blocking=False)
    try:
        lock.acquire()
    except Timeout:
        raise CourseError(
            f"another training is going on in {folder}; wait for it, or choose another folder"
        ) from None
    try:
        for leftover in folder.glob(".*.part.*"):
            leftover.unlink()
        yield
    finally:
        lock.release()


def save_run(
    directory: Path | str,
    *,
    name: str,
    model_config: dict[str, Any],
    data: dict[str, Any],
    training: dict[str, Any],
    tokenizers: tuple[Tokenizer, Tokenizer],
) -> None:
    """Write what training does not change: config.json and the tokenizers of source and target.

    The command line and `load_run` need them, before `fit` or afterwards. `name` is the model's, as
    `build` knows it, `training` is `FitConfig.to_dict()`. CourseError if the folder already has a
    configuration, another training is going on there, or it cannot be written to.
    """
    if distributed.rank() > 0:
        return
    directory = Path(directory)
    with locked(directory):
        if (directory / CONFIG).exists():
            raise CourseError(
                f"{directory} already holds a run; go on by --resume, or choose another folder"
            )
        for tokenizer, file in zip(tokenizers, TOKENIZERS, strict=True):
            tokenizer.save(directory / file)
        config = {
            "format": FORMAT,
            "model": name,
            "model_config": model_config,
            "data": data,
            "training": training,
            # Another vocabulary of the same length would load as well, and the model would then
            # write one word and mean another.
            "tokenizers": {file: _sha256(directory / file) for file in TOKENIZERS},
        }
        # Last: this file says that the folder holds a run.
        atomic_write(directory / CONFIG, json.dumps(config, indent=2) + "\n")


def read_config(directory: Path | str) -> dict[str, Any]:
    """Read config.json; CourseError if it is missing, damaged or of another version."""
    config = _read_json(Path(directory) / CONFIG)
    if config.get("format") != FORMAT:
        raise CourseError(f"another version of course_lib wrote {directory}: want format {FORMAT}")
    return config


def read_tokenizers(directory: Path | str) -> tuple[Tokenizer, Tokenizer]:
    """Read the tokenizers of a run; CourseError if one is not what it was trained with."""
    expected = read_config(directory)["tokenizers"]
    paths = [Path(directory) / file for file in TOKENIZERS]
    for path in paths:
        if path.exists() and expected.get(path.name) != _sha256(path):
            raise CourseError(
                f"{path} is not the file that this run was trained with; restore it or train again"
            )
    return load_tokenizer(paths[0]), load_tokenizer(paths[1])


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_history(directory: Path | str) -> History:
    """Read what `fit` has measured in this folder; CourseError if it is missing or damaged."""
    return History.from_dict(_read_json(Path(directory) / HISTORY))


def save_history(directory: Path, history: History) -> None:
    """Write history.json."""
    atomic_write(directory / HISTORY, json.dumps(asdict(history), indent=1) + "\n")


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise CourseError(
            f"want a folder that training wrote; there is no {path.name} in {path.parent}"
        ) from None
    except ValueError as error:
        raise CourseError(f"{path} is damaged; restore it or train again ({error})") from error


def load_run(directory: Path | str, *, build: Callable[[str, dict[str, Any]], nn.Module]) -> Run:
    """Read a trained model with its best weights or, before a first validation, its last ones.

    `build` makes a model from its name and settings: `course_lib.models.registry.build`, given
    because training does not import models. CourseError if a file is missing, damaged, of another
    version, or of another run.
    """
    directory = Path(directory)
    config, tokenizers = read_config(directory), read_tokenizers(directory)
    path = directory / BEST
    if path.exists():
        weights = read_tensors(path)[0]
    elif (path := directory / LAST).exists():
        weights = _with_prefix(_WEIGHTS, read_tensors(path)[0])
    else:
        raise CourseError(f"{directory} has no weights yet; go on with its training by --resume")
    # Building draws first weights; the caller's random numbers must not change by that.
    with torch.random.fork_rng(devices=[]):
        model = build(config["model"], config["model_config"])
    load_weights(model, weights, path)
    return Run(model.eval(), config, tokenizers)


def refuse_to_overwrite(directory: Path) -> None:
    """Raise CourseError if the folder holds weights or a history."""
    for name in (LAST, BEST, HISTORY):
        if (directory / name).exists():
            raise CourseError(
                f"{directory} already holds a run ({name}); go on with it by resume=True or "
                "--resume, or choose another folder"
            )


def save_checkpoint(
    directory: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    progress: Progress,
    settings: dict[str, dict[str, Any]],
    *,
    best: Mapping[str, Tensor] | None,
    average: Mapping[str, Tensor],
) -> None:
    """Write last.safetensors, the only file that resuming needs.

    `settings` are what a run that resumes from here must have in common with this one. CourseError
    if a weight is infinite or NaN, or the file cannot be written; the previous checkpoint stays.
    """
    weights = weights_of(model)
    if not all(bool(torch.isfinite(tensor).all()) for tensor in weights.values()):
        raise CourseError(
            f"want finite weights; got one that is infinite or NaN after step {progress.step}; "
            "lower the learning rate"
        )
    groups = {_WEIGHTS: weights, _BEST: best or {}, _AVERAGE: average}
    groups[_OPTIMIZER] = {
        f"{index}/{part}": tensor
        for index, parts in optimizer.state_dict()["state"].items()
        for part, tensor in parts.items()
    }
    tensors = {
        prefix + k: tensor for prefix, group in groups.items() for k, tensor in group.items()
    }
    record = {"settings": settings, "progress": asdict(progress)}
    write_tensors(directory / LAST, tensors, record)


def load_checkpoint(
    directory: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    settings: dict[str, dict[str, Any]],
    *,
    average: Mapping[str, Tensor],
) -> tuple[Progress, dict[str, Tensor] | None]:
    """Copy a checkpoint into a model, its optimizer and its average; return progress and best.

    CourseError if it is of another run (it names the first setting that differs), of another model,
    or damaged.
    """
    path = directory / LAST
    tensors, record = read_tensors(path)
    for subject, here in settings.items():
        if difference := first_difference(record["settings"].get(subject, {}), here):
            raise CourseError(
                f"want the run that {directory} holds; got another run ({subject}): "
                f"{difference}; ask for the same, or choose another folder"
            )
    load_weights(model, _with_prefix(_WEIGHTS, tensors), path)
    for name, tensor in average.items():
        tensor.copy_(tensors[_AVERAGE + name])
    moments: dict[int, dict[str, Tensor]] = {}
    for name, tensor in _with_prefix(_OPTIMIZER, tensors).items():
        index, part = name.split("/")
        moments.setdefault(int(index), {})[part] = tensor
    optimizer.load_state_dict(
        {"state": moments, "param_groups": optimizer.state_dict()["param_groups"]}
    )
    devices = {name: weight.device for name, weight in weights_of(model).items()}
    best = {name: t.to(devices[name]) for name, t in _with_prefix(_BEST, tensors).items()}
    return Progress.from_dict(record["progress"]), best or None


def _with_prefix(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors whose names begin with the prefix, under their names without it."""
    return {k.removeprefix(prefix): tensor for k, tensor in tensors.items() if k.startswith(prefix)}


def write_tensors(path: Path | str, tensors: Mapping[str, Tensor], record: dict[str, Any]) -> None:
    """Write tensors and a JSON record to a safetensors file, the same to the same bytes."""
    on_cpu = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    header = json.dumps({"format": FORMAT, "record": record}, allow_nan=False)
    # Not safetensors' own save_file, which leaves half a file if the process is killed.
    atomic_write(path, save(on_cpu, metadata={_KEY: header}))


def read_tensors(path: Path | str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Read what `write_tensors` wrote, to the CPU; CourseError for any other file."""
    try:
        with safe_open(path, framework="pt", device="cpu") as file:
            header = json.loads((file.metadata() or {}).get(_KEY, "{}"))
            # Copied out of the mapped file into memory with torch's own alignment, on which the
            # rounding of matrix products may depend.
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
        return tensors, header["record"]
    except (OSError, SafetensorError, ValueError, KeyError) as error:
        raise CourseError(
            f"{path} is truncated, or no file that training wrote ({str(error).splitlines()[0]}); "
            "delete it and train again, or restore a copy"
        ) from error


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """A model's parameters and persistent buffers, each once, under its first name.

    The tensors are the model's own. A wrapper around the model, or a part that was compiled on its
    own, changes no name.
    """
    seen: set[int] = set()
    weights = {}
    for name, tensor in unwrapped(model).state_dict(keep_vars=True).items():
        if id(tensor) not in seen:
            seen.add(id(tensor))
            weights[name.replace("._orig_mod.", ".")] = tensor
    return weights


def load_weights(model: nn.Module, tensors: Mapping[str, Tensor], origin: Path | str) -> None:
    """Copy weights into a model, all or none; CourseError, naming `origin`, if they do not fit."""
    weights = weights_of(model)
    for name in [*weights, *tensors]:
        there, here = (
            "missing" if t is None else f"{t.dtype} of shape {tuple(t.shape)}"
            for t in (tensors.get(name), weights.get(name))
        )
        if there != here:
            raise CourseError(
                f"{origin} does not fit this model: {name} is {there} in the file and {here} in "
                "the model; build the model with the settings that it was trained with"
            )
    with torch.no_grad():
        for name, tensor in weights.items():
            tensor.copy_(tensors[name])
