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
"""For a sign those that another program may have written for it, the plain one first."""

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
    """`normalise` but for control characters, which are words in some corpora's lists of words."""
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


def given_words(words: Sequence[str], lowercase: bool) -> list[str]:
    """A sentence that came already split: its words, normalised, their number unchanged."""
    if not isinstance(words, Sequence):  # such as the nan that pandas reads for an empty cell
        raise CourseError(f"want a sentence as text or as a list of words; got {words!r}")
    if not words:
        raise CourseError("empty sentence: want at least one word; got none")
    return [_given_word(word, lowercase) for word in words]


# The same few words come again and again: a corpus in a quarter of the time.
@lru_cache(maxsize=1 << 16)
def _given_word(word: str, lowercase: bool) -> str:
    if not isinstance(word, str):
        raise CourseError(f"want words as text; got {word!r}")
    normal = _normal(word, lowercase)
    if not normal or " " in normal:
        raise CourseError(f"want each to be one word without spaces; got {normal!r}")
    return normal


def normal_text(text: str, lowercase: bool) -> str:
    """A sentence as normalised text; `CourseError` where it is empty."""
    normal = normalise(text, lowercase)
    if not normal:
        raise CourseError(f"empty sentence: want at least one word; got {text[:20]!r}")
    return normal


def find_words(text: str) -> Iterator[re.Match[str]]:
    """The words of normalised text, where they stand."""
    # The second pattern takes seven times as long, and finds the same where no such letter is.
    plain = max(text, default="") < "\u0300" or not _RARE.search(text)
    return (_WORD if plain else _WORD_OF_ANY_SCRIPT).finditer(text)


def split_words(text: str) -> tuple[list[str], list[str]]:
    """The words of normalised text, once with the mark of the space before them, once without."""
    pieces, words = [], []
    for match in find_words(text):
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
        raise ValueError(f"want token ids from 0 to {len(tokens) - 1}; got {i}")
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
        content = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise CourseError(f"cannot read the tokenizer {path}: {error.strerror}") from error
    except ValueError as error:
        raise damaged(path) from error
    if not isinstance(content, dict) or not isinstance(content.get("tokens"), list):
        raise damaged(path)
    if content.get("format") != _FORMAT:
        raise CourseError(
            f"want format {_FORMAT} in {path}; got format {content.get('format')}, the file of "
            "another version; train again"
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
