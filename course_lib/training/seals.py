"""The tokenizers of a run: read only from the very files that it was trained with.

Another vocabulary of the same length would load just as well, and the model would then write one
word and mean another. So config.json holds the size and the hash of both files.
"""

import hashlib
from pathlib import Path
from typing import Any

from course_lib.data.tokens.tokenizer import Tokenizer, load_tokenizer
from course_lib.errors import CourseError
from course_lib.training.folder import TOKENIZERS

SEALS = "tokenizer_files"
"""Section of config.json, since format 2: for each file its `seal`."""

_SIZES = ("source_vocabulary", "target_vocabulary")


def seal(path: Path) -> dict[str, Any] | None:
    """What tells a file from every other; None where there is no file."""
    if not path.is_file():
        return None
    content = path.read_bytes()
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def read_tokenizers(directory: Path, config: dict[str, Any]) -> tuple[Tokenizer, Tokenizer]:
    """The tokenizers of the source and of the target.

    Args:
        directory: of the run.
        config: its config.json. Of format 1 only the number of tokens can be checked.

    Raises:
        CourseError: a file is missing, broken, or not the one that the run was trained with.
    """
    source, target = (
        _read(directory / file, size, config) for file, size in zip(TOKENIZERS, _SIZES, strict=True)
    )
    return source, target


def _read(path: Path, size: str, config: dict[str, Any]) -> Tokenizer:
    tokenizer = load_tokenizer(path)
    if config["format"] > 1 and config[SEALS].get(path.name) != seal(path):
        raise CourseError(
            f"{path} is not the file that this run was trained with; restore it or train again"
        )
    wanted = config["model_config"].get(size, len(tokenizer))
    if len(tokenizer) != wanted:
        raise CourseError(
            f"{path} has {len(tokenizer)} tokens, the model {wanted}: it belongs to another run; "
            "restore it or train again"
        )
    return tokenizer
