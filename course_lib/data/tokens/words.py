"""What both tokenizers share: special tokens, text cut into words, and the file."""

import json
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from course_lib.errors import CourseError
from course_lib.files import atomic_write

PAD, UNKNOWN, START, END = 0, 1, 2, 3
SPECIALS = ("<pad>", "<unk>", "<s>", "</s>")

SPACE = "▁"  # stands for the space before a word inside a token, as in SentencePiece
UNREADABLE = "\ufffd"

# A word is a run of letters and digits, inner hyphens and apostrophes included ("t-shirt"), or
# a single other character. An accent or a vowel sign that has no composed form (Hindi, Thai,
# Arabic) belongs to the letter before it, as do joiners (Persian); the mark of an unknown character
# counts as a letter. Chinese and Japanese put no spaces between words: there each character is
# one, as for BERT and sacreBLEU.
_JOINERS = "\u200c\u200d"
_MARKS = "".join(c for c in map(chr, range(0x300, 0x1F000)) if unicodedata.category(c)[0] == "M")
_MARKS += _JOINERS
_SPACELESS = (
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
_LETTERS = rf"(?:[^\W{_SPACELESS}]+|[\ufffd{_MARKS}]+)+"
WORD = re.compile(rf"{_LETTERS}(?:['’-]{_LETTERS})*|\S[{_MARKS}]*")

# Word and phones write typographic signs where a keyboard has one key.
_TWINS = {"'": "’‘ʼ`´", '"': "“”„«»", "-": "–—−"}
TWINS = {
    c: [o for o in [plain, *odd] if o != c] for plain, odd in _TWINS.items() for c in plain + odd
}
"""For each sign the signs that other programs write in its place, the plain one first."""


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
    """Compose accents (NFC), make white space single, lower the case if asked.

    What cannot be seen is dropped, such as a byte-order mark or a soft hyphen, so that a sentence
    gives the same tokens from whichever program it was copied.
    """
    if not text.isprintable():
        text = "".join(c for c in text if c.isprintable() or c.isspace() or c in _JOINERS)
    return " ".join(_composed(text, lowercase).split())


def _composed(text: str, lowercase: bool) -> str:
    text = unicodedata.normalize("NFC", text).replace(SPACE, "_")
    return unicodedata.normalize("NFC", text.lower()) if lowercase else text


def normal_text(text: str, lowercase: bool) -> str:
    """Normalise the text of a sentence; raise `CourseError` if it is empty."""
    normal = normalise(text, lowercase)
    if not normal:
        raise CourseError(f"empty sentence: want at least one word; got {text[:20]!r}")
    return normal


def normal_words(words: Sequence[str], lowercase: bool) -> list[str]:
    """Normalise the words of a sentence that is split already; `CourseError` if there is none.

    Nothing is dropped from them: control characters are words in some corpora.
    """
    if isinstance(words, str):  # each of its letters would count as a word
        raise TypeError(f"want a list of words; got the text {words[:40]!r}")
    if not words:
        raise CourseError("empty sentence: want at least one word; got none")
    return [_composed(word, lowercase) for word in words]


def pieces_of(text: str) -> list[str]:
    """Split normalised text into words; SPACE marks those that begin the text or follow a space."""
    return [
        SPACE + match.group()
        if match.start() == 0 or text[match.start() - 1] == " "
        else match.group()
        for match in WORD.finditer(text)
    ]


def visible(ids: Sequence[int]) -> list[int]:
    """Return the ids before END, without PAD and START."""
    ids = list(ids)
    ids = ids[: ids.index(END)] if END in ids else ids
    return [i for i in ids if i not in (PAD, START)]


def write_json(path: Path | str, content: dict[str, Any]) -> None:
    """Write a tokenizer's file, whole or not at all (`CourseError`)."""
    text = json.dumps({"format": 1} | content, ensure_ascii=False, indent=0)
    atomic_write(path, text + "\n")
