"""The folder of a run: its files, its lock, and how a trained model is read back from it.

config.json               the model's name and settings, the data, the training
source_tokenizer.json     how sentences become ids
target_tokenizer.json
best.safetensors          the best weights so far
last.safetensors          weights, optimizer and progress, from which `fit` resumes
history.json              what was measured during training
.lock                     empty; present during training, or after a crash

Each file is written whole or not at all. Resuming depends on `last.safetensors` alone; `fit` writes
`best.safetensors` and `history.json` anew from it.
"""

import errno
import hashlib
import json
import logging
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import torch
from filelock import FileLock, Timeout
from torch import Tensor, nn

from course_lib.data.tokens.tokenizer import Tokenizer, load_tokenizer
from course_lib.errors import CourseError
from course_lib.files import atomic_write, cannot_write, parse_json, remove_leftovers
from course_lib.training.checkpoint import (
    BEST,
    FORMAT,
    HISTORY,
    LAST,
    WEIGHTS,
    holds_run,
    load_weights,
    read_tensors,
    refuse_to_overwrite,
    require_fit,
    require_format,
    under,
)
from course_lib.training.config import first_difference
from course_lib.training.distributed import is_first
from course_lib.training.history import History

CONFIG = "config.json"
TOKENIZERS = ("source_tokenizer.json", "target_tokenizer.json")
FILES = (CONFIG, *TOKENIZERS, BEST, LAST, HISTORY)

_SECTIONS = ("model_config", "data", "training")
TOKENIZER_FILES = "tokenizer_files"
"""Section of config.json, since format 2: the size and the hash of each tokenizer's file.

Another vocabulary of the same length would load as well, and the model would then write one word
and mean another.
"""

_LOCK = ".lock"
# What `atomic_path` leaves of a run that was killed while it wrote.
_LEFTOVER = re.compile(r"\.\w+-[0-9a-f]{12}\.part\.\w+")
# The answers of a file system that has no locks.
_NO_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK, errno.EINVAL)

log = logging.getLogger(__name__)


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


@contextmanager
def training_in(directory: Path | str | None) -> Iterator[None]:
    """Makes the folder of a run and keeps other trainings out of it meanwhile.

    The operating system holds the lock and releases it when the process ends, however it ends. The
    thread that holds the lock may take it again. Half-written files of a killed run are removed.
    Without a directory there is nothing to lock, and of several processes the first one holds it.

    Raises:
        CourseError: another training is going on there, the folder cannot be made or written to,
            or it holds other files and no run.
    """
    if directory is None or not is_first():
        yield
        return
    folder = _make(Path(directory))
    # One lock for each file within this process, so that `fit` may be called under a lock already
    # held.
    lock = FileLock(folder / _LOCK, blocking=False, is_singleton=True)
    try:
        lock.acquire()
    except Timeout:
        raise CourseError(
            f"want a folder that no other training uses; another training is going on in {folder}; "
            "wait for it, or choose another folder"
        ) from None
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise cannot_write(folder / _LOCK, error.errno or 0) from error
        log.warning("%s cannot be locked here: let no other training write into it", folder)
        yield
        return
    try:
        for name in FILES:
            remove_leftovers(folder / name)
        yield
    finally:
        if lock.lock_counter == 1:
            # Before the release: afterwards the file may already be another's lock.
            with suppress(OSError):
                os.unlink(folder / _LOCK)
        lock.release()


