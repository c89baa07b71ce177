"""The folder of a run: all that is needed to use the model, or to train on.

    config.json               the model's name and settings, the data, the training
    source_tokenizer.json     how sentences become ids
    target_tokenizer.json
    best.safetensors          the best weights so far
    last.safetensors          weights, optimizer and progress: what `fit` resumes from
    history.json              what was measured on the way

Each file is written whole or not at all. `last.safetensors` alone decides how training goes on;
`fit` writes `best.safetensors` and `history.json` anew from it.
"""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch

from course_lib.atomic import atomic_write
from course_lib.data.tokens.tokenizer import Tokenizer, load_tokenizer
from course_lib.errors import CourseError
from course_lib.models.protocol import EncoderDecoder
from course_lib.training.config import first_difference
from course_lib.training.history import History
from course_lib.training.tensors import FORMAT, load_weights, read_tensors, require_format

CONFIG = "config.json"
TOKENIZERS = ("source_tokenizer.json", "target_tokenizer.json")
BEST = "best.safetensors"
LAST = "last.safetensors"
HISTORY = "history.json"

WEIGHTS = "weights/"
"""Prefix of the model's own tensors in last.safetensors."""

_SECTIONS = ("model_config", "data", "training")


class Run(NamedTuple):
    """A trained model and what belongs to it.

    Attributes:
        model: on the CPU, in eval mode.
        config: the content of config.json.
        tokenizers: of the source and of the target.
    """

    model: EncoderDecoder
    config: dict[str, Any]
    tokenizers: tuple[Tokenizer, Tokenizer]


def holds_run(directory: Path | str) -> bool:
    """Whether training has left weights or a history in this folder."""
    return any((Path(directory) / name).exists() for name in (LAST, BEST, HISTORY))


def refuse_to_overwrite(directory: Path | str) -> None:
    """Raises CourseError if the folder already holds a run."""
    if holds_run(directory):
        raise CourseError(
            f"{directory} already holds a run; resume it (resume=True, or --resume), or choose "
            "another folder"
        )


def make_folder(directory: Path | str) -> Path:
    """Makes the folder and those above it; CourseError if that cannot be."""
    directory = Path(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CourseError(
            f"cannot make the folder {directory}: {error.strerror}; choose another"
        ) from error
    return directory


def save_run(
    directory: Path | str,
    *,
    name: str,
    model_config: dict[str, Any],
    data: dict[str, Any],
    training: dict[str, Any],
    tokenizers: tuple[Tokenizer, Tokenizer],
    resume: bool = False,
) -> None:
    """Writes the parts of a run that training does not change. Call it before `fit`.

    With `resume` and a run in the folder nothing is written: what stands there must be the same.

    Args:
        directory: made if need be.
        name: of the model, as `build` knows it.
        model_config: its settings.
        data: where the sentences came from.
        training: `FitConfig.to_dict()`.
        tokenizers: of the source and of the target.
        resume: whether the folder may hold this very run.

    Raises:
        CourseError: the folder holds a run and `resume` is False, or another run than this (the
            message names the first setting that differs), or it cannot be written.
    """
    directory = make_folder(directory)
    config = {
        "format": FORMAT,
        "model": name,
        "model_config": model_config,
        "data": data,
        "training": training,
    }
    config = json.loads(json.dumps(config))
    if resume and holds_run(directory):
        _require_same(directory, config, tokenizers)
        return
    refuse_to_overwrite(directory)
    for tokenizer, file in zip(tokenizers, TOKENIZERS, strict=True):
        tokenizer.save(directory / file)
    atomic_write(directory / CONFIG, json.dumps(config, indent=2) + "\n")


def _require_same(
    directory: Path, config: dict[str, Any], tokenizers: tuple[Tokenizer, Tokenizer]
) -> None:
    there = read_config(directory)
    difference = first_difference({"model": there["model"]}, {"model": config["model"]})
    for section in _SECTIONS:
        difference = difference or first_difference(there[section], config[section])
    with tempfile.TemporaryDirectory() as folder:
        for tokenizer, file in zip(tokenizers, TOKENIZERS, strict=True):
            tokenizer.save(Path(folder) / file)
            if difference is None and _bytes(directory / file) != _bytes(Path(folder) / file):
                difference = f"{file} has other tokens there"
    if difference is not None:
        raise CourseError(
            f"{directory} holds another run: {difference}; ask for the same, or choose another "
            "folder"
        )


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def read_config(directory: Path | str) -> dict[str, Any]:
    """The content of config.json, checked.

    Raises:
        CourseError: there is none, it is broken, or a newer course_lib wrote it.
    """
    path = Path(directory) / CONFIG
    config = _read_json(path, f"{directory} holds no run: there is no {CONFIG} in it")
    if not isinstance(config, dict):
        raise CourseError(f"{path} is no configuration; restore it or train again")
    require_format(path, config.get("format"))
    sections = [isinstance(config.get(section), dict) for section in _SECTIONS]
    if not isinstance(config.get("model"), str) or not all(sections):
        raise CourseError(
            f"{path} is incomplete: wanted model, {', '.join(_SECTIONS)}, got "
            f"{', '.join(config)}; restore it or train again"
        )
    return config


def read_history(directory: Path | str) -> History:
    """What `fit` measured in this folder so far.

    Raises:
        CourseError: there is no history, or it is broken.
    """
    path = Path(directory) / HISTORY
    content = _read_json(path, f"{directory} holds no history: train a model into it first")
    try:
        return History.from_dict(content)
    except (KeyError, TypeError) as error:
        raise CourseError(f"{path} is no history; resume the run to write it anew") from error


def _read_json(path: Path, if_missing: str) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CourseError(f"{if_missing}; name a folder that training wrote") from None
    except OSError as error:
        raise CourseError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise CourseError(f"{path} is damaged; restore it or train again ({error})") from error


def load_run(
    directory: Path | str, *, build: Callable[[str, dict[str, Any]], EncoderDecoder]
) -> Run:
    """Reads a trained model back, with its best weights.

    Args:
        directory: of the run.
        build: makes a model from its name and settings: `course_lib.models.registry.build`. It is
            given, not imported, since this room knows the protocol alone.

    Returns:
        the model, its configuration and its tokenizers. A run that was stopped before its first
        validation has no best weights; then its last ones are used.

    Raises:
        CourseError: a file is missing, broken, newer than this course_lib, or of another model.
    """
    directory = Path(directory)
    config = read_config(directory)
    source, target = (load_tokenizer(directory / file) for file in TOKENIZERS)
    try:
        # Building draws first weights; the caller's random numbers must not move for that.
        with torch.random.fork_rng(devices=[]):
            model = build(config["model"], config["model_config"])
    except (TypeError, ValueError, RuntimeError) as error:
        raise CourseError(
            f"{directory / CONFIG} does not describe a model: {str(error).splitlines()[0]}; "
            "restore it or train again"
        ) from error
    path = directory / BEST
    if path.exists():
        tensors, _ = read_tensors(path)
    elif (path := directory / LAST).exists():
        everything, _ = read_tensors(path)
        tensors = {
            name.removeprefix(WEIGHTS): tensor
            for name, tensor in everything.items()
            if name.startswith(WEIGHTS)
        }
    else:
        raise CourseError(
            f"{directory} has no weights yet: training stopped before its first checkpoint; "
            "train again"
        )
    load_weights(model, tensors, path)
    return Run(model.eval(), config, (source, target))
