"""What both tokenizers share: special tokens, words, and the file they are kept in."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from course_lib.errors import CourseError
from course_lib.files import atomic_write

PAD, UNKNOWN, START, END = 0, 1, 2, 3
SPECIALS = ("<pad>", "<unk>", "<s>", "</s>")

SPACE = "▁"  # stands for the space before a word inside a token, as in SentencePiece
UNREADABLE = "\ufffd"
# A word is a run of letters and digits, inner hyphens and apostrophes included ("t-shirt"), or
# a single other character. The mark of an unknown character counts as a letter.
_WORD = re.compile(r"[\w\ufffd]+(?:['’-][\w\ufffd]+)*|[^\w\s\ufffd]")

# What `\w` does not know. An accent or a vowel sign that has no composed form (Hindi, Thai,
# Arabic, Yoruba) belongs to the letter before it. Chinese and Japanese put no spaces between words:
# there each character is one, as for BERT and sacreBLEU.
_MARKS = "".join(c for c in map(chr, range(0x300, 0x1F000)) if unicodedata.category(c)[0] == "M")
_JOINERS = "\u200c\u200d"
_SPACELESS = (
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
_RARE = re.compile(f"[{_MARKS}{_JOINERS}{_SPACELESS}]")
_LETTERS = rf"(?:[^\W{_SPACELESS}]|[\ufffd{_MARKS}{_JOINERS}])+"
_WORD_OF_ANY_SCRIPT = re.compile(rf"{_LETTERS}(?:['’-]{_LETTERS})*|\S[{_MARKS}{_JOINERS}]*")

# What a program writes and nobody sees. A zero-width space separates words (Khmer, Thai); Word's
# no-break hyphen is a hyphen, a PDF's ligature the letters it is drawn for. All else that draws
# nothing is dropped: byte-order marks, soft hyphens, marks of direction, variants of a sign.
_BREAKS = re.compile("[\u200b\ufffc]")
_HYPHENS = re.compile("[\u2010\u2011]")
_PRESENTATION = re.compile("[\ufb00-\ufb4f\ufb50-\ufdff\ufe70-\ufefc]+")
_INVISIBLE = re.compile(
    "[\0\xad\u034f\u061c\u180b-\u180f\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# A PDF's hyphens, a terminal's colours. Tab, line break and what else separates words stays.
_CONTROLS = re.compile("[\1-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
# A joiner is spelling from Hebrew on, and inside an emoji; elsewhere a typesetter put it there.
_JOINED = "\u0590-\u1dff\u2190-\u2bff\U00010000-\U0010ffff"
_STRAY_JOINER = re.compile(f"(?<![{_JOINED}])[{_JOINERS}]|[{_JOINERS}](?![{_JOINED}])")

# Word and phones write typographic signs where a keyboard has one key.
_TWINS = {"'": "’‘ʼ`´", '"': "“”„«»", "-": "–—−"}
TWINS = {
    c: [o for o in [plain, *odd] if o != c] for plain, odd in _TWINS.items() for c in plain + odd
}
"""For each sign the signs that other programs write in its place, the plain one first."""

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
    """Compose accents (NFC), make white space single, lower the case if asked.

    What cannot be seen is dropped, such as a byte-order mark or a soft hyphen, so that a sentence
    gives the same tokens from whichever program it was copied.
    """
    return _normal(text if text.isprintable() else _CONTROLS.sub("", text), lowercase)


def _normal(text: str, lowercase: bool) -> str:
    """Normalise but keep control characters, which are words in some corpora's lists of words."""
    if not text.isascii():
        text = re.sub("[\ud800-\udfff]", UNREADABLE, text).replace(SPACE, "_")
        text = _HYPHENS.sub("-", _INVISIBLE.sub("", _BREAKS.sub(" ", text)))
        text = _PRESENTATION.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
        text = unicodedata.normalize("NFC", _STRAY_JOINER.sub("", text))
    text = text.replace("\0", "")
    if lowercase:
        text = unicodedata.normalize("NFC", text.lower())
    return " ".join(text.split())


