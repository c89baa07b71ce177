"""What both tokenizers share: special tokens, words, and the file they are kept in."""

import json
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from course_lib.atomic import atomic_write
from course_lib.errors import CourseError
from course_lib.parse import parse_json

PAD, UNKNOWN, START, END = 0, 1, 2, 3
SPECIALS = ("<pad>", "<unk>", "<s>", "</s>")

SPACE = "▁"  # stands for the space before a word inside a token, as in SentencePiece
UNREADABLE = "\ufffd"
# A word is a run of letters and digits, inner hyphens and apostrophes included ("t-shirt"), or
# a single other character. The mark of an unknown character counts as a letter.
WORD = re.compile(r"[\w\ufffd]+(?:['’-][\w\ufffd]+)*|[^\w\s\ufffd]")

_FORMAT = 1


class Tokenized(NamedTuple):
    """A sentence as tokens, without START and END.

    Attributes:
        ids: one id a token.
        word_of_token: for each token the position of its word in `words`.
        tokens: the tokens as text; in byte-pair encoding "▁" marks a space before the token.
        words: the words and punctuation marks, normalised.
    """

    ids: list[int]
    word_of_token: list[int]
    tokens: list[str]
    words: list[str]


def normalise(text: str, lowercase: bool) -> str:
    """Compose accents (NFC), make white space single, lower the case if asked."""
    text = re.sub("[\ud800-\udfff]", UNREADABLE, text).replace(SPACE, "_")
    text = unicodedata.normalize("NFC", text)
    if lowercase:
        text = unicodedata.normalize("NFC", text.lower())
    return " ".join(text.split())


def given_words(words: Sequence[str], lowercase: bool) -> list[str]:
    """A sentence that came already split: its words, normalised, their number unchanged."""
    if not words:
        raise CourseError("empty sentence: wanted at least one word, got none")
    return [_given_word(word, lowercase) for word in words]


# The same few words come again and again: a corpus in a quarter of the time.
@lru_cache(maxsize=1 << 16)
def _given_word(word: str, lowercase: bool) -> str:
    normal = normalise(word, lowercase)
    if not normal or " " in normal:
        raise CourseError(f"each word must be one word without spaces, got {normal!r}")
    return normal


def normal_text(text: str, lowercase: bool) -> str:
    """A sentence as normalised text; `CourseError` where it is empty."""
    normal = normalise(text, lowercase)
    if not normal:
        raise CourseError(f"empty sentence: wanted at least one word, got {text[:20]!r}")
    return normal


def split_words(text: str) -> tuple[list[str], list[str]]:
    """The words of normalised text, once with the mark of the space before them, once without."""
    pieces, words = [], []
    for match in WORD.finditer(text):
        spaced = match.start() == 0 or text[match.start() - 1] == " "
        pieces.append(SPACE + match.group() if spaced else match.group())
        words.append(match.group())
    return pieces, words


def visible(ids: Sequence[int]) -> list[int]:
    """The ids before END, without PAD and START."""
    kept = []
    for i in ids:
        if i == END:
            break
        if i not in (PAD, START):
            kept.append(i)
    return kept


def token_at(tokens: Sequence[str], i: int) -> str:
    """The text of one id; `ValueError` where there is no such id."""
    if not 0 <= i < len(tokens):
        raise ValueError(f"wanted token ids from 0 to {len(tokens) - 1}, got {i}")
    return tokens[i]


def write_json(path: Path | str, content: dict[str, Any]) -> None:
    """Write a tokenizer's file, whole or not at all (`CourseError`)."""
    text = json.dumps({"format": _FORMAT} | content, ensure_ascii=False, indent=0)
    atomic_write(path, text + "\n")


def read_json(path: Path | str) -> dict[str, Any]:
    """Read a tokenizer's file.

    Raises:
        CourseError: the file is missing, no tokenizer's, or of another format.
    """
    try:
        content = parse_json(Path(path).read_bytes())
    except OSError as error:
        raise CourseError(f"cannot read the tokenizer {path}: {error.strerror}") from error
    except ValueError as error:
        raise damaged(path) from error
    if not isinstance(content, dict) or not isinstance(content.get("tokens"), list):
        raise damaged(path)
    if content.get("format") != _FORMAT:
        raise CourseError(
            f"{path} has format {content.get('format')}, wanted {_FORMAT}: it is another "
            "version's file; train again"
        )
    tokens = content["tokens"]
    texts = all(isinstance(token, str) for token in tokens) and len({*tokens}) == len(tokens)
    if not texts or tuple(tokens[: len(SPECIALS)]) != SPECIALS:
        raise damaged(path)
    if not isinstance(content.get("lowercase"), bool):
        raise damaged(path)
    return content


def damaged(path: Path | str) -> CourseError:
    """The error for a file that is not what a tokenizer wrote."""
    return CourseError(
        f"{path} is no tokenizer of this course, or is damaged: train again or restore it"
    )