def _make(folder: Path) -> Path:
    if folder.parts[:1] and folder.parts[0].startswith("~"):
        raise CourseError(
            f"want a folder's name in full; got {folder}, whose ~ only a shell replaces, and only "
            f"at the beginning of a word; write {os.path.expanduser(folder)}"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        others = sorted(
            name
            for name in os.listdir(folder)
            if name not in (*FILES, _LOCK) and not _LEFTOVER.fullmatch(name)
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise CourseError(f"cannot make the folder {folder}: {why}; choose another") from error
    if others and not holds_run(folder):
        raise CourseError(
            f"want a folder of its own for a run; {folder} holds other things ({others[0]}) and no "
            "run; choose another folder"
        )
    return folder


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
    """Writes the parts of a run that training does not change: config.json and the tokenizers.

    Of several processes the first alone writes.

    Call it before `fit`. With `resume`, if the folder holds a run, nothing is written and the
    run's configuration must be the same. Called after `fit`, it completes the folder that `fit`
    wrote, so that `load_run` and the command line can read the run.

    Args:
        directory: made if necessary.
        name: of the model, as `build` knows it.
        model_config: its settings.
        data: where the sentences came from.
        training: `FitConfig.to_dict()`.
        tokenizers: of the source and of the target.
        resume: whether the folder may hold this very run.

    Raises:
        CourseError: the folder holds a run and `resume` is False; it holds a run with other
            settings (the message names the first that differs) or weights of another model;
            another training is going on there; or it cannot be written.
    """
    if not is_first():
        return
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
        config[TOKENIZER_FILES] = {file: _fingerprint(directory / file) for file in TOKENIZERS}
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
            copy = Path(folder) / file
            tokenizer.save(copy)
            if difference is None and _fingerprint(directory / file) != _fingerprint(copy):
                difference = f"{file} has other tokens there"
    if difference is not None:
        raise CourseError(
            f"want the run that {directory} holds; got another run: {difference}; ask for the "
            "same, or choose another folder"
        )


def _require_weights_of(directory: Path, settings: dict[str, Any]) -> None:
    """Raises CourseError unless `fit` left weights of a model with these settings."""
    _, record = read_tensors(directory / LAST)
    there = record.get("identity", {}).get("model", {})
    same = {name: there[name] for name in settings if name in there}
    if difference := first_difference(same, settings):
        raise CourseError(
            f"want the settings of the model that was trained in {directory}; got another model: "
            f"{difference}; give asdict(model.config)"
        )


def _fingerprint(path: Path) -> dict[str, Any] | None:
    """A file's size and hash; None if there is no file."""
    if not path.is_file():
        return None
    content = path.read_bytes()
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def read_config(directory: Path | str) -> dict[str, Any]:
    """The content of config.json, checked.

    Raises:
        CourseError: there is none, it is damaged, or a newer course_lib wrote it.
    """
    path = Path(directory) / CONFIG
    if holds_run(directory) and not os.path.exists(path):
        raise CourseError(
            f"want a {CONFIG} that names the model and its tokenizers; {directory} holds weights, "
            f"but no {CONFIG}; write it with save_run, in course_lib.training.run_folder"
        )
    config = _read_json(path, f"{directory} holds no run: there is no {CONFIG} in it")
    if not isinstance(config, dict):
        raise CourseError(
            f"want a dictionary; {path} is no configuration; restore it or train again"
        )
    require_format(path, config.get("format"))
    # The first format did not record the tokenizers' files.
    sections = _SECTIONS if config["format"] == 1 else (*_SECTIONS, TOKENIZER_FILES)
    whole = all(isinstance(config.get(section), dict) for section in sections)
    if not isinstance(config.get("model"), str) or not whole:
        raise CourseError(
            f"want model, {', '.join(sections)} in {path}; got {', '.join(config)}, so it is "
            "incomplete; restore it or train again"
        )
    return config


def read_history(directory: Path | str) -> History:
    """What `fit` has measured in this folder so far.

    Raises:
        CourseError: there is no history, or it is damaged.
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
        raise CourseError(f"want a folder that training wrote; {if_missing}") from None
    except OSError as error:
        raise CourseError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise CourseError(f"{path} is damaged; restore it or train again ({error})") from error


def load_run(directory: Path | str, *, build: Callable[[str, dict[str, Any]], nn.Module]) -> Run:
    """Reads a trained model back, with its best weights.

    Args:
        directory: of the run.
        build: makes a model from its name and settings: `course_lib.models.registry.build`, or the
            one of `classifiers`. It is an argument because training does not import models.

    Returns:
        the model, its configuration and its tokenizers. A run that was stopped before its first
        validation has no best weights; its last weights are used instead.

    Raises:
        CourseError: a file is missing, damaged, newer than this course_lib, or of another run.
    """
    directory = Path(directory)
    config = read_config(directory)
    source, target = (
        _read_tokenizer(directory / file, f"{side}_vocabulary", config)
        for file, side in zip(TOKENIZERS, ("source", "target"), strict=True)
    )
    path, weights = _best_or_last_weights(directory)
    # Also where another device or number type is the default.
    with _default_type_of(weights):
        # Built without memory first: changed settings might ask for more memory than there is.
        with torch.device("meta"):
            require_fit(_build(directory, config, weights, build), weights, path)
        with torch.device("cpu"):
            model = _build(directory, config, weights, build)
    load_weights(model, weights, path)
    return Run(model.eval(), config, (source, target))


@contextmanager
def _default_type_of(weights: Mapping[str, Tensor]) -> Iterator[None]:
    """Within this context new floating numbers have the type of the weights."""
    before = torch.get_default_dtype()
    kinds = (tensor.dtype for tensor in weights.values() if tensor.is_floating_point())
    torch.set_default_dtype(next(kinds, before))
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def _read_tokenizer(path: Path, size: str, config: dict[str, Any]) -> Tokenizer:
    """A tokenizer, only from the very file that the run was trained with.

    In a run of format 1 only the number of tokens can be checked, by the setting named `size`.
    """
    tokenizer = load_tokenizer(path)
    if config["format"] > 1 and config[TOKENIZER_FILES].get(path.name) != _fingerprint(path):
        raise CourseError(
            f"{path} is not the file that this run was trained with; restore it or train again"
        )
    wanted = config["model_config"].get(size, len(tokenizer))
    if len(tokenizer) != wanted:
        raise CourseError(
            f"want the {wanted} tokens of the model in {path}; got {len(tokenizer)}, so it belongs "
            "to another run; restore it or train again"
        )
    return tokenizer


def _best_or_last_weights(directory: Path) -> tuple[Path, dict[str, Tensor]]:
    """The best weights, or the last ones, and the file that they are from."""
    path = directory / BEST
    if path.exists():
        return path, read_tensors(path)[0]
    path = directory / LAST
    if path.exists():
        return path, under(WEIGHTS, read_tensors(path)[0])
    raise CourseError(
        f"want weights in {directory}; it has no weights yet: training stopped before its first "
        "checkpoint; train again"
    )


def _build(
    directory: Path,
    config: dict[str, Any],
    weights: Mapping[str, Tensor],
    build: Callable[[str, dict[str, Any]], nn.Module],
) -> nn.Module:
    settings = config["model_config"]
    # Each unit, layer and token has weights, so no setting can be larger than their number.
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
            f"want the settings of a model; {directory / CONFIG} does not describe a model: "
            f"{str(error).splitlines()[0]}; restore it or train again"
        ) from error
