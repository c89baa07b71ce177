"""A run as it lies on disk: its configuration, its tokenizers, its weights and its history.

`folder.py` lists the files. Each is written whole or not at all. `last.safetensors` alone decides
how training goes on; `fit` writes `best.safetensors` and `history.json` anew from it.
"""

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from course_lib.atomic import atomic_write
from course_lib.data.tokens.tokenizer import Tokenizer
from course_lib.errors import CourseError
from course_lib.parse import parse_json
from course_lib.training.config import first_difference
from course_lib.training.folder import (
    BEST,
    CONFIG,
    HISTORY,
    LAST,
    TOKENIZERS,
    holds_run,
    refuse_to_overwrite,
    training_in,
)
from course_lib.training.history import History
from course_lib.training.seals import SEALS, read_tokenizers, seal
from course_lib.training.tensors import (
    FORMAT,
    WEIGHTS,
    load_weights,
    read_tensors,
    require_fit,
    require_format,
)

_SECTIONS = ("model_config", "data", "training")


class Run(NamedTuple):
    """A trained model and what belongs to it.

    Attributes:
        model: on the CPU, in eval mode.
        config: the content of config.json.
        tokenizers: of the source and of the target.
    """

    model: nn.Module
    config: dict[str, Any]
    tokenizers: tuple[Tokenizer, Tokenizer]


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
    Called after `fit`, it adds them to what `fit` left in its `directory`, so that `load_run` and
    the command line can read the run.

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
            message names the first setting that differs), weights of another model, somebody
            trains there now, or it cannot be written.
    """
    directory = Path(directory)
    config = {
        "format": FORMAT,
        "model": name,
        "model_config": model_config,
        "data": data,
        "training": training,
    }
    config = json.loads(json.dumps(config))
    with training_in(directory):
        if resume and holds_run(directory):
            _require_same(directory, config, tokenizers)
            return
        if (directory / LAST).exists() and not (directory / CONFIG).exists():
            _require_weights_of(directory, config["model_config"])
        else:
            refuse_to_overwrite(directory)
        for tokenizer, file in zip(tokenizers, TOKENIZERS, strict=True):
            tokenizer.save(directory / file)
        config[SEALS] = {file: seal(directory / file) for file in TOKENIZERS}
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
            if difference is None and seal(directory / file) != seal(Path(folder) / file):
                difference = f"{file} has other tokens there"
    if difference is not None:
        raise CourseError(
            f"{directory} holds another run: {difference}; ask for the same, or choose another "
            "folder"
        )


def _require_weights_of(directory: Path, settings: dict[str, Any]) -> None:
    """An error, unless the weights that `fit` left are those of a model of these settings."""
    _, record = read_tensors(directory / LAST)
    there = record.get("identity", {}).get("model", {})
    same = {name: there[name] for name in settings if name in there}
    if difference := first_difference(same, settings):
        raise CourseError(
            f"{directory} holds weights of another model: {difference}; give the settings of the "
            "model that was trained there, asdict(model.config)"
        )


def read_config(directory: Path | str) -> dict[str, Any]:
    """The content of config.json, checked.

    Raises:
        CourseError: there is none, it is broken, or a newer course_lib wrote it.
    """
    path = Path(directory) / CONFIG
    if holds_run(directory) and not os.path.exists(path):
        raise CourseError(
            f"{directory} holds weights, but no {CONFIG} that says of which model and words; "
            "write it with save_run, in course_lib.training.checkpoint"
        )
    config = _read_json(path, f"{directory} holds no run: there is no {CONFIG} in it")
    if not isinstance(config, dict):
        raise CourseError(f"{path} is no configuration; restore it or train again")
    require_format(path, config.get("format"))
    # The first format did not name the tokenizers' files.
    sections = _SECTIONS if config["format"] == 1 else (*_SECTIONS, SEALS)
    whole = all(isinstance(config.get(section), dict) for section in sections)
    if not isinstance(config.get("model"), str) or not whole:
        raise CourseError(
            f"{path} is incomplete: wanted model, {', '.join(sections)}, got "
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
    except ValueError as error:
        raise CourseError(
            f"{path} is no history: {error}; resume the run to write it anew"
        ) from error


def _read_json(path: Path, if_missing: str) -> Any:
    try:
        return parse_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise CourseError(f"{if_missing}; name a folder that training wrote") from None
    except OSError as error:
        raise CourseError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise CourseError(f"{path} is damaged; restore it or train again ({error})") from error


def load_run(directory: Path | str, *, build: Callable[[str, dict[str, Any]], nn.Module]) -> Run:
    """Reads a trained model back, with its best weights.

    Args:
        directory: of the run.
        build: makes a model from its name and settings: `course_lib.models.registry.build`, or that
            of `classifiers`. It is given, not imported, since this room knows the protocol alone.

    Returns:
        the model, its configuration and its tokenizers. A run that was stopped before its first
        validation has no best weights; then its last ones are used.

    Raises:
        CourseError: a file is missing, broken, newer than this course_lib, or of another run.
    """
    directory = Path(directory)
    config = read_config(directory)
    tokenizers = read_tokenizers(directory, config)
    path, weights = _weights(directory)
    # Built without memory first: settings that were changed could ask for more than there is.
    with torch.device("meta"):
        require_fit(_build(directory, config, weights, build), weights, path)
    with torch.device("cpu"):  # also where another device is the default
        model = _build(directory, config, weights, build)
    load_weights(model, weights, path)
    return Run(model.eval(), config, tokenizers)


def _weights(directory: Path) -> tuple[Path, dict[str, Tensor]]:
    """The best weights, or the last ones, and the file that they are from."""
    path = directory / BEST
    if path.exists():
        return path, read_tensors(path)[0]
    path = directory / LAST
    if path.exists():
        everything, _ = read_tensors(path)
        return path, {
            name.removeprefix(WEIGHTS): tensor
            for name, tensor in everything.items()
            if name.startswith(WEIGHTS)
        }
    raise CourseError(
        f"{directory} has no weights yet: training stopped before its first checkpoint; train again"
    )


def _build(
    directory: Path,
    config: dict[str, Any],
    weights: Mapping[str, Tensor],
    build: Callable[[str, dict[str, Any]], nn.Module],
) -> nn.Module:
    settings = config["model_config"]
    # Each unit, layer and token has weights: a larger number is none of this model's.
    most = sum(tensor.numel() for tensor in weights.values())
    try:
        for name, value in settings.items():
            if isinstance(value, int | float) and not 0 <= value <= most:
                raise ValueError(f"{name} is {value:g}")
        # Building draws first weights; the caller's random numbers must not move for that.
        with torch.random.fork_rng(devices=[]):
            return build(config["model"], settings)
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:
        raise CourseError(
            f"{directory / CONFIG} does not describe a model: {str(error).splitlines()[0]}; "
            "restore it or train again"
        ) from error