def require_list(texts: object, what: str) -> None:
    """Raise TypeError for a text in place of a list: each of its letters would count as one."""
    if isinstance(texts, str):
        raise TypeError(f"want a list of {what}; got the text {texts[:40]!r}")


def normalise_words(words: Sequence[str], lowercase: bool) -> list[str]:
    """Normalise each word of a sentence that is already split; `CourseError` if there is none."""
    if not isinstance(words, Sequence):  # such as the nan that pandas reads for an empty cell
        raise CourseError(f"want a sentence as text or as a list of words; got {words!r}")
    if not words:
        raise CourseError("empty sentence: want at least one word; got none")
    return [_normalise_word(word, lowercase) for word in words]


# The same few words occur again and again: the cache makes a corpus four times as fast.
@lru_cache(maxsize=1 << 16)
def _normalise_word(word: str, lowercase: bool) -> str:
    if not isinstance(word, str):
        raise CourseError(f"want words as text; got {word!r}")
    normal = _normal(word, lowercase)
    if not normal or " " in normal:
        raise CourseError(f"want each to be one word without spaces; got {normal!r}")
    return normal


def normal_text(text: str, lowercase: bool) -> str:
    """Normalise the text of a sentence; raise `CourseError` if it is empty."""
    normal = normalise(text, lowercase)
    if not normal:
        raise CourseError(f"empty sentence: want at least one word; got {text[:20]!r}")
    return normal


def find_words(text: str) -> Iterator[re.Match[str]]:
    """Find the words of normalised text."""
    # The second pattern takes seven times as long, and matches the same if there is no rare letter.
    plain = max(text, default="") < "\u0300" or not _RARE.search(text)
    return (_WORD if plain else _WORD_OF_ANY_SCRIPT).finditer(text)


def split_words(text: str) -> tuple[list[str], list[str]]:
    """Split normalised text into words, with and without the mark of the space before them."""
    pieces, words = [], []
    for match in find_words(text):
        spaced = match.start() == 0 or text[match.start() - 1] == " "
        pieces.append(SPACE + match.group() if spaced else match.group())
        words.append(match.group())
    return pieces, words


def visible(ids: Sequence[int]) -> list[int]:
    """Return the ids before END, without PAD and START."""
    kept = []
    for i in ids:
        if i == END:
            break
        if i not in (PAD, START):
            kept.append(i)
    return kept


def token_at(tokens: Sequence[str], i: int) -> str:
    """Return the token of an id; raise `ValueError` if there is no such id."""
    if not 0 <= i < len(tokens):
        raise ValueError(f"want token ids from 0 to {len(tokens) - 1}; got {i}")
    return tokens[i]


def write_json(path: Path | str, content: dict[str, Any]) -> None:
    """Write a tokenizer's file, whole or not at all (`CourseError`)."""
    text = json.dumps({"format": _FORMAT} | content, ensure_ascii=False, indent=0)
    atomic_write(path, text + "\n")


def read_json(path: Path | str) -> dict[str, Any]:
    """Read a tokenizer's file.

    Raises:
        CourseError: the file is missing, or `write_json` did not write it.
    """
    try:
        content = json.loads(Path(path).read_bytes())
        tokens = content["tokens"]
        if (
            content["format"] != _FORMAT
            or not isinstance(content["lowercase"], bool)
            or not all(isinstance(token, str) for token in tokens)
            or len(set(tokens)) < len(tokens)
            or tuple(tokens[: len(SPECIALS)]) != SPECIALS
        ):
            raise ValueError("another format")
    except OSError as error:
        raise CourseError(f"cannot read the tokenizer {path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise damaged(path) from error
    return content


def damaged(path: Path | str) -> CourseError:
    """Make the error for a file that is not what a tokenizer wrote."""
    return CourseError(
        f"{path} is no tokenizer of this course, or is damaged: train again or restore it"
    )
